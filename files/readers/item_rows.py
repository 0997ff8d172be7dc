"""Rows of tables, whatever the file's form: text, JSON, workbook or Parquet."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from files.errors import ImportFailure
from files.readers.columns import refuse_many_columns
from files.readers.detection import TableForm
from files.readers.json_tables import VALUE, Keyed, document_tables, line_records
from files.readers.objects import ObjectRecord, row_records
from files.readers.parquet import parquet_columns
from files.readers.streams import Watch, unwatched
from files.readers.tables import TableRow, UnreadRow, column_names, table_rows
from files.readers.unfolding import text_of

# Records of JSON that are looked at for the names of columns.
_NAMING = 1000


def item_column_names(path: Path, form: TableForm) -> tuple[str, ...]:
    """The names of the columns."""
    if form.kind == "parquet":
        return parquet_columns(path)
    if form.kind in ("lines", "json"):
        return _names_in_records(path, form)
    return column_names(path, form=form)


def item_rows(
    path: Path, form: TableForm, watch: Watch = unwatched, sheet: str | None = None
) -> Iterator[TableRow]:
    """Every row that is not blank, of one sheet or all. What is nested in a record is one cell."""
    if form.kind in ("text", "workbook"):
        yield from table_rows(path, watch, form=form, sheet=sheet)
        return
    names = item_column_names(path, form)
    for record in nested_records(path, form, watch):
        try:
            values = _members(record)
        except ImportFailure as failure:
            yield UnreadRow(record.where, names, [], failure=failure)
            continue
        row = TableRow(record.where, names, [text_of(values.get(name)) for name in names])
        if form.kind != "parquet" or any(row.texts):
            yield row


def nested_parts(path: Path, form: TableForm) -> tuple[str, ...]:
    """The members of a document that hold records, where several do; else one without a name."""
    return tuple(document_tables(path)) if form.kind == "json" else ("",)


def nested_records(
    path: Path, form: TableForm, watch: Watch = unwatched, part: str = ""
) -> Iterator[ObjectRecord]:
    """Every record of JSON or of Parquet. part: the member of a document that holds them, where
    several do; ImportFailure where it has to be told and is not."""
    if form.kind == "parquet":
        yield from row_records(path)
        watch(path.stat().st_size)
    elif form.kind == "lines":
        yield from line_records(path, watch)
    else:
        tables = document_tables(path, watch)
        if part not in tables:
            reason = f"holds several tables: {', '.join(tables)}; write each into a file of its own"
            raise ImportFailure(str(path), "JSON", reason)
        yield from tables[part]


def _members(record: ObjectRecord) -> Mapping[str, Any]:
    """The members of a record, with the key under which it stands."""
    values = record.value
    if not isinstance(values, Mapping):
        raise ImportFailure(record.where, "JSON", "not an object")
    inside = values.get(VALUE)
    if not isinstance(values, Keyed) or not isinstance(inside, dict):
        return values
    return {**{name: each for name, each in values.items() if name != VALUE}, **inside}


def _names_in_records(path: Path, form: TableForm) -> tuple[str, ...]:
    names: dict[str, None] = {}
    failures: list[ImportFailure] = []
    for record in islice(nested_records(path, form), _NAMING):
        try:
            names |= dict.fromkeys(_members(record))
        except ImportFailure as failure:
            failures.append(failure)  # told where its row is read, unless no record can be read
        refuse_many_columns(record.where, len(names))
    if failures and not names:
        raise failures[0]
    return tuple(names)
