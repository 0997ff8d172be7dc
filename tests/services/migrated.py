"""The migrated database: the first process of the suite that needs one makes it, others copy it.

To migrate takes 7 s of a processor, and each process of pytest-xdist would do so.
"""

import fcntl
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection


class MigratedDatabase:
    """On SQLite a file, on PostgreSQL a database beside those of the processes.

    folder: one that the processes of this run share.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / "jurybox.sqlite3"
        self._lock = folder / "migrated.lock"
        # What tells the other processes that a PostgreSQL holds it, and its name there.
        self._made = folder / "migrated"
        self._name = f"migrated_{folder.name}"
        self._mine = False

    @contextmanager
    def in_turn(self) -> Iterator[None]:
        """Make the database of this process meanwhile: with it, or so that it can be kept."""
        with self._lock.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self._is_kept():
                self._take()
                yield
            else:
                yield
                self._keep()

    def remove(self) -> None:
        """Drop it, by the process that made it. Whoever comes later migrates."""
        if self._mine and connection.vendor == "postgresql":
            with self._lock.open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._made.unlink()
                self._execute(f"DROP DATABASE {connection.ops.quote_name(self._name)}")

    def _is_kept(self) -> bool:
        return (self.file if connection.vendor == "sqlite" else self._made).exists()

    def _take(self) -> None:
        test = connection.settings_dict["TEST"]
        test["MIGRATE"] = False
        if connection.vendor == "sqlite":
            shutil.copy(self.file, test["NAME"])
        else:
            test["TEMPLATE"] = self._name

    def _keep(self) -> None:
        own = connection.settings_dict["NAME"]
        if own != connection.settings_dict["TEST"]["NAME"]:
            return  # no test that was chosen asks for a database
        self._mine = True
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(own)) as here, closing(sqlite3.connect(self.file)) as kept:
                here.backup(kept)
            return
        connection.close()  # one that is in use cannot be copied
        name = connection.ops.quote_name(self._name)
        self._execute(f"CREATE DATABASE {name} TEMPLATE {connection.ops.quote_name(own)}")
        self._made.touch()

    @staticmethod
    def _execute(statement: str) -> None:
        with connection._nodb_cursor() as cursor:
            cursor.execute(statement)
