"""The metrics of a report: name, title on the pages, meaning, and which way is better."""

from docs.generate.markdown import code
from docs.generate.markdown import table as as_table
from estimates.catalogue import every_metric


def table() -> str:
    """One row for each metric."""
    rows = [
        [
            *(code(metric.name), str(metric.title), metric.of, metric.description, metric.better),
            str(metric.help),
        ]
        for metric in every_metric()
    ]
    return as_table(
        ["metric", "on the pages", "for", "meaning", "better", "range; when not to use it"], rows
    )
