"""A database of PostgreSQL in a backup: each table as COPY writes it, all in one snapshot."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandError
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from psycopg import sql

PREFIX, SUFFIX = "tables/", ".copy"
# Of advisory locks: any number that nothing else takes.
RESTORING = 7_358_201


def put_database(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Copy every table into the archive, while others go on writing; what the manifest says of it.

    All is read in one transaction that sees the database as it was when it began.
    """
    with transaction.atomic():
        _execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        ((snapshot,),) = _rows("SELECT pg_current_snapshot()::text")
        sequences = dict(
            _rows(
                "SELECT sequencename, coalesce(last_value, 0) FROM pg_sequences"
                " WHERE schemaname = current_schema()"
            )
        )
        columns = {table: _columns(table) for table in _tables()}
        rows = {table: _copy_out(archive, table, columns[table]) for table in columns}
    return {"rows": rows, "columns": columns, "sequences": sequences, "snapshot": snapshot}


def _copy_out(archive: zipfile.ZipFile, table: str, columns: list[str]) -> int:
    statement = sql.SQL("COPY {} ({}) TO STDOUT").format(*_names(table, columns))
    with connection.cursor() as cursor, archive.open(_member(table), "w", force_zip64=True) as file:
        with cursor.copy(statement) as copy:
            for block in copy:
                file.write(block)
        return int(cursor.rowcount)


@contextmanager
def restored_database(archive: zipfile.ZipFile, manifest: Any) -> Iterator[None]:
    """Fill an empty database with a backup's, in one transaction that ends with the block.

    The tables are made anew as they were: by the migrations that the backup's database had. Foreign
    keys are checked at the end, so that the order of tables does not matter.
    """
    with transaction.atomic():
        if _rows("SELECT pg_try_advisory_xact_lock(%s)", [RESTORING]) != [(False,)]:
            _make_tables({(app, name) for app, name in manifest.migrations})
            for table, columns in manifest.columns.items():
                _copy_in(archive, table, columns, manifest.rows[table])
            for name, last in manifest.sequences.items():
                _rows("SELECT setval(%s::regclass, %s, %s)", [f'"{name}"', max(last, 1), last > 0])
            yield
            return
    raise CommandError("Another restore into this database is under way.")


def _make_tables(applied: set[tuple[str, str]]) -> None:
    """Drop the tables of an empty database and make those of a chain of migrations."""
    for table in _tables():
        _execute(sql.SQL("DROP TABLE {} CASCADE").format(sql.Identifier(table)))
    executor = MigrationExecutor(connection)
    leaves = [key for key in applied if not _followed(executor, key, applied)]
    executor.migrate(sorted(leaves))
    for table in _tables():  # what migrations have put in comes with the backup
        _execute(sql.SQL("TRUNCATE {} CASCADE").format(sql.Identifier(table)))


def _followed(
    executor: MigrationExecutor, key: tuple[str, str], applied: set[tuple[str, str]]
) -> bool:
    """Whether another of the migrations of the same app builds on this one."""
    node = executor.loader.graph.node_map[key]
    return any(child.key[0] == key[0] and child.key in applied for child in node.children)


def _copy_in(archive: zipfile.ZipFile, table: str, columns: list[str], rows: int) -> None:
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(*_names(table, columns))
    with connection.cursor() as cursor, archive.open(_member(table)) as file:
        with cursor.copy(statement) as copy:
            while block := file.read(1 << 16):
                copy.write(block)
        if cursor.rowcount != rows:
            raise CommandError(f"The table {table} in the backup is not what was written.")


def _tables() -> list[str]:
    return sorted(connection.introspection.table_names())


def _columns(table: str) -> list[str]:
    """The columns that hold something of their own: none that PostgreSQL computes."""
    return [
        name
        for (name,) in _rows(
            "SELECT column_name FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND table_name = %s"
            " AND is_generated = 'NEVER' ORDER BY ordinal_position",
            [table],
        )
    ]


def _names(table: str, columns: list[str]) -> tuple[sql.Composable, sql.Composable]:
    return sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))


def _member(table: str) -> str:
    return f"{PREFIX}{table}{SUFFIX}"


def _execute(statement: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _rows(statement: str, values: list[Any] | None = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [tuple(row) for row in cursor.fetchall()]
