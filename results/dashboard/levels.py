"""Correlations at several levels: of systems' means, within sources, over single texts."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from estimates.data.rows import Row
from results.dashboard.panels import Page, raters_of
from results.dashboard.tables import humans_first
from results.reading.rows import is_pair
from results.reading.titles import metric_title, party_title
from results.tables.grids import Layout

# Of systems first: the level that measures of generated text are compared by.
LEVELS = {
    "system": gettext_lazy("systems"),
    "summary": gettext_lazy("within sources"),
    "pooled": gettext_lazy("samples"),
    "per_item": gettext_lazy("within units"),
}


def judges_by_level(page: Page, rows: Sequence[Row]) -> list[Row]:
    """Pairs of whom one is a judge, over systems first."""
    return _by_level([row for row in rows if page.has_judge(row)])


def people_by_level(page: Page, rows: Sequence[Row]) -> list[Row]:
    """Pairs of people by name, likewise."""
    return _by_level([row for row in rows if not page.has_judge(row)])


def _by_level(rows: Sequence[Row]) -> list[Row]:
    """A level without any value comes last."""
    pairs = [row for row in rows if is_pair(row)]
    defined = {row.aggregation for row in pairs if row.estimate.value is not None}
    order = sorted(LEVELS, key=lambda level: level not in defined)
    return sorted(pairs, key=lambda row: (*humans_first(row), order.index(row.aggregation)))


def levels(page: Page) -> Layout:
    """A row per pair, a column per metric and level."""
    return Layout(
        line=raters_of,
        column=lambda row: f"{row.aggregation} {row.metric}",
        line_title=party_title,
        column_title=_level_title,
        corner=_("Who"),
        notes=page.note,
    )


def _level_title(name: str) -> str:
    level, metric = name.split()
    return f"{metric_title(metric)}, {LEVELS[level]}"
