"""A table for Markdown, with the numbers as the page says them."""

import re
from collections.abc import Iterator

from results.tables.cells import UNPRINTED, markdown_row, marked
from results.tables.grids import Cell, Grid, GridLine
from results.tables.origin import Origin

END = re.compile(r"--!?>|<!--")


def as_markdown(grid: Grid, origin: Origin) -> str:
    """A pipe table, which GitHub and pandoc read, with its caption below. Comments say where it
    comes from."""
    heads = [grid.corner, *grid.heads, *grid.counts]
    return "\n".join(
        [
            *(f"<!-- {END.sub(' ', UNPRINTED.sub(' ', line))} -->" for line in origin.lines),
            "",
            markdown_row(map(marked, heads)),
            markdown_row([":---", *["---:"] * (len(heads) - 1)]),
            *(markdown_row(_cells(grid, line)) for line in grid.lines),
            "",
            f"Table: {marked(grid.title)} {{#tbl:{origin.label}}}",
            "",
        ]
    )


def _cells(grid: Grid, line: GridLine) -> Iterator[str]:
    note = ", ".join(filter(None, ["simulated" if line.simulated else "", line.note]))
    yield marked(f"{line.title} ({note})" if note else line.title)
    if line.missing_reason:
        yield from [f"*{marked(line.missing_reason)}*", *[""] * (len(grid.heads) - 1)]
    else:
        yield from map(_cell, line.cells)
    if grid.counted:
        yield from ("" if count is None else str(count) for count in (line.units, line.ratings))


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "–"
    if cell.undefined:
        return f"*{marked(cell.undefined)}*"
    sd = f"± {cell.sd}" if cell.sd else ""
    interval = f"[{cell.interval}]" if cell.interval else ""
    n = f"({cell.n})" if cell.n else ""
    return marked(" ".join(filter(None, [cell.value, sd, interval, n])))
