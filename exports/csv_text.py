"""CSV whose cells a spreadsheet does not take for formulas."""

import csv
from collections.abc import Iterable
from datetime import datetime

from imports.sheets.formulas import harmless


class _Echo:
    """A file that hands back what is written to it: `writerow` then returns the line."""

    def write(self, line: str) -> str:
        return line


# With both ends of a line in mind the writer quotes a cell that holds either.
_writer = csv.writer(_Echo(), lineterminator="\r\n")


def csv_line(cells: Iterable[object]) -> str:
    """One line. Numbers stay numbers; a text that looks like a formula gets an apostrophe."""
    line: str = _writer.writerow([_as_cell(cell) for cell in cells])  # what the echo returns
    return line.removesuffix("\r\n") + "\n"


def _as_cell(cell: object) -> object:
    if isinstance(cell, str):
        return harmless(cell)
    if isinstance(cell, datetime):
        return cell.isoformat(timespec="seconds")
    return "" if cell is None else cell
