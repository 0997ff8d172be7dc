"""A wheel beside older or newer data: migrated with a copy, or refused in one sentence."""

import sqlite3
from pathlib import Path

import pytest
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from desk.installation import database
from desk.installation.database import newer_than_program, prepare_database
from jurybox import __version__

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def version_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    file = tmp_path / "program-version"
    monkeypatch.setattr(database, "version_file", lambda: file)
    return file


def test_a_database_of_this_version_is_left_as_it_is(version_file: Path) -> None:
    lines: list[str] = []
    prepare_database(say=lines.append)
    assert lines == []
    assert version_file.read_text() == __version__


def test_a_database_of_a_newer_version_is_refused_by_name(version_file: Path) -> None:
    MigrationRecorder(connection).record_applied("annotation", "9999_from_tomorrow")
    version_file.write_text("7.0.0")
    with pytest.raises(CommandError, match=r"newer version of Jurybox, last by 7\.0\.0; this is"):
        prepare_database(say=print)
    assert version_file.read_text() == "7.0.0"


def test_migrations_of_other_apps_do_not_make_a_database_newer() -> None:
    MigrationRecorder(connection).record_applied("somebody", "9999_else")
    assert newer_than_program() == ""


def test_an_older_sqlite_file_is_copied_with_what_is_in_its_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("of SQLite alone")
    file = tmp_path / "jurybox.sqlite3"
    source = sqlite3.connect(file)
    source.executescript(
        "PRAGMA journal_mode=WAL; CREATE TABLE kept (n); INSERT INTO kept VALUES (7)"
    )
    source.commit()
    monkeypatch.setitem(connection.settings_dict, "NAME", str(file))
    monkeypatch.setattr(database, "pending_migrations", lambda: ["annotation.0002_rounds"])
    copy = database._keep_copy()
    source.close()
    assert copy is not None
    assert copy.stat().st_mode & 0o077 == 0
    with sqlite3.connect(copy) as kept:
        assert kept.execute("SELECT n FROM kept").fetchall() == [(7,)]
