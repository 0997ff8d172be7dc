"""A backup put into an empty installation gives the same rows and files, or nothing at all."""

import fcntl
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Never

import psycopg
import pytest
from django.core.management.base import CommandError
from psycopg import sql
from pytest_django import DjangoDbBlocker

from desk.installation.backups import postgres, restoration, sqlite
from desk.installation.backups.postgres import RESTORING
from tests.desk.installation.backups.installations import Installation


def fill(installation: Installation) -> None:
    """Put in a study with its items, and a file."""
    installation.run("apply_study", "examples/ranking/study.yaml")
    file = installation.folder / "media" / "uploads" / "table.csv"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"a,b\r\n1,\xff\n")


@pytest.fixture(scope="module")
def filled(
    tmp_path_factory: pytest.TempPathFactory,
    put_migrated_database: Callable[[Path], None],
    django_db_blocker: DjangoDbBlocker,
) -> Path:
    folder = tmp_path_factory.mktemp("filled")
    put_migrated_database(folder)
    fill(Installation(folder, django_db_blocker))
    return folder


@pytest.fixture
def full(tmp_path: Path, filled: Path, django_db_blocker: DjangoDbBlocker) -> Installation:
    return Installation(shutil.copytree(filled, tmp_path / "here"), django_db_blocker)


