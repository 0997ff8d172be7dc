"""Estimates as a flat table."""

from collections.abc import Iterator

from annotation.models import Study
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
    yield csv_line(HEAD)
    yield from map(csv_line, estimate_rows(study))


def estimate_rows(study: Study) -> Iterator[tuple[object, ...]]:
    """The same as values, in the order of `HEAD`."""
    for row in report_of(study).rows:
        cells = row.as_json()
        cells["group"] = " ".join(f"{key}={name}" for key, name in row.group.items())
        yield tuple(cells.get(name) for name in HEAD)
