"""How many units a judge takes to pass the alternative annotator test."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from agreement import Estimate, sources_for_replacement
from estimates.catalogue.judges import ALT_ADVANTAGE, ALT_GAP
from estimates.data.rows import Row
from results.reading.bounds import defined
from results.reading.planned_tests import LEAST, LEVEL, POWER
from results.reading.rows import RowIndex


@dataclass(frozen=True)
class ReplacementSize:
    """How many units a judge takes to pass the alternative annotator test: with its lead or lag as
    it is now, and if it were people's equal."""

    facet: str
    judge: str
    units: int
    now: Estimate
    equal: Estimate


def replacement_sizes(rows: Sequence[Row], epsilon: float) -> list[ReplacementSize]:
    """Of every judge beside people, at power .8. Units are taken as independent: where they share
    sources, read sources."""
    index = RowIndex(rows)
    whole = index.where(ALT_ADVANTAGE, group={})
    advantages = {(row.facet, row.raters): row.estimate for row in whole}
    return [
        _size(row, advantages[row.facet, row.raters], epsilon)
        for row in index.where(ALT_GAP, group={})
        if defined(row.estimate) and (row.estimate.n_raters or 0) >= LEAST
        if defined(advantages[row.facet, row.raters])
    ]


def _size(row: Row, advantage: Estimate, epsilon: float) -> ReplacementSize:
    """The difference of a unit is 1 where only the person is the nearer one, -1 where only the
    judge is, else 0: its variance follows from the two shares."""
    gap = float(row.estimate)
    judge_alone = 1 - float(advantage) - gap
    spread = sqrt(max(0.0, 2 * max(0.0, judge_alone) + gap - gap**2))
    people = row.estimate.n_raters or 0

    def units(of_gap: float) -> Estimate:
        return sources_for_replacement(
            gap=of_gap, sd=spread, epsilon=epsilon, people=people, power=POWER, level=LEVEL
        )

    n_units = row.estimate.n_units or 0
    return ReplacementSize(
        row.facet, row.raters.rpartition("~")[2], n_units, units(gap), units(0.0)
    )
