"""An upgrade is told beforehand, keeps copies, and leaves nothing half done where it fails."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import DjangoDbBlocker

from annotation.models.changes import log_change
from desk.installation.database import COPIES_KEPT, prepare_database
from desk.installation.health.figures import BACKED_UP
from desk.installation.upgrade import upgrade_findings
from tests.desk.installation.backups.installations import Installation

# Nothing builds on it.
LAST = ("desk", "0003_faults")


def texts() -> str:
    return "\n".join(finding.text for finding in upgrade_findings())


@pytest.mark.django_db
@pytest.mark.both_databases
def test_what_is_due_is_told_with_the_tables_and_a_time() -> None:
    assert "none is due" in texts()
    MigrationRecorder(connection).record_unapplied(*LAST)
    text = texts()
    for words in ("1 migration to version", ".".join(LAST), "at most", "make one first"):
        assert words in text
    log_change(study=None, by=None, action=BACKED_UP)
    assert "there is a backup of the last day" in texts()


@pytest.fixture
def older(
    tmp_path: Path,
    put_migrated_database: Callable[[Path], None],
    django_db_blocker: DjangoDbBlocker,
) -> Installation:
    """An SQLite database in which a migration is due that fails: the table that it makes is
    there."""
    put_migrated_database(tmp_path)
    with closing(sqlite3.connect(tmp_path / "jurybox.sqlite3")) as database:
        database.execute("DELETE FROM django_migrations WHERE app = ? AND name = ?", LAST)
        database.commit()
    return Installation(tmp_path, django_db_blocker)


def copies(folder: Path) -> list[Path]:
    return sorted(folder.glob("jurybox.before-*.sqlite3"))


def test_where_a_migration_fails_the_database_is_as_it_was(older: Installation) -> None:
    before = older.rows()
    with older.entered(), pytest.raises(CommandError, match="It is as it was before"):
        prepare_database(say=print)
    assert older.rows() == before
    assert len(copies(older.folder)) == 1


@pytest.mark.django_db
@pytest.mark.both_databases
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite's file is put back")
def test_where_a_migration_fails_postgresql_takes_all_of_it_back() -> None:
    """The table that it makes is there; its first steps are done before that."""
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied(*LAST)
    before = connection.introspection.table_names(), set(recorder.applied_migrations())
    with pytest.raises(CommandError, match="already exists"):
        prepare_database(say=print)
    assert (connection.introspection.table_names(), set(recorder.applied_migrations())) == before


def test_the_newest_copies_stay_and_older_ones_go(
    tmp_path: Path,
    put_migrated_database: Callable[[Path], None],
    django_db_blocker: DjangoDbBlocker,
) -> None:
    put_migrated_database(tmp_path)
    for number in range(COPIES_KEPT + 2):
        old = tmp_path / f"jurybox.before-0.{number}-1.sqlite3"
        old.touch()
        os.utime(old, (number, number))
    here = Installation(tmp_path, django_db_blocker)
    with here.entered():
        prepare_database(say=print)
    assert [copy.name for copy in copies(tmp_path)] == [
        f"jurybox.before-0.{number}-1.sqlite3" for number in range(2, COPIES_KEPT + 2)
    ]
