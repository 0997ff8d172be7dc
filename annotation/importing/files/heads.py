"""The beginning of a table of items: its form, the names of its columns, its first rows."""

from itertools import islice
from pathlib import Path

from annotation.importing.files.detection import TableForm, detected_form
from annotation.importing.files.item_rows import item_column_names, item_rows


def form_and_names(path: Path, *, head_alone: bool = False) -> tuple[TableForm, tuple[str, ...]]:
    """The form of a table and the names of its columns; else as `detected_form`."""
    form = detected_form(path, head_alone=head_alone)
    return form, item_column_names(path, form)


def first_rows(
    path: Path, number: int, *, encoding: str = "", delimiter: str = ""
) -> tuple[tuple[str, ...], list[list[str]]]:
    """The names of the columns, and the cells of the first rows; else as `detected_form`."""
    form = detected_form(path, encoding=encoding, delimiter=delimiter, head_alone=True)
    names = item_column_names(path, form)
    rows = islice(item_rows(path, form), number)
    return names, [[row.cells[name] for name in names] for row in rows]


def has_more_rows(path: Path, number: int) -> bool:
    """Whether a table has more rows than that."""
    rows = item_rows(path, detected_form(path))
    return sum(1 for _ in islice(rows, number + 1)) > number
