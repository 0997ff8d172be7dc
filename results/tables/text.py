"""A table as plain text, for a terminal."""

from collections.abc import Iterator

from results.report.text import aligned
from results.tables.grids import Cell, Grid

NOTHING = "–"


def as_text(grid: Grid) -> str:
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
