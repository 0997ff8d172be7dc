"""The alert about agreement among people: it falls, or is low."""

from typing import Any

from alerts.watched import Watched
from annotation.rater_names import HUMANS
from estimates.catalogue.agreement import ALPHA
from estimates.data.rows import POOLED, Row
from estimates.report.cache import Report, kept_report
from estimates.report.live import as_shown
from estimates.report.recount import ask_for_recount
from results.reading.bounds import defined
from results.reading.rows import RowIndex
from results.reading.wording import counted

# With fewer units an α says too little to be compared, and a low one ends so far above.
LEAST_UNITS, EASE = 20, 0.02
# Reports that took longer are counted when somebody looks at them.
SECONDS = 60.0


def agreement_low(watched: Watched) -> str | None:
    """α of a facet is far below the highest that it was, or below the threshold.

    It reads the report that was counted last, with the intervals that pages show, and has a newer
    one counted in the background.
    """
    limits = watched.thresholds
    if limits.agreement_fall is None and limits.agreement_below is None:
        return None
    report = kept_report(watched.study)
    _keep_counting(watched, report)
    rows = () if report is None else as_shown(report).rows
    best: dict[str, Any] = watched.memory.setdefault("agreement", {})
    problems = [text for row in _alphas(rows) if (text := _problem(row, best, watched))]
    return " ".join(problems) or None


def _keep_counting(watched: Watched, report: Report | None) -> None:
    if (
        watched.is_open
        and report is not None
        and report.outdated
        and (report.seconds or 0) < SECONDS
    ):
        ask_for_recount(study=watched.study)


def _alphas(rows: tuple[Row, ...]) -> list[Row]:
    """The first α of each facet, over all ratings of people."""
    first: dict[str, Row] = {}
    for row in RowIndex(rows).where(raters=HUMANS, group={}):
        if row.aggregation == POOLED and row.metric.startswith(ALPHA) and defined(row.estimate):
            first.setdefault(row.facet, row)
    return [row for row in first.values() if (row.estimate.n_units or 0) >= LEAST_UNITS]


def _problem(row: Row, best: dict[str, Any], watched: Watched) -> str:
    """What is wrong with a facet's α; remembers the highest."""
    estimate, limits, is_open = row.estimate, watched.thresholds, "agreement" in watched.open
    value = estimate.value
    assert value is not None
    over = counted(estimate.n_units or 0, "unit")
    key = f"{row.metric} {row.facet}"
    highest = max(best.get(key, value), value)
    best[key] = highest
    below, fall = limits.agreement_below, limits.agreement_fall
    if below is not None and value < below + (EASE if is_open else 0):
        return f"α of {row.facet} is {value:.2f} ({over}); the threshold is {below:g}."
    if fall is None or value > highest - (fall / 2 if is_open else fall):
        return ""
    if not is_open and (estimate.high is None or estimate.high >= highest):
        return ""  # no interval, or one that holds the highest: the fall may be chance
    return f"α of {row.facet} has fallen from {highest:.2f} to {value:.2f} ({over})."
