"""Estimates as a flat table."""

from collections.abc import Iterable, Iterator

from estimates.data.rows import Row
from estimates.report.cache import Report
from exports.csv_text import csv_line

HEAD = (
    *("metric", "facet", "raters", "group", "aggregation", "consensus"),
    *("value", "sd", "sd_ddof", "low", "high", "confidence"),
    *("n_units", "n_raters", "n_ratings", "interval_method", "undefined"),
    *("live_low", "live_high", "live_method"),
    *("these_low", "these_high", "these_method"),
    *("others_low", "others_high", "others_method"),
    *("live_these_low", "live_these_high", "live_these_method"),
)


def estimate_lines(report: Report) -> Iterator[str]:
    """The head, then every estimate; what has no value has a reason instead."""
    return lines_of(report.rows)


def lines_of(rows: Iterable[Row]) -> Iterator[str]:
    """The head and these rows as CSV."""
    yield csv_line(HEAD)
    yield from map(csv_line, _cells_of(rows))


def estimate_rows(report: Report) -> Iterator[tuple[object, ...]]:
    """The same as values, in the order of `HEAD`."""
    return _cells_of(report.rows)


def _cells_of(rows: Iterable[Row]) -> Iterator[tuple[object, ...]]:
    for row in rows:
        cells = row.as_json()
        # By name: PostgreSQL keeps no order of keys, so that kept rows have another.
        cells["group"] = " ".join(f"{key}={name}" for key, name in sorted(row.group.items()))
        yield tuple(cells.get(name) for name in HEAD)
