"""Some rows of a report: those of a table or a facet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from annotation.queries.group_keys import OF_RATERS
from estimates.catalogue import Table, metric
from estimates.data.groups import CONDITION
from estimates.data.parties import HUMANS, SIMULATED
from estimates.data.rows import PER_ITEM, POOLED, SCORE_FACET, UNITS, Row
from estimates.report.cache import Report


def selection(
    report: Report, *, tables: Sequence[str] | None = None, facets: Sequence[str] | None = None
) -> Report:
    """The report with the rows of these tables and facets alone; None: of all."""
    rows = [
        row
        for row in report.rows
        if (facets is None or row.facet in facets)
        and (tables is None or any(_stands_in(row, Table(name)) for name in tables))
    ]
    return replace(report, rows=tuple(rows))


def _stands_in(row: Row, table: Table) -> bool:
    shows = _SHOWN.get(table)
    tables = SCORECARDS if table is Table.SCORECARD else (table,)
    there = any(each in metric(row.metric).tables for each in tables)
    return there and (shows is None or shows(row))


def _compares_a_judge(row: Row) -> bool:
    """Whether the row is of a judge beside people, in any part."""
    crowd = row.first
    return "~" in row.raters and crowd in (HUMANS, SIMULATED)


def _compares_an_evaluator(row: Row) -> bool:
    """Whether the row is of a judge beside people, over single texts of the whole study."""
    whole = row.group.keys() <= {SCORE_FACET, UNITS} and row.aggregation == POOLED
    return whole and _compares_a_judge(row)


def is_by_condition(row: Row) -> bool:
    """Whether the row is of the whole study, a condition, or either within a group by an own column
    of the files, such as the kind of query."""
    own = [key for key in row.group if "." in key and not key.startswith(OF_RATERS)]
    others = row.group.keys() - {*own} <= {CONDITION}
    return len(own) <= 1 and others and row.aggregation == PER_ITEM


# What is asked for as the first of these is shown with the others.
SCORECARDS = (
    Table.SCORECARD,
    Table.SCORECARD_OVERALL,
    Table.SCORECARD_PAIRS,
    Table.SCORECARD_SLICES,
    Table.SCORECARD_CALIBRATION,
)
# Tables with some of the rows of their metrics.
_SHOWN: Mapping[Table, Callable[[Row], bool]] = {
    Table.EVALUATORS: _compares_an_evaluator,
    Table.DETECTION: is_by_condition,
    Table.SCORECARD: _compares_a_judge,
}
