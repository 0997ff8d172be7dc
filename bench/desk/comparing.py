"""The desk on both databases, each in a process of its own."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bench.measure import Row


def run() -> Iterator[Row]:
    """Pages, exports and acts on SQLite, then on PostgreSQL where a server can be had."""
    yield from _on("SQLite", _sqlite)
    from tests.services.postgres import Unavailable

    try:
        yield from _on("PostgreSQL", _postgres)
    except Unavailable as reason:
        print(f"desk: PostgreSQL left out: {reason}", file=sys.stderr)


def _on(name: str, database: Any) -> Iterator[Row]:
    with database() as environment:
        kept = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
        done = subprocess.run(
            [sys.executable, "-m", "bench.desk.child"],
            env={**kept, **environment},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    for row in json.loads(done.stdout.splitlines()[-1]):
        yield _row(name, **row)


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
def _sqlite() -> Iterator[Mapping[str, str]]:
    with tempfile.TemporaryDirectory(prefix="jurybox-desk-") as folder:
        yield {"JURYBOX_DATA": folder, "BROKER_URL": "memory://"}


@contextmanager
def _postgres() -> Iterator[Mapping[str, str]]:
    from tests.services.postgres import postgres_server

    with tempfile.TemporaryDirectory(prefix="jurybox-desk-") as folder, postgres_server() as url:
        yield {
            "DATABASE_URL": url,
            "JURYBOX_DATA": folder,
            "SECRET_KEY": "for this bench alone",
            "BROKER_URL": "memory://",
        }
