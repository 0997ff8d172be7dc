"""The metrics of a report: name, title on the pages, meaning, and which way is better.

This module alone knows where they come from.
"""

from collections.abc import Iterator
from typing import NamedTuple

from docs.generate.markdown import code
from docs.generate.markdown import table as as_table
from docs.generate.meanings import MEANINGS
from results.tables.wording import METRICS


class Metric(NamedTuple):
    """One row of the table."""

    name: str
    title: str
    of: str
    meaning: str
    better: str


def metrics() -> Iterator[Metric]:
    """Every metric that a report may hold."""
    for name, title in METRICS.items():
        meaning = MEANINGS[name]
        yield Metric(name, str(title), meaning.of, meaning.text, meaning.better)


def table() -> str:
    """One row for each metric."""
    rows = [
        [code(metric.name), metric.title, metric.of, metric.meaning, metric.better]
        for metric in metrics()
    ]
    return as_table(["metric", "on the pages", "for", "meaning", "better"], rows)
