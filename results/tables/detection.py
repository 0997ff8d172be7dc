"""The table of detection: how well each measure tells responses with a fault made on purpose.

One line per measure, those that count all claims alike beside those that do not: what importance
adds to detection. Per condition the means, and what was found of the altered responses.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext as _

from estimates.catalogue import DETECTION, ORIGINAL, TIED
from estimates.data.groups import CONDITION
from estimates.data.rows import Row
from estimates.report.cache import Report
from estimates.report.selection import is_by_condition
from results.reading.titles import group_text, metric_title, party_title
from results.tables.grids import Cell, Grid, GridLine

# How a condition is called that has no name: of a study whose altered items have none.
ALTERED = "altered"


class DetectionRows(NamedTuple):
    """The rows of one party in one facet and part of the study: those of measures, and what they
    found.

    measures: the names of those that have a detection. altered: the conditions of altered items.
    by_place: metric and condition -> row.
    """

    measures: Sequence[str]
    altered: Sequence[str]
    by_place: Mapping[tuple[str, str], Row]

    def cell(self, metric: str, condition: str) -> Cell | None:
        """The number alone; the interval and size that matter are those of what was found."""
        cell = self.found(metric, condition)
        return None if cell is None else replace(cell, interval="", no_interval="", n="")

    def found(self, metric: str, condition: str = "") -> Cell | None:
        """The number with its interval, and of how many items."""
        row = self.by_place.get((metric, condition))
        return None if row is None else Cell.of(row.estimate, metric=metric, n=True)


def detection_tables(report: Report) -> Iterator[Grid]:
    """The tables of all facets of a report."""
    return detection_of(report.rows)


def detection_of(rows: Iterable[Row]) -> Iterator[Grid]:
    """One table per facet and party that answered about altered items, and for each group by an own
    column of the files, such as the kind of query; none without such."""
    tables: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if is_by_condition(row):
            part = group_text({k: name for k, name in row.group.items() if k != CONDITION})
            tables.setdefault((row.facet, row.raters, part), []).append(row)
    for (facet, raters, part), of_party in tables.items():
        detected = _detected(of_party)
        if detected.measures:
            title = f"{facet}, {party_title(raters)}"
            yield _grid(detected, f"{title}, {part}" if part else title)


def _detected(rows: Sequence[Row]) -> DetectionRows:
    """By condition; as a whole where the altered items have none."""
    found = [row for row in rows if row.metric.startswith(DETECTION)]
    measures = [
        name.removeprefix(DETECTION)
        for name in dict.fromkeys(row.metric for row in found)
        if not name.endswith(TIED)
    ]
    altered = dict.fromkeys(row.group.get(CONDITION, "") for row in found)
    return DetectionRows(
        measures=measures,
        altered=[name for name in altered if name] or [""],
        by_place={(row.metric, row.group.get(CONDITION, "")): row for row in rows},
    )


def _grid(rows: DetectionRows, title: str) -> Grid:
    """Beside what is found how often the originals raise an alarm: a measure that flags everything
    finds everything, too."""
    heads = [_("originals (false alarms)"), *filter(None, rows.altered)]
    for name in (name or ALTERED for name in rows.altered):
        heads += [_("%(name)s: found") % {"name": name}, _("%(name)s: tied") % {"name": name}]
    lines = [GridLine(title=metric_title(name), cells=_cells(rows, name)) for name in rows.measures]
    return Grid(heads, lines, title, corner=_("Measure"))


def _cells(rows: DetectionRows, measure: str) -> list[Cell | None]:
    """The means of the originals and under each condition, then what was found, of how many; ties
    apart."""
    cells = [rows.found(f"{ORIGINAL}{measure}")]
    cells += [rows.cell(measure, condition) for condition in filter(None, rows.altered)]
    for condition in rows.altered:
        cells.append(rows.found(f"{DETECTION}{measure}", condition))
        cells.append(rows.cell(f"{DETECTION}{measure}{TIED}", condition))
    return cells
