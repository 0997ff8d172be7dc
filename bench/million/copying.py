"""Rows of a table as text, sent by COPY: what all of them share is written once."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

CHUNK = 5_000
ESCAPED = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def copy(model: Any, shared: Mapping[str, Any], names: tuple[str, ...], rows: Iterable[Any]) -> int:
    """Store rows; how many. shared: fields that are alike in all of them. names: the columns that
    `rows` gives, in the order of the model's fields, as numbers or as text without special
    characters."""
    from django.db import connection

    columns, line = _line(model, shared, names)
    into = ", ".join(f'"{column}"' for column in columns)
    n, following = 0, iter(rows)
    with (
        connection.cursor() as cursor,
        cursor.copy(f'COPY "{model._meta.db_table}" ({into}) FROM STDIN') as sent,
    ):
        while chunk := list(islice(following, CHUNK)):
            sent.write("".join(line % row for row in chunk))
            n += len(chunk)
    return n


def _line(model: Any, shared: Mapping[str, Any], names: tuple[str, ...]) -> tuple[list[str], str]:
    """The columns, and a line with a gap for each of those that differ."""
    columns = dict(_columns(model(**shared), names))
    gaps = tuple(column for column in columns if column in names)
    assert gaps == names, f"{model.__name__}: {gaps}"
    return list(columns), "\t".join(columns.values()) + "\n"


def _columns(row: Any, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    from django.db.models import GeneratedField
    from django.db.models.expressions import DatabaseDefault

    fields = [each for each in row._meta.concrete_fields if not isinstance(each, GeneratedField)]
    for field in fields:
        if field.attname in names:
            yield field.column, "%s"
            continue
        auto = getattr(field, "auto_now_add", False)
        value = field.pre_save(row, add=True) if auto else getattr(row, field.attname)
        if not isinstance(value, DatabaseDefault):
            yield field.column, _text(value).replace("%", "%%")


def _text(value: Any) -> str:
    if value is None:
        return "\\N"
    if isinstance(value, bool):
        return "tf"[not value]
    if isinstance(value, datetime):
        return value.isoformat()
    return as_json(value) if isinstance(value, dict | list) else str(value).translate(ESCAPED)


def as_json(value: Any) -> str:
    """JSON in a column of text that COPY reads."""
    return json.dumps(value).translate(ESCAPED)
