"""Estimates as a flat table."""

from collections.abc import Iterable, Iterator

from annotation.models import Study
from results.data.rows import Row
from results.exporting.csv_text import csv_line
from results.report.cache import report_of

HEAD = (
    *("metric", "facet", "raters", "group", "aggregation", "consensus"),
    *("value", "sd", "sd_ddof", "low", "high", "confidence"),
    *("n_units", "n_raters", "n_ratings", "interval_method", "undefined"),
    *("live_low", "live_high", "live_method"),
)


def estimate_lines(study: Study) -> Iterator[str]:
    """The head, then every estimate; what has no value has a reason instead."""
    return lines_of(report_of(study).rows)


def lines_of(rows: Iterable[Row]) -> Iterator[str]:
    """The head and these rows as CSV."""
    yield csv_line(HEAD)
    yield from map(csv_line, _cells_of(rows))


def estimate_rows(study: Study) -> Iterator[tuple[object, ...]]:
    """The same as values, in the order of `HEAD`."""
    return _cells_of(report_of(study).rows)


def _cells_of(rows: Iterable[Row]) -> Iterator[tuple[object, ...]]:
    for row in rows:
        cells = row.as_json()
        cells["group"] = " ".join(f"{key}={name}" for key, name in row.group.items())
        yield tuple(cells.get(name) for name in HEAD)
