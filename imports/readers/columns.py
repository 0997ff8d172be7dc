"""How wide a table may be, whatever its kind."""

from imports.errors import ImportFailure

# Published tables have some hundreds. A cell is a text in memory, in each of a million rows.
MOST_COLUMNS = 2000


def refuse_many_columns(where: str, number: int) -> None:
    """ImportFailure for a table that is too wide."""
    if number > MOST_COLUMNS:
        raise ImportFailure(where, "columns", f"more than {MOST_COLUMNS:,}: too many to be read")
