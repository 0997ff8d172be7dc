"""Which of two intervals is shown: while a study is open the live one, which holds at every look;
afterwards the fixed-sample one, which is narrower and holds once, with the live one beside it."""

from dataclasses import replace

from annotation.models import Study
from results.data.rows import Row, live_estimate
from results.metrics.catalogue import metric
from results.report.cache import Report


def as_shown(report: Report) -> Report:
    """The report as pages and texts show it."""
    if report.study.state != Study.State.OPEN:
        return report
    return replace(report, rows=tuple(map(_live, report.rows)), live=True)


def _live(row: Row) -> Row:
    """The row with its live interval in place of the other, if it is a headline number."""
    if not metric(row.metric).live or row.estimate.value is None:
        return row
    return replace(row, estimate=live_estimate(row.estimate))
