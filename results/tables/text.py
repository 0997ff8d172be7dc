"""A report as plain text, for a terminal: its rows, and tables that have a form of their own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from estimates.catalogue import Table, metric
from estimates.data.parties import SIMULATED
from estimates.data.published import AGGREGATION
from estimates.data.rows import OF_SYSTEMS, SUMMARY, Row
from estimates.report.cache import Report
from estimates.report.live import as_shown
from estimates.report.selection import selection
from estimates.report.stopping import stop_text
from results.reading.cautions import cautions, intervals_text, standing_text
from results.reading.quality import concerns
from results.tables.cells import aligned, interval_text, value_text
from results.tables.detection import detection_tables
from results.tables.grids import Cell, Grid

HEAD = ("metric", "raters", "group", "value", "95 % interval", "sd", "units", "ratings")

LEVELS = (SUMMARY, OF_SYSTEMS)
NOTHING = "–"
FORMS: Mapping[str, Callable[[Report], Iterator[Grid]]] = {Table.DETECTION: detection_tables}


def as_text(report: Report, tables: Sequence[str] | None = None) -> str:
    """The report, or these of its tables; empty where these have nothing to show."""
    formed = [name for name in tables or () if name in FORMS]
    texts = [grid_text(grid) for name in formed for grid in FORMS[name](report)]
    others = [name for name in tables or () if name not in FORMS]
    if others or not formed:
        rest = selection(report, tables=others) if others else report
        texts.append(_rows_text(rest))
    return "\n\n".join(texts)


def grid_text(grid: Grid) -> str:
    """Its title, the table, and below it why cells have no number."""
    reasons: dict[str, int] = {}
    rows = [
        [line.title, *(_cell_text(cell, reasons) for cell in line.cells)] for line in grid.lines
    ]
    return "\n".join(
        [grid.title, *aligned([[grid.corner, *grid.heads], *rows]), *_reasons_text(reasons)]
    )


def _cell_text(cell: Cell | None, reasons: dict[str, int]) -> str:
    """The number with its interval and size, or the number of the reason why there is none."""
    if cell is None:
        return ""
    if cell.undefined:
        return f"{NOTHING} [{reasons.setdefault(cell.undefined, len(reasons) + 1)}]"
    interval = f"({cell.interval})" if cell.interval else ""
    return " ".join(filter(None, [cell.value, interval, cell.n]))


def _reasons_text(reasons: dict[str, int]) -> Iterator[str]:
    for reason, number in reasons.items():
        yield f"[{number}] {reason}"


def _rows_text(report: Report) -> str:
    """One table per facet; an estimate without a value has its reason."""
    report = as_shown(report)
    return "\n".join([*_head(report), *_tables(report)])


def _head(report: Report) -> Iterator[str]:
    study = report.study
    yield f"{study.title} ({study.slug}), answers as of revision {report.revision}"
    if study.caution:
        yield study.caution
    if any(SIMULATED in row.raters.split("~") for row in report.rows):
        yield "“simulated” are raters played by a program. They never count as humans."
    if any(row.aggregation == AGGREGATION for row in report.rows):
        yield "These figures were published by others. The answers behind them are not available."
    if said := intervals_text(report.options):
        yield said
    yield from map(stop_text, study.stops)
    if said := standing_text(report.standing):
        yield said
    yield from concerns(report)
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
