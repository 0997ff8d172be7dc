"""A database of SQLite in a backup: its file, as it is at one moment."""

import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import connection

MEMBER = "database.sqlite3"


def put_database(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Copy the database into the archive, while others go on writing; what the manifest says of it.

    The copy is made in one step, under one snapshot of the log that SQLite writes ahead.
    """
    file = database_file()
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup.") as folder:
        copied = Path(folder) / MEMBER
        here = closing(sqlite3.connect(file, timeout=60))
        with here as database, closing(sqlite3.connect(copied)) as copy:
            database.backup(copy)
        with closing(sqlite3.connect(copied)) as copy:
            # One file, which needs no log beside it.
            copy.execute("PRAGMA journal_mode=DELETE")
            rows = _rows(copy)
        archive.write(copied, MEMBER)
    return {"rows": rows}


@contextmanager
def restored_database(archive: zipfile.ZipFile, rows: dict[str, int]) -> Iterator[None]:
    """Put the database of a backup in the place of an empty one, when the block has ended well."""
    file = database_file()
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".restoring.") as folder:
        copied = Path(folder) / MEMBER
        copied.touch(mode=0o600)
        with archive.open(MEMBER) as read, copied.open("wb") as written:
            shutil.copyfileobj(read, written, 1 << 20)
        with closing(sqlite3.connect(copied)) as copy:
            if _rows(copy) != rows or copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
                raise CommandError("The database in the backup is not what was written.")
        yield
        connection.close()
        refuse_others()
        for suffix in ("-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
        copied.replace(file)


def refuse_others() -> None:
    """CommandError where another process has the database open: it would go on with the old one."""
    file = database_file()
    if not file.exists():
        return
    try:
        with closing(sqlite3.connect(file, timeout=0)) as own:
            # SQLite gives its log up only for the one who is alone with the file.
            own.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError:
        raise CommandError(f"{file} is in use. Stop the program first.") from None


def database_file() -> Path:
    """Where the database lies."""
    return Path(str(connection.settings_dict["NAME"]))


def _rows(database: sqlite3.Connection) -> dict[str, int]:
    """The number of rows by table, but those of a full-text search, which SQLite keeps itself."""
    names = database.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        " AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ).fetchall()
    counts = (database.execute(f'SELECT count(*) FROM "{name}"').fetchone() for (name,) in names)  # noqa: S608 (names of tables)
    return {name: count for (name,), (count,) in zip(names, counts, strict=True)}
