"""The beginning of a table of items: its form, the names of its columns, its first rows."""

from itertools import islice
from pathlib import Path

from files.errors import ImportFailure
from files.readers.detection import TableForm, detected_form
from files.readers.item_rows import item_column_names, item_rows


def form_and_names(path: Path, *, head_alone: bool = False) -> tuple[TableForm, tuple[str, ...]]:
    """The form of a table and the names of its columns; else as `detected_form`."""
    form = detected_form(path, head_alone=head_alone)
    return form, item_column_names(path, form)


def first_rows(
    path: Path, number: int, *, encoding: str = "", delimiter: str = ""
) -> tuple[tuple[str, ...], list[list[str]], ImportFailure | None]:
    """The names of the columns, the cells of the first rows, and why there are no more of these;
    else as `detected_form`."""
    form = detected_form(path, encoding=encoding, delimiter=delimiter, head_alone=True)
    names = item_column_names(path, form)
    rows: list[list[str]] = []
    try:
        for row in islice(item_rows(path, form), number):
            rows.append([row.cells[name] for name in names])
    except ImportFailure as failure:
        return names, rows, failure
    return names, rows, None


def has_more_rows(path: Path, number: int) -> bool:
    """Whether a table has more rows than that."""
    rows = item_rows(path, detected_form(path))
    return sum(1 for _ in islice(rows, number + 1)) > number
