"""The desk on both databases, each in a process of its own.

DESK_ON names the databases (`sqlite,postgres`), DESK_PARTS what is measured (`pages,exports,acts`),
DESK_FORMATS the formats of exports; DESK_UNITS makes another number of units than 50,000.
Building the study takes minutes. Where DESK_FOLDER (for SQLite) or DESK_URL (for PostgreSQL) is
set, it is built there once, and every run works on a copy: the acts change it.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.measure import Row

Environment = Mapping[str, str]
COPY = "desk_copy"


def run() -> Iterator[Row]:
    """Pages, exports and acts on SQLite, then on PostgreSQL where a server can be had."""
    from tests.services.postgres import Unavailable

    wanted = os.environ.get("DESK_ON", "sqlite,postgres").split(",")
    if "sqlite" in wanted:
        yield from _on("SQLite", _sqlite)
    if "postgres" not in wanted:
        return
    try:
        yield from _on("PostgreSQL", _postgres)
    except Unavailable as reason:
        print(f"desk: PostgreSQL left out: {reason}", file=sys.stderr)


def _on(name: str, database: Callable[[], AbstractContextManager[Environment]]) -> Iterator[Row]:
    """A row as soon as it is measured. What fails ends the bench with an error, after the rows that
    were measured before."""
    with database() as environment:
        command = [sys.executable, "-m", "bench.desk.child"]
        with subprocess.Popen(
            command, env=_whole(environment), stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            try:
                for line in child.stdout:
                    yield _row(name, **json.loads(line))
            finally:
                if child.poll() is None and sys.exc_info()[0] is not None:
                    child.terminate()
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)


def _whole(environment: Environment) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    return {**kept, **environment}


def _build(environment: Environment) -> None:
    """Have the study there."""
    command = [sys.executable, "-m", "bench.desk.child", "--build"]
    subprocess.run(command, env=_whole(environment), check=True)


def _row(
    database: str, *, what: str, ours: float, unit: str, most: float | None = None, note: str = ""
) -> Row:
    return Row(
        what=f"{database}, {what}",
        ours=ours,
        unit=unit,
        bar="" if most is None else f"< {most:.0f} {unit}",
        met=None if most is None else ours < most,
        note=note,
    )


@contextmanager
def _sqlite() -> Iterator[Environment]:
    with tempfile.TemporaryDirectory(prefix="jurybox-desk-") as folder:
        if kept := os.environ.get("DESK_FOLDER"):
            Path(kept).mkdir(parents=True, exist_ok=True)
            _build(_in(kept))
            shutil.copytree(kept, folder, dirs_exist_ok=True)
        yield _in(folder)


def _in(folder: str) -> dict[str, str]:
    return {"JURYBOX_DATA": folder, "BROKER_URL": "memory://"}


@contextmanager
def _postgres() -> Iterator[Environment]:
    from tests.services.postgres import postgres_server

    with tempfile.TemporaryDirectory(prefix="jurybox-desk-") as folder:
        if kept := os.environ.get("DESK_URL"):
            _build(_at(kept, folder))
            with _copied(kept) as url:
                yield _at(url, folder)
        else:
            with postgres_server() as url:
                yield _at(url, folder)


def _at(url: str, folder: str) -> dict[str, str]:
    return {**_in(folder), "DATABASE_URL": url, "SECRET_KEY": "for this bench alone"}


@contextmanager
def _copied(url: str) -> Iterator[str]:
    """The address of a copy of a database on the same server, gone afterwards."""
    parts: Any = urlsplit(url)
    name, maintenance = parts.path.strip("/"), parts._replace(path="/template1").geturl()
    _execute(maintenance, f'DROP DATABASE IF EXISTS "{COPY}"')
    _execute(maintenance, f'CREATE DATABASE "{COPY}" TEMPLATE "{name}"')
    try:
        yield parts._replace(path=f"/{COPY}").geturl()
    finally:
        _execute(maintenance, f'DROP DATABASE IF EXISTS "{COPY}"')


def _execute(url: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)
