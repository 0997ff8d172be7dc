"""A report as plain text, for a terminal: its rows, and tables that have a form of their own."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from estimates.catalogue import Table
from estimates.report import text as rows_text
from estimates.report.cache import Report
from estimates.report.selection import selection
from estimates.report.text import aligned
from results.tables.detection import detection_tables
from results.tables.grids import Cell, Grid

NOTHING = "–"
FORMS: Mapping[str, Callable[[Report], Iterator[Grid]]] = {Table.DETECTION: detection_tables}


def as_text(report: Report, tables: Sequence[str] | None = None) -> str:
    """The report, or these of its tables; empty where these have nothing to show."""
    formed = [name for name in tables or () if name in FORMS]
    texts = [grid_text(grid) for name in formed for grid in FORMS[name](report)]
    others = [name for name in tables or () if name not in FORMS]
    if others or not formed:
        rest = selection(report, tables=others) if others else report
        texts.append(rows_text.as_text(rest))
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
