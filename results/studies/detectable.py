"""What a study of this size can show: differences of systems, and judges that may replace."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from agreement import Estimate, detectable_difference, sources_for_replacement
from estimates.catalogue import ALT_ADVANTAGE, ALT_GAP, MEAN_DIFFERENCE
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.data.rows import Row
from estimates.metrics.systems.differences import OTHER
from results.reading.bounds import defined
from results.reading.rows import RowIndex

POWER, LEVEL = 0.8, 0.05
LEAST = 3


@dataclass(frozen=True)
class DetectableDifference:
    """The difference of two systems that people's answers on so many sources are likely to show,
    beside the one there is."""

    facet: str
    first: str
    second: str
    sources: int
    now: Estimate
    least: Estimate


@dataclass(frozen=True)
class ReplacementSize:
    """How many units a judge takes to pass the alternative annotator test: with its lead or lag as
    it is now, and if it were people's equal."""

    facet: str
    judge: str
    units: int
    now: Estimate
    equal: Estimate


def detectable_differences(rows: Sequence[Row]) -> list[DetectableDifference]:
    """Of every two systems in people's answers, at power .8 and level .05 divided by the number of
    pairs (which Holm's correction never falls below)."""
    apart = RowIndex(rows).where(MEAN_DIFFERENCE, HUMANS, by=[SYSTEM, OTHER])
    return list(_differences(apart))


def _differences(apart: Sequence[Row]) -> Iterator[DetectableDifference]:
    for row in apart:
        estimate, pairs = row.estimate, sum(each.facet == row.facet for each in apart)
        if estimate.sd is not None and (estimate.n_units or 0) >= LEAST:
            sources = estimate.n_units or 0
            yield DetectableDifference(
                facet=row.facet,
                first=row.group[SYSTEM],
                second=row.group[OTHER],
                sources=sources,
                now=estimate,
                least=detectable_difference(
                    sources=sources, sd=estimate.sd, power=POWER, level=LEVEL / pairs
                ),
            )


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
