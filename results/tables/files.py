"""A table of a page as CSV, with every digit."""

import csv
import io

from agreement import Estimate
from imports.sheets.formulas import harmless
from results.tables.grids import Cell, Grid, GridLine
from results.tables.origin import Origin

# What a figure is given with in CSV, where some cell of its column has it.
PARTS = {
    "sd": "sd", "low": "lower bound", "high": "upper bound", "n_units": "n",
    "n_ratings": "ratings", "interval_method": "interval", "undefined": "why undefined",
}  # fmt: skip
WHOLE = ("n_units", "n_ratings")


def as_csv(grid: Grid, origin: Origin) -> str:
    """One line per line of the table; a figure's bounds, counts and reasons beside it, and in the
    last columns where it comes from: a line before the head would be taken for the head. A text
    that a spreadsheet would take for a formula is preceded by an apostrophe."""
    columns = [[line.cells[at] for line in grid.lines] for at in range(len(grid.heads))]
    parts = [_parts_of(cells) for cells in columns]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = [
        name
        for head, shown in zip(grid.heads, parts, strict=True)
        for name in (head, *(f"{head}: {PARTS[part]}" for part in shown))
    ]
    counts = [head.lower() for head in grid.counts]
    about = [harmless(text) for text in origin.cells.values()]
    heads = [grid.corner, "note", *heads, *counts, *origin.cells]
    writer.writerow([harmless(head) for head in heads])
    for line in grid.lines:
        writer.writerow([*_csv_line(grid, line, parts), *about])
    return out.getvalue()


def _parts_of(cells: list[Cell | None]) -> list[str]:
    estimates = [cell.exact for cell in cells if cell is not None and cell.exact is not None]
    return [
        name for name in PARTS if any(getattr(estimate, name) is not None for estimate in estimates)
    ]


def _csv_line(grid: Grid, line: GridLine, parts: list[list[str]]) -> list[object]:
    note = ", ".join(filter(None, ["simulated" if line.simulated else "", line.note]))
    row: list[object] = [harmless(line.title), harmless(note)]
    for cell, shown in zip(line.cells, parts, strict=True):
        row += _csv_cell(cell, shown)
    if grid.counted:
        row += ["" if count is None else count for count in (line.units, line.ratings)]
    return row


def _csv_cell(cell: Cell | None, parts: list[str]) -> list[object]:
    if cell is None:
        return [""] * (1 + len(parts))
    if cell.exact is None:
        return [harmless(cell.value or cell.undefined), *[""] * len(parts)]
    return [_digits(cell.exact, name) for name in ("value", *parts)]


def _digits(estimate: Estimate, part: str) -> str:
    value = getattr(estimate, part)
    if value is None:
        return ""
    if isinstance(value, str):
        return harmless(value)
    return str(int(value)) if part in WHOLE else repr(float(value))
