"""How wide a table may be, whatever its kind, and how its columns are called."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from files.errors import ImportFailure

# Published tables have some hundreds. A cell is a text in memory, in each of a million rows.
MOST_COLUMNS = 2000
NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?%?")
MISSING = {"", "-", "–", "na", "n/a", "nan", "none", "null", "missing"}
_LONGEST_NAME = 100


class Line(NamedTuple):
    """A row as it lies; its cells are all empty where it is blank. is_stray: whether quotation
    marks in it enclose nothing."""

    sheet: str
    where: str
    cells: list[str]
    is_stray: bool = False


def refuse_many_columns(where: str, number: int) -> None:
    """ImportFailure for a table that is too wide."""
    if number > MOST_COLUMNS:
        raise ImportFailure(where, "columns", f"more than {MOST_COLUMNS:,}: too many to be read")


def distinct(names: Sequence[str]) -> list[str]:
    """The names, with a number behind each that is there already."""
    taken, found = set(names), []
    met: Counter[str] = Counter()
    for name in names:
        met[name] += 1
        new = name
        while met[name] > 1 and new in taken:
            new = f"{name} ({met[name]})"
            met[name] += new in taken
        taken.add(new)
        found.append(new)
    return found


def without_end(cells: list[str], width: int) -> list[str]:
    """The cells of a row without empty ones at its end, beyond so many."""
    end = len(cells)
    while end > width and not cells[end - 1]:
        end -= 1
    return cells[:end]


def are_distinct(cells: Sequence[str]) -> bool:
    """Whether no two are the same."""
    return len(set(cells)) == len(cells)


def are_numbers(column: Iterable[str]) -> bool:
    """Whether a column holds several numbers and nothing else."""
    filled = [cell for cell in column if cell.lower() not in MISSING]
    return len(filled) > 1 and all(map(NUMBER.fullmatch, filled))


def may_be_name(cell: str) -> bool:
    """Whether a cell may name a column."""
    return len(cell) <= _LONGEST_NAME and not NUMBER.fullmatch(cell) and cell.lower() not in MISSING
