"""What agreement would be without some answers, computed in memory: nothing is stored."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np

from agreement import Estimate
from annotation.models import Study
from annotation.rounds.planned import standing_of
from estimates.data.database import block_records, load_table
from estimates.data.options import Options
from estimates.data.parties import divide
from estimates.data.rows import Row
from estimates.data.study_data import of_ratings
from estimates.data.table import Table
from estimates.engine.estimation import estimate_some
from estimates.metrics import agreement
from estimates.report.shown import shown_rows
from estimates.statistics import samples
from estimates.statistics.statistic import WHOLE, Statistics
from results.adjudication.tables import without
from tasktypes.facets import Facet

AMONG_PEOPLE = (Statistics(samples.crowds, (replace(agreement.AGREEMENT, by=WHOLE),)),)


@dataclass(frozen=True)
class Effect:
    """The agreement of people in one facet with all counted answers, and without some of them."""

    facet: Facet
    metric: str
    before: Estimate
    after: Estimate


@dataclass(frozen=True)
class Effects:
    """What leaving answers out would do. unanswered: units that would have no answer of a person
    left, of those that have one now."""

    facets: Sequence[Effect]
    units: int
    unanswered: int

    def as_json(self) -> dict[str, Any]:
        """The effects as plain JSON, facets by name."""
        facets = [
            [each.facet.name, each.metric, asdict(each.before), asdict(each.after)]
            for each in self.facets
        ]
        return {"facets": facets, "units": self.units, "unanswered": self.unanswered}

    @classmethod
    def from_json(cls, study: Study, stored: Mapping[str, Any]) -> Self:
        """What `as_json` wrote; without facets that the study has no more."""
        facets = {facet.name: facet for block in study.blocks.all() for facet in block.facets}
        each = [
            Effect(facets[name], metric, Estimate(**before), Estimate(**after))
            for name, metric, before, after in stored["facets"]
            if name in facets
        ]
        return cls(each, stored["units"], stored["unanswered"])


def effects_of(study: Study, answers: Collection[tuple[int, int]]) -> Effects:
    """The effect of leaving out these answers, as pairs of rater and question (by id)."""
    options = Options().settled(study.epsilon)
    table = load_table(study)
    rest = without(table, answers)
    before, after = (_alphas(study, each, options) for each in (table, rest))
    facets = [facet for block in study.blocks.all() for facet in block.facets]
    metrics = {facet.name: f"krippendorff_alpha_{facet.distance}" for facet in facets}
    return Effects(
        facets=[
            Effect(facet, metrics[facet.name], before[key], after[key])
            for facet in facets
            for key in [(facet.name, metrics[facet.name])]
            if key in before and key in after
        ],
        units=_units(table),
        unanswered=_units(table) - _units(rest),
    )


def _alphas(study: Study, table: Table, options: Options) -> dict[tuple[str, str], Estimate]:
    """Of people by facet and metric, also where nobody is left."""
    parties = divide(table.raters)
    people = replace(parties, crowds=parties.crowds[:1])
    rows: Sequence[Row] = estimate_some(
        of_ratings(table, block_records(study)), people, options, AMONG_PEOPLE
    )
    shown = shown_rows(rows, standing_of(study))
    return {(row.facet, row.metric): row.estimate for row in shown}


def _units(table: Table) -> int:
    people = divide(table.raters).crowds[0].raters
    places = table.place[np.isin(table.rater, list(people))]
    return len(np.unique(table.place_unit[places]))
