"""How wide a table may be, whatever its kind, and how its columns are called."""

from collections import Counter
from collections.abc import Sequence

from files.errors import ImportFailure

# Published tables have some hundreds. A cell is a text in memory, in each of a million rows.
MOST_COLUMNS = 2000


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
