"""The figures beside gold as tables of a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agreement import Estimate
from annotation.models import Study
from results.adjudication.compared import NAME, BesideGold, Change
from results.data.groups import SYSTEM
from results.data.parties import HUMANS
from results.data.rows import Row
from results.metrics.catalogue import F1, PEARSON, PRECISION, RAW_AGREEMENT, RECALL, SPEARMAN
from results.reading.titles import metric_title, party_title, value_text
from results.reading.wording import interval_text
from tasktypes.facets import Facet

# The coefficients of a page, in the order of its columns, beside alpha by the facet's own distance.
BESIDE = (RAW_AGREEMENT, PEARSON, SPEARMAN, PRECISION, RECALL, F1)
CONSENSUS, EACH = "Consensus of people", "People, each by themselves"
_OF_SAMPLES = ("sample", "pooled", "per_item")


@dataclass(frozen=True)
class Cell:
    """A figure in words; text is empty where there is none, and reason says why."""

    text: str
    interval: str = ""
    n: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class GoldTable:
    """Who agrees with gold in one facet: a line for each, a cell for each metric."""

    title: str
    heads: Sequence[str]
    lines: Sequence[tuple[str, Sequence[Cell]]]


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
            for table in [_agreement(facet, figures.agreement)]
            if table.lines
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


def cell_of(metric: str, estimate: Estimate) -> Cell:
    """A figure with its interval and n."""
    if estimate.value is None:
        return Cell("", reason=estimate.undefined or "", n=estimate.n_units)
    text = value_text(metric, estimate.value)
    return Cell(text, interval_text(estimate), estimate.n_units)


def headline_of(facet: Facet) -> str:
    """The coefficient of agreement that stands for the facet."""
    return f"krippendorff_alpha_{facet.distance}"


def _agreement(facet: Facet, every_row: Sequence[Row]) -> GoldTable:
    rows = [row for row in every_row if row.facet == facet.name]
    there = {row.metric for row in rows}
    metrics = [name for name in (headline_of(facet), *BESIDE) if name in there]
    cells: dict[str, dict[str, Cell]] = {CONSENSUS: {}, EACH: {}}
    for row in rows:
        if row.metric in metrics and row.aggregation in _OF_SAMPLES:
            cells.setdefault(_who(row), {})[row.metric] = cell_of(row.metric, row.estimate)
    lines = [
        (who, [of.get(name, Cell("")) for name in metrics])
        for who, of in cells.items()
        if any(name in of for name in metrics)
    ]
    return GoldTable(facet.title, [metric_title(name, facet) for name in metrics], lines)


def _who(row: Row) -> str:
    """The party beside gold; people as one by consensus, or as they answered."""
    first, _tilde, second = row.raters.partition("~")
    if first == HUMANS:
        return CONSENSUS if second == NAME else EACH
    return party_title(first)


def _changes(facet: Facet, changes: Sequence[Change]) -> list[ChangeLine]:
    wanted = {headline_of(facet), "mean", "share", *BESIDE}
    return [
        ChangeLine(
            what=metric_title(change.before.metric, facet),
            about=_about(change.before),
            before=cell_of(change.before.metric, change.before.estimate),
            after=_after(change),
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


def _after(change: Change) -> Cell:
    if change.after is None:
        return Cell("", reason="no answers left")
    return cell_of(change.after.metric, change.after.estimate)


def _differs(change: Change) -> bool:
    after = None if change.after is None else change.after.estimate.value
    return after != change.before.estimate.value
