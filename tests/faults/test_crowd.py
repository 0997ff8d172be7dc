"""What an operator does while 40 workers answer: a backup that is of one moment, a rolling upgrade.

A trigger on every table writes each change into a journal beside it. The backup names the snapshot
that it was made in; the changes of the transactions that this snapshot sees, played from the
beginning, must lead to exactly the rows that the restored tables have.
"""

import asyncio
import json
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import psycopg
import pytest

from bench.serve.databases import ROOT
from tests.faults.drive import Report, drive
from tests.faults.faults import Fault
from tests.faults.installation import Served, served, why_not_served

pytestmark = pytest.mark.faults

WATCH = """
CREATE SCHEMA watched;
CREATE TABLE watched.changes (
    id bigserial PRIMARY KEY, xid xid8, source text, before jsonb, after jsonb
);
CREATE FUNCTION watched.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO watched.changes (xid, source, before, after) VALUES (
        pg_current_xact_id(),
        TG_TABLE_NAME,
        CASE WHEN TG_OP = 'INSERT' THEN NULL ELSE to_jsonb(OLD) END,
        CASE WHEN TG_OP = 'DELETE' THEN NULL ELSE to_jsonb(NEW) END
    );
    RETURN NULL;
END $$;
"""
VISIBLE = """
SELECT source, before, after FROM watched.changes
WHERE pg_visible_in_snapshot(xid, %s::pg_snapshot) ORDER BY id
"""
Rows = dict[str, set[str]]


class Operated(NamedTuple):
    """An installation after all that, what its workers met, and its rows before they came."""

    there: Served
    report: Report
    begin: Rows


HEARTBEATS = "jobs_heartbeat"
# How long workers have worked when the backup is made, and about how long all of it takes.
AT_WORK_S, OPERATION_S = 8.0, 55.0
BACKUP = "backup.zip"


def tables_of(database: psycopg.Connection[Any]) -> list[str]:
    found = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return [name for (name,) in found.fetchall()]


def rows_of(database: psycopg.Connection[Any]) -> Rows:
    return {
        table: {text(row) for (row,) in database.execute(f'SELECT to_jsonb(t) FROM "{table}" t')}
        for table in tables_of(database)
    }


def text(row: Any) -> str:
    return json.dumps(row, sort_keys=True)


def watch(url: str) -> Rows:
    """Have every change noted from now on; the rows as they are."""
    with psycopg.connect(url) as database:
        database.execute(WATCH)
        for table in tables_of(database):
            database.execute(
                f'CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON "{table}"'
                " FOR EACH ROW EXECUTE FUNCTION watched.note()"
            )
        return rows_of(database)


def played(url: str, begin: Rows, snapshot: str) -> Rows:
    rows = {table: set(content) for table, content in begin.items()}
    with psycopg.connect(url) as database:
        for source, before, after in database.execute(VISIBLE, [snapshot]):
            if before is not None:
                rows[source].discard(text(before))
            if after is not None:
                rows[source].add(text(after))
    return rows


def restored(there: Served) -> Rows:
    """The rows of another installation, on the same server, into which the backup was put."""
    other = there.postgres.url.rpartition("/")[0] + "/restored"
    with psycopg.connect(there.postgres.url, autocommit=True) as server:
        server.execute("CREATE DATABASE restored")
    data = {"JURYBOX_DATA": str(there.folder / "restored"), "DATABASE_URL": other}
    subprocess.run(
        [sys.executable, "manage.py", "restore", str(there.folder / BACKUP)],
        env={**there.environment, **data, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        check=True,
    )
    with psycopg.connect(other) as database:
        return rows_of(database)


def operate(there: Served, _rng: Random) -> None:
    """A backup of the old code, then the new code, and the old code once more."""
    time.sleep(AT_WORK_S)
    there.run("manage.py", "backup", str(there.folder / BACKUP))
    there.deploy()
    there.deploy()


@pytest.fixture(scope="module")
def operated() -> Iterator[Operated]:
    if reason := why_not_served():
        pytest.skip(reason)
    with served() as there:
        begin = watch(there.postgres.url)
        operation = (Fault("backup and deployments", operate),)
        report = asyncio.run(drive(there, operation, count=1, seed=1, seconds=OPERATION_S))
        print(report)
        yield Operated(there, report, begin)


def test_workers_meet_neither_an_error_nor_a_refusal(operated: Operated) -> None:
    report = operated.report
    assert report.acknowledged > 0
    assert report.wrong() == {}
    assert report.seen.statuses[500] == report.seen.statuses[503] == 0


def test_a_restored_backup_is_row_for_row_what_was_there_at_one_moment(operated: Operated) -> None:
    there, begin = operated.there, operated.begin
    with zipfile.ZipFile(there.folder / BACKUP) as archive:
        snapshot = json.loads(archive.read("backup.json"))["snapshot"]
    then, now = restored(there), played(there.postgres.url, begin, snapshot)
    # Of workers where the backup was made.
    assert now.pop(HEARTBEATS)
    assert then.pop(HEARTBEATS) == set()
    assert then.keys() == now.keys()
    assert {table: then[table] ^ now[table] for table in then if then[table] != now[table]} == {}
    with psycopg.connect(there.postgres.url) as database:
        later = rows_of(database)["annotation_draft"]
    assert 0 < len(then["annotation_draft"]) < len(later)


def test_old_and_new_code_have_served_one_database(operated: Operated) -> None:
    with psycopg.connect(operated.there.postgres.url) as database:
        made_by = database.execute(
            "SELECT made_by, count(*) FROM annotation_assignment GROUP BY made_by"
        )
        assert {name for name, _number in made_by.fetchall()} == {"new", "old"}
