"""The beginning of a table of items: its form and the names of its columns."""

from pathlib import Path

from files.readers.detection import TableForm, detected_form
from files.readers.item_rows import item_column_names


def form_and_names(path: Path) -> tuple[TableForm, tuple[str, ...]]:
    """The form of a table and the names of its columns; else as `detected_form`."""
    form = detected_form(path)
    return form, item_column_names(path, form)
