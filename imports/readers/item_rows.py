"""Rows of tables, whatever the file's form: text, JSON by line, workbook or Parquet."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from imports.errors import ImportFailure, RecordPlace
from imports.readers.columns import refuse_many_columns
from imports.readers.detection import TableForm
from imports.readers.headings import refuse_unreadable
from imports.readers.json_values import json_value
from imports.readers.parquet import parquet_columns, parquet_rows
from imports.readers.streams import RawLine, Watch, lines, unwatched
from imports.readers.tables import TableRow, column_names, table_rows

# Lines of JSON that are looked at for the names of columns.
_NAMING = 1000


def item_column_names(path: Path, form: TableForm) -> tuple[str, ...]:
    """The names of the columns."""
    if form.kind == "lines":
        return _names_in_lines(path)
    if form.kind == "parquet":
        return parquet_columns(path)
    return column_names(path, form=form)


def item_rows(path: Path, form: TableForm, watch: Watch = unwatched) -> Iterator[TableRow]:
    """Every row that is not blank."""
    if form.kind == "lines":
        names = _names_in_lines(path)
        for line in lines(path, watch):
            yield _JsonRow(line.where, names, [], _line=line)
    elif form.kind == "parquet":
        yield from _parquet_rows(path)
        watch(path.stat().st_size)
    else:
        yield from table_rows(path, watch, form=form)


class _JsonRow(TableRow):
    """A row that is one JSON object; it is read where somebody asks for its cells."""

    def __init__(
        self, where: RecordPlace, names: tuple[str, ...], texts: list[str], *, _line: RawLine
    ) -> None:
        super().__init__(where, names, texts)
        object.__setattr__(self, "_line", _line)

    @property
    def cells(self) -> dict[str, str]:
        if not self._cells:
            line: RawLine = self.__dict__["_line"]
            values = _members(line)
            cells = {name: _text(values.get(name)) for name in self.names}
            refuse_unreadable(self.where, list(cells.values()))
            self._cells.update(cells)
        return self._cells


def _members(line: RawLine) -> dict[str, Any]:
    try:
        values = json_value(line.text.rstrip(), object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise ImportFailure(line.where, "JSON", f"{error.msg} at column {error.colno}") from error
    except ValueError as error:
        raise ImportFailure(line.where, "JSON", str(error)) from error
    if not isinstance(values, dict):
        raise ImportFailure(line.where, "JSON", "not an object")
    return values


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise ValueError(f"{counts.most_common(1)[0][0]!r} is given twice")
    return values


def _names_in_lines(path: Path) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for line in islice(lines(path), _NAMING):
        try:
            names |= dict.fromkeys(_members(line))
        except ImportFailure:
            continue  # told where its row is read
        refuse_many_columns(line.where, len(names))
    return tuple(names)


def _text(value: Any) -> str:
    """A value as the text of a cell; lists and objects as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (bool, list, dict)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _parquet_rows(path: Path) -> Iterator[TableRow]:
    names = parquet_columns(path)
    for number, values in enumerate(parquet_rows(path), start=1):
        texts = [_text(value) for value in values]
        if any(texts):
            place = RecordPlace(f"{path} (row {number})", file=path, raw=texts)
            yield TableRow(place, names, texts)
