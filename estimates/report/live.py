"""A report with the intervals that pages show."""

from dataclasses import replace

from annotation.models import Study
from annotation.rounds.collection import Standing
from annotation.rounds.planned import standing_of
from estimates.report.cache import Report
from estimates.report.shown import shown_rows


def as_shown(report: Report) -> Report:
    """The report as pages and texts show it."""
    standing = standing_of(report.study)
    # Figures of before the last planned answers are those of a look.
    is_look = report.outdated and report.study.state == Study.State.OPEN
    if is_look and standing is Standing.PLANNED:
        standing = Standing.COLLECTING
    return replace(report, rows=shown_rows(report.rows, standing), standing=standing)
