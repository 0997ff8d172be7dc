"""Rows of a report, looked up by what they say."""

from collections.abc import Iterable

from agreement import Estimate
from estimates.data.rows import Row


class Card:
    """The rows of one report by metric, raters and group."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = {
            (row.metric, row.raters, frozenset(row.group.items()), row.aggregation): row
            for row in rows
        }

    def row(self, metric: str, raters: str, **group: str) -> Row:
        """The row over all units."""
        return self.rows[metric, raters, frozenset(group.items()), "pooled"]

    def estimate(self, metric: str, raters: str, **group: str) -> Estimate:
        return self.row(metric, raters, **group).estimate

    def all(self, metric: str) -> list[Row]:
        """Every row of a metric, in the order of the report."""
        return [row for row in self.rows.values() if row.metric == metric]
