"""The databases that the program runs on, fresh and empty, as environments for its processes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.serve.servers import NotToBeHad
from tests.services.postgres import Unavailable, postgres_server

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Database:
    """SQLite or PostgreSQL, as the tables call it. waits: PostgreSQL says that something is stored
    once the disk has it, as it does where nobody tells it otherwise."""

    name: str
    waits: bool = False

    @contextmanager
    def environment(self, folder: Path) -> Iterator[dict[str, str]]:
        """What a process needs to find it. NotToBeHad where no server can be started."""
        variables = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "JURYBOX_DATA": str(folder),
            "DATABASE_URL": "",
            "SECRET_KEY": "a key for the bench alone",
            "LOG_LEVEL": "ERROR",
        }
        if self is SQLITE:
            yield variables
            return
        try:
            with postgres_server(safe=self.waits) as url:
                yield {**variables, "DATABASE_URL": url}
        except Unavailable as reason:
            raise NotToBeHad(f"PostgreSQL: {reason}") from None


SQLITE = Database("SQLite")
POSTGRES = Database("PostgreSQL")
ON_DISK = Database("PostgreSQL waiting for the disk", waits=True)
DATABASES = (SQLITE, POSTGRES)
