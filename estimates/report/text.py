"""A report as plain text, for a terminal."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from agreement import Estimate
from estimates.catalogue import Table, metric
from estimates.data.parties import SIMULATED
from estimates.data.published import AGGREGATION
from estimates.data.rows import OF_SYSTEMS, SUMMARY, Row
from estimates.report.cache import Report
from estimates.report.cautions import cautions, intervals_text
from estimates.report.live import as_shown
from estimates.report.stopping import stop_text

LIVE_NOTE = (
    "The study is open: headline numbers have intervals that hold at every look, wider than those "
    "of a closed study."
)
HEAD = ("metric", "raters", "group", "value", "95 % interval", "sd", "units", "ratings")

LEVELS = (SUMMARY, OF_SYSTEMS)


def as_text(report: Report) -> str:
    """One table per facet; an estimate without a value has its reason."""
    report = as_shown(report)
    return "\n".join([*_head(report), *_tables(report)])


def _head(report: Report) -> Iterator[str]:
    study = report.study
    yield f"{study.title} ({study.slug}), answers as of revision {report.revision}"
    if study.caution:
        yield study.caution
    if any(SIMULATED in row.raters.split("~") for row in report.rows):
        yield "“simulated” are raters that a program plays. They never count as humans."
    if any(row.aggregation == AGGREGATION for row in report.rows):
        yield "These figures were published by others. The answers behind them are not here."
    if said := intervals_text(report.options):
        yield said
    yield from map(stop_text, study.stops)
    if report.live:
        yield LIVE_NOTE
    yield from cautions(report.rows)


def _tables(report: Report) -> Iterator[str]:
    for facet, rows in groupby(report.rows, key=lambda row: row.facet):
        confidence = f"{report.options.confidence:.0%}".replace("%", " %")
        head = tuple(name.replace("95 %", confidence) for name in HEAD)
        yield ""
        yield facet
        yield from aligned([head, *(_cells(row) for row in rows)])


def _cells(row: Row) -> tuple[str, ...]:
    estimate = row.estimate
    how = ", ".join(filter(None, [row.consensus, _level(row)]))
    name = f"{row.metric} ({how})" if how else row.metric
    group = ", ".join(f"{key}={name}" for key, name in row.group.items())
    return (
        name,
        row.raters,
        group,
        *(value_text(estimate), interval_text(estimate)),
        "" if estimate.sd is None else f"{estimate.sd:.4f}",
        "" if estimate.n_units is None else str(estimate.n_units),
        "" if estimate.n_ratings is None else str(estimate.n_ratings),
    )


def _level(row: Row) -> str:
    """The level of a correlation; empty at that of single texts, and of all else."""
    is_correlation = Table.CORRELATION in metric(row.metric).tables
    return row.aggregation if is_correlation and row.aggregation in LEVELS else ""


def value_text(estimate: Estimate) -> str:
    """The value, or why there is none."""
    return f"{estimate.value:.4f}" if estimate.value is not None else f"– {estimate.undefined}"


def interval_text(estimate: Estimate) -> str:
    """The interval, empty where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{estimate.low:.4f} … {estimate.high:.4f}"


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows as lines in which columns stand below each other."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
