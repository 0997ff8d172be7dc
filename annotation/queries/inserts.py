"""Many rows at once, as the database driver takes them.

Making an object of a model and letting Django write its SQL takes ten times what the database
takes to store the row.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import connection, models, transaction

Row = tuple[Any, ...]


@transaction.atomic(savepoint=False)
def insert_rows(
    model: type[models.Model], names: Sequence[str], rows: Sequence[Row]
) -> Sequence[int]:
    """Insert rows of these columns (attribute names, without the primary key) and return their
    new ids, in order. Columns that are not named must be null or have a default of the database.

    Values are as the driver takes them: JSON by `json_text`, moments by `moment_value`.
    """
    if not rows:
        return ()
    ids = _new_ids(model, len(rows))
    by_name = {field.attname: str(field.column) for field in model._meta.concrete_fields}
    columns = [str(model._meta.pk.column), *(by_name[name] for name in names)]
    numbered = [(pk, *row) for pk, row in zip(ids, rows, strict=True)]
    write = _copy if connection.vendor == "postgresql" else _execute_many
    write(model._meta.db_table, columns, numbered)
    return ids


def json_text(value: Any) -> str:
    """A value of a JSON column."""
    return json.dumps(value)


def moment_value(moment: datetime) -> Any:
    """A value of a column of moments."""
    return connection.ops.adapt_datetimefield_value(moment)


def _new_ids(model: type[models.Model], count: int) -> Sequence[int]:
    """Ids that nobody else gets: from the sequence; on SQLite nobody else writes meanwhile."""
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
                [table, column, count],
            )
            return [pk for (pk,) in cursor.fetchall()]
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        (last,) = cursor.fetchone() or (0,)
        return range(last + 1, last + 1 + count)


def _execute_many(table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    places = ", ".join(["%s"] * len(columns))
    with connection.cursor() as cursor:
        sql = f"INSERT INTO {_named(table, columns)} VALUES ({places})"  # noqa: S608 (our names)
        cursor.executemany(sql, rows)


def _copy(table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    with (
        connection.wrap_database_errors,  # which Django does for `execute` alone
        connection.cursor() as cursor,
        cursor.copy(f"COPY {_named(table, columns)} FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)


def _named(table: str, columns: Sequence[str]) -> str:
    quote = connection.ops.quote_name
    return f"{quote(table)} ({', '.join(map(quote, columns))})"
