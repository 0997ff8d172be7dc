"""An installation of a test's own: a folder of data and perhaps a database of PostgreSQL."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import environ
import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connections
from django.db.utils import ConnectionHandler
from django.test import override_settings
from pytest_django import DjangoDbBlocker

KEY = "k" * 50
AS_IN_THE_SETTINGS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON;",
}


@dataclass
class Installation:
    """folder: of its data. url: of its database, empty for SQLite in the folder."""

    folder: Path
    blocker: DjangoDbBlocker
    url: str = ""
    key: str = KEY

    def run(self, *arguments: str) -> str:
        """What a command prints that runs there, in this process."""
        out = StringIO()
        with self.entered():
            call_command(*arguments, stdout=out)
        return out.getvalue()

    def refused(self, *arguments: str) -> str:
        """The sentence by which a command is refused there."""
        with pytest.raises(CommandError) as reason:
            self.run(*arguments)
        return str(reason.value)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Take its folder, key and database for this process's own."""
        self.folder.mkdir(exist_ok=True)
        own = override_settings(
            DATA_DIR=self.folder,
            MEDIA_ROOT=self.folder / "media",
            EXPORTS_ROOT=self.folder / "exports",
            SECRET_KEY=self.key,
        )
        here = connections["default"]
        with self.blocker.unblock(), own:
            there = ConnectionHandler({"default": self._database()})["default"]
            connections["default"] = there
            try:
                yield
            finally:
                there.close()
                connections["default"] = here

    def _database(self) -> dict[str, Any]:
        if self.url:
            return dict(environ.Env.db_url_config(self.url))
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(self.folder / "jurybox.sqlite3"),
            "OPTIONS": AS_IN_THE_SETTINGS,
        }

    def open(self) -> Any:
        """A connection to its database, which is closed at the end of a `with`."""
        if self.url:
            return closing(psycopg.connect(self.url, autocommit=True))
        return closing(
            sqlite3.connect(self.folder / "jurybox.sqlite3", timeout=20, isolation_level=None)
        )

    def rows(self) -> dict[str, list[str]]:
        """Every row of every table, in a fixed order."""
        tables = (
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
            if self.url
            else "SELECT name FROM sqlite_master WHERE type = 'table'"
        )
        with self.open() as database:
            names = [name for (name,) in database.execute(tables).fetchall()]
            found = {}
            for name in names:
                rows = database.execute(f'SELECT * FROM "{name}"').fetchall()
                found[name] = sorted(map(repr, rows))
        return found
