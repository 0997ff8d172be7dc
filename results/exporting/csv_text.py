"""CSV that a spreadsheet shows and never runs."""

import csv
import io
from collections.abc import Iterable

# A cell that begins so may be taken for a formula. Ours are texts from outside.
RISKY = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_line(cells: Iterable[object]) -> str:
    """One line. Numbers stay numbers; a text that looks like a formula gets an apostrophe."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([_harmless(cell) for cell in cells])
    return line.getvalue()


def _harmless(cell: object) -> object:
    if isinstance(cell, str) and cell.startswith(RISKY):
        return f"'{cell}"
    return "" if cell is None else cell
