"""The table of detection: how well each measure tells responses with a fault made on purpose.

One line per measure, those that count all claims alike beside those that do not: what importance
adds to detection. Per condition the means, and what was found of the altered responses.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext as _

from estimates.catalogue import DETECTION, TIED
from estimates.data.groups import CONDITION
from estimates.data.rows import PER_ITEM, Row
from estimates.report.cache import Report
from results.reading.titles import metric_title, party_title
from results.tables.grids import Cell, Grid, GridLine

# How a condition is called that has no name: of a study whose altered items have none.
ALTERED = "altered"


class DetectionRows(NamedTuple):
    """The rows of one party in one facet: those of measures, and what they found.

    measures: the names of those that have a detection. by_place: metric and condition -> row.
    """

    measures: Sequence[str]
    conditions: Sequence[str]
    altered: Sequence[str]
    by_place: Mapping[tuple[str, str], Row]

    def cell(self, metric: str, condition: str) -> Cell | None:
        """The number alone; the interval and size that matter are those of what was found."""
        cell = self.found(metric, condition)
        return None if cell is None else replace(cell, interval="", n="")

    def found(self, metric: str, condition: str) -> Cell | None:
        """The number with its interval, and of how many items."""
        row = self.by_place.get((metric, condition))
        return None if row is None else Cell.of(row.estimate, metric=metric, n=True)


def detection_tables(report: Report) -> Iterator[Grid]:
    """One table per facet and party that answered about altered items; none without such."""
    by_party: dict[tuple[str, str], list[Row]] = {}
    for row in report.rows:
        if row.aggregation == PER_ITEM and row.group.keys() <= {CONDITION}:
            by_party.setdefault((row.facet, row.raters), []).append(row)
    for (facet, raters), rows in by_party.items():
        detected = _detected(rows)
        if detected.measures:
            yield _grid(detected, f"{facet}, {party_title(raters)}")


def _detected(rows: Sequence[Row]) -> DetectionRows:
    """By condition; as a whole where the altered items have none."""
    found = [row for row in rows if row.metric.startswith(DETECTION)]
    measures = [
        name.removeprefix(DETECTION)
        for name in dict.fromkeys(row.metric for row in found)
        if not name.endswith(TIED)
    ]
    altered = dict.fromkeys(row.group[CONDITION] for row in found if row.group)
    named = dict.fromkeys(
        row.group[CONDITION] for row in rows if row.metric in measures and row.group
    )
    before = [name for name in named if name not in altered]
    return DetectionRows(
        measures=measures,
        conditions=[*before, *altered],
        altered=list(altered) or [""],
        by_place={(row.metric, row.group.get(CONDITION, "")): row for row in rows},
    )


def _grid(rows: DetectionRows, title: str) -> Grid:
    heads = [*rows.conditions]
    for condition in rows.altered:
        name = condition or ALTERED
        heads += [_("%(name)s: found") % {"name": name}, _("%(name)s: tied") % {"name": name}]
    lines = [GridLine(title=metric_title(name), cells=_cells(rows, name)) for name in rows.measures]
    return Grid(heads, lines, title, corner=_("Measure"))


def _cells(rows: DetectionRows, measure: str) -> list[Cell | None]:
    """The means under each condition, then what was found, of how many; ties apart."""
    cells = [rows.cell(measure, condition) for condition in rows.conditions]
    for condition in rows.altered:
        cells.append(rows.found(f"{DETECTION}{measure}", condition))
        cells.append(rows.cell(f"{DETECTION}{measure}{TIED}", condition))
    return cells
