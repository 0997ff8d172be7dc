"""A wheel beside older or newer data: migrated with a copy, or refused in one sentence."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
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


def make_former(file: Path) -> None:
    """A database as the former chain of migrations left it."""
    with closing(sqlite3.connect(file)) as made:
        made.executescript(
            "PRAGMA journal_mode=WAL;"
            "CREATE TABLE django_migrations (id INTEGER PRIMARY KEY, app, name, applied);"
            "INSERT INTO django_migrations (app, name) VALUES ('annotation', '0030_withdrawn');"
        )


def run_command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "JURYBOX_DATA": str(folder)}
    for name in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE"):  # those of the suite
        environment.pop(name, None)
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False
    )


def test_a_database_of_the_former_chain_is_refused_in_a_sentence(tmp_path: Path) -> None:
    make_former(tmp_path / "jurybox.sqlite3")
    refused = run_command(tmp_path, "migrate")
    assert refused.returncode == 1
    for part in ("jurybox.sqlite3", "export STUDY --format jsonl", "no accounts, pay or drafts"):
        assert part in refused.stderr
    with closing(sqlite3.connect(tmp_path / "jurybox.sqlite3")) as kept:
        assert kept.execute("SELECT count(*) FROM django_migrations").fetchone() == (1,)


def test_an_old_demonstration_is_moved_aside_with_its_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "jurybox.sqlite3"
    make_former(file)
    file.with_name("jurybox.sqlite3-wal").touch()
    monkeypatch.setitem(connection.settings_dict, "NAME", str(file))
    monkeypatch.setattr(connection, "close", lambda: None)
    assert database._move_aside() == tmp_path / "jurybox.sqlite3.old-1"
    assert {path.name for path in tmp_path.iterdir()} == {
        "jurybox.sqlite3.old-1",
        "jurybox.sqlite3.old-1-wal",
    }


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
