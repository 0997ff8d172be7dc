"""The figures beside gold as tables of a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from annotation.models import Study
from estimates.catalogue import alpha_of
from estimates.catalogue.agreement import RAW_AGREEMENT
from estimates.catalogue.judges import PEARSON, SPEARMAN
from estimates.catalogue.scores import F1, PRECISION, RECALL
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.data.rows import Row
from results.adjudication.compared import NAME, BesideGold, Change
from results.reading.rows import RowIndex
from results.reading.titles import metric_title, party_title
from results.tables.grids import Cell, Grid, Layout
from tasktypes.facets import Facet

# The coefficients of a page, in the order of its columns, beside alpha by the facet's own distance.
BESIDE = (RAW_AGREEMENT, PEARSON, SPEARMAN, PRECISION, RECALL, F1)
CONSENSUS, EACH = "Consensus of people", "People, each by themselves"
_OF_SAMPLES = ("sample", "pooled", "per_item")


@dataclass(frozen=True)
class ChangeLine:
    """A headline figure before and after."""

    what: str
    about: str
    before: Cell
    after: Cell
    differs: bool


def tables_of(study: Study, figures: BesideGold) -> dict[str, Any]:
    """The template context of the page about gold."""
    facets = {facet.name: facet for block in study.blocks.all() for facet in block.facets}
    return {
        "agreement": [
            table
            for facet in facets.values()
            if (table := _agreement(facet, figures.agreement)).lines
        ],
        "changes": [
            (facet.title, lines)
            for facet in facets.values()
            for lines in [_changes(facet, figures.changes)]
            if lines
        ],
        "decided": [
            (errors.facet.title, len(errors.errors), errors.changed, errors.rule)
            for errors in figures.errors
        ],
    }


def _agreement(facet: Facet, every_row: Sequence[Row]) -> Grid:
    """Who agrees with gold: people first, a line for each party, a column for each metric."""
    metrics = [alpha_of(facet.distance), *BESIDE]
    own = RowIndex(every_row).of(facet.name).where(metrics)
    rows = sorted(
        (row for row in own if row.aggregation in _OF_SAMPLES),
        key=lambda row: (_who(row) != CONSENSUS, _who(row) != EACH),
    )
    layout = Layout(_who, column_title=partial(metric_title, facet=facet), columns=metrics)
    return layout.grid(rows, str(facet.title), lambda _row: "")


def _who(row: Row) -> str:
    """The party beside gold; people as one by consensus, or as they answered."""
    if row.first == HUMANS:
        return CONSENSUS if row.second == NAME else EACH
    return party_title(row.first)


def _changes(facet: Facet, changes: Sequence[Change]) -> list[ChangeLine]:
    wanted = {alpha_of(facet.distance), "mean", "share", *BESIDE}
    return [
        ChangeLine(
            what=metric_title(change.before.metric, facet),
            about=_about(change.before),
            before=_cell(change.before),
            after=_cell(change.after),
            differs=_differs(change),
        )
        for change in changes
        if change.before.facet == facet.name
        and change.before.metric in wanted
        and change.before.aggregation in _OF_SAMPLES
    ]


def _about(row: Row) -> str:
    system = row.group.get(SYSTEM)
    return system if system is not None else party_title(row.raters)


def _cell(row: Row | None) -> Cell:
    if row is None:
        return Cell(undefined="no answers left")
    return Cell.of(row.estimate, metric=row.metric)


def _differs(change: Change) -> bool:
    after = None if change.after is None else change.after.estimate.value
    return after != change.before.estimate.value