@pytest.fixture
def empty(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Installation:
    return Installation(tmp_path / "there", django_db_blocker)


@pytest.fixture
def other_database(postgres_url: str) -> Iterator[str]:
    """The URL of a second, empty database of the same server."""
    name = f"{postgres_url.rpartition('/')[2]}_restored"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield f"{postgres_url.rpartition('/')[0]}/{name}"
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def backup_of(installation: Installation) -> str:
    path = str(installation.folder / "all.zip")
    assert "rows" in installation.run("backup", path)
    return path


def test_rows_and_files_are_the_same(full: Installation, empty: Installation) -> None:
    before = full.rows()
    with full.open() as database:  # a worker, who is not there where it is restored
        database.execute("INSERT INTO jobs_heartbeat (worker, at) VALUES ('one:1', '2031-01-01')")
    path = backup_of(full)
    assert "is whole" in empty.run("restore", "--check", path)
    assert "Restored" in empty.run("restore", path)
    rows = empty.rows()
    assert rows == before
    assert len(rows["annotation_study"]) == 1
    file = empty.folder / "media" / "uploads" / "table.csv"
    assert file.read_bytes() == b"a,b\r\n1,\xff\n"
    assert Path(path).stat().st_mode & 0o777 == 0o600


def write_pairs(installation: Installation, stop: threading.Event, done: list[int]) -> None:
    """Two rows in each transaction, until asked to stop. done: the pairs that were committed."""
    mark = "%s" if installation.url else "?"
    insert = (
        "INSERT INTO django_session (session_key, session_data, expire_date)"
        f" VALUES ({mark}, 'x', '2031-01-01')"
    )
    with installation.open() as database:
        while not stop.is_set():
            number = len(done)
            database.execute("BEGIN" if installation.url else "BEGIN IMMEDIATE")
            for side in "ab":
                database.execute(insert, [f"{number}-{side}"])
            database.execute("COMMIT")
            done.append(number)


def assert_one_moment(here: Installation, there: Installation) -> None:
    """While rows are written two by two, a backup holds whole pairs, all up to a moment."""
    stop, done = threading.Event(), list[int]()
    thread = threading.Thread(target=write_pairs, args=(here, stop, done))
    thread.start()
    before = len(done)
    try:
        path = backup_of(here)
    finally:
        stop.set()
        thread.join()
    there.run("restore", path)
    with there.open() as database:
        keys = [key for (key,) in database.execute("SELECT session_key FROM django_session")]
    assert sorted(keys) == sorted(f"{n}-{side}" for n in range(len(keys) // 2) for side in "ab")
    assert before <= len(keys) // 2 < len(done)


def test_a_backup_is_of_one_moment_while_others_write(
    full: Installation, empty: Installation
) -> None:
    assert_one_moment(full, empty)


def test_on_postgresql_all_of_it_is_the_same(
    postgres_url: str, other_database: str, full: Installation, empty: Installation
) -> None:
    here = replace(full, folder=full.folder.with_name("served"), url=postgres_url)
    there = replace(empty, url=other_database)
    here.run("migrate", "-v0")
    fill(here)
    path = backup_of(here)
    with there.open() as other:  # a restore from another machine, which does not see the folder
        other.execute("SELECT pg_advisory_lock(%s)", [RESTORING])
        assert "Another restore" in there.refused("restore", path)
    Path(path).unlink()
    assert_one_moment(here, there)
    assert "holds studies" in replace(there, folder=full.folder.with_name("new")).refused(
        "restore", str(here.folder / "all.zip")
    )
    # Rows that come later get the numbers that they would have got.
    for installation in (here, there):
        with installation.open() as database:
            database.execute("DELETE FROM django_session")
        installation.run("apply_study", "examples/likert/study.yaml")
    ours, theirs = here.rows(), there.rows()
    assert ours.keys() == theirs.keys()
    for table in ("annotation_unit", "annotation_item", "annotation_source", "django_migrations"):
        assert [row.split(", ")[0] for row in ours[table]] == [
            row.split(", ")[0] for row in theirs[table]
        ]


def test_of_two_restores_at_once_one_is_refused(full: Installation, empty: Installation) -> None:
    path = backup_of(full)
    empty.folder.mkdir()
    with (empty.folder / "restore.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert "Another restore" in empty.refused("restore", path)
    empty.run("restore", path)


def test_no_backup_is_put_where_it_would_hold_itself(full: Installation) -> None:
    file = full.folder / "media" / "new" / "all.zip"
    assert "which a backup holds" in full.refused("backup", str(file))
    assert not file.parent.exists()


def damaged(path: str, change: Callable[[bytes], bytes]) -> str:
    other = Path(path).with_name("damaged.zip")
    other.write_bytes(change(Path(path).read_bytes()))
    return str(other)


def test_what_does_not_fit_is_refused_and_nothing_is_half_done(
    full: Installation, empty: Installation, tmp_path: Path
) -> None:
    path = backup_of(full)
    assert "No such file" in empty.refused("restore", str(tmp_path / "none.zip"))
    half = damaged(path, lambda data: data[: len(data) // 2])
    assert "cut off" in empty.refused("restore", half)
    other = damaged(path, lambda data: data[:9_000] + bytes(200) + data[9_200:])
    assert "is damaged" in empty.refused("restore", other)
    assert "needs the SECRET_KEY named" in replace(empty, key="o" * 50).refused("restore", path)
    assert {file.name for file in empty.folder.iterdir()} <= {"restore.lock"}
    assert "holds files" in full.refused("restore", path)
    shutil.rmtree(full.folder / "media")
    assert "holds studies" in full.refused("restore", path)
    assert "exists" in full.refused("backup", path)


def test_a_backup_of_a_newer_version_is_refused(full: Installation, empty: Installation) -> None:
    with full.open() as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('somebody', '0002_later', '2031-01-01')"
        )
    path = backup_of(full)
    assert "does not know somebody.0002_later" in empty.refused("restore", path)


def test_a_database_in_use_is_not_replaced(full: Installation, empty: Installation) -> None:
    before = full.rows()
    path = backup_of(full)
    empty.folder.mkdir()
    with empty.open() as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE a (b)")
        assert "Stop the program first" in empty.refused("restore", path)
    empty.run("restore", path)
    assert empty.rows() == before


def test_a_disk_that_is_full_is_said_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    archive: Any = None
    manifest: Any = SimpleNamespace(rows={})

    def full_disk(*_: Any) -> Never:
        raise OSError(28, "No space left on device")

    for kind in (sqlite, postgres):
        monkeypatch.setattr(kind, "restored_database", full_disk)
    with pytest.raises(
        CommandError, match=r"restored: No space left on device. Nothing was kept.$"
    ):
        restoration._restore(archive, manifest)
