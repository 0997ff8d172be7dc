"""The metrics of a report: name, title on the pages, meaning, and which way is better."""

from collections.abc import Iterator

from docs.generate.markdown import code
from docs.generate.markdown import table as as_table
from results.metrics.catalogue import every_metric

SAME = "″"


def table() -> str:
    """One row for each metric; its range and when not to use it stand on the pages of results."""
    return as_table(["metric", "on the pages", "for", "meaning", "better"], _rows())


def _rows() -> Iterator[list[str]]:
    above = ""
    for metric in every_metric():
        of = SAME if metric.of == above else metric.of
        yield [code(metric.name), str(metric.title), of, metric.description, metric.better]
        above = metric.of
