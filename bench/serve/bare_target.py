"""The bare view under load: a GET and a POST per answer."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench.light_client import Visitor
from bench.serve.databases import Database
from bench.serve.material import answer
from bench.serve.servers import Server, serving
from bench.serve.target import UNITS, Stored
from desk.installation.processes import web
from tests.services.ports import free_port


@dataclass
class BareVisitor:
    """Goes through the rows one after another."""

    visitor: Visitor
    rng: Random
    number: int = 0
    saved: int = 0

    async def enter(self) -> None:
        """Nobody signs in."""

    async def fetch(self) -> None:
        self.number = self.rng.randrange(UNITS) + 1
        await self.visitor.get(f"/{self.number}/")

    async def save(self) -> None:
        form = {"answer": json.dumps(answer(self.rng))}
        await self.visitor.post(f"/{self.number}/", form, expect=200)
        self.saved += 1

    async def finish(self) -> None:
        self.visitor.close()


@dataclass
class Bare:
    """The application of `bench.serve.bare`, started as ours is."""

    database: Database
    port: int = field(default_factory=free_port)
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"a bare view on {self.database.name}"

    @contextmanager
    def serve(self, folder: Path) -> Iterator[None]:
        with self.database.environment(folder) as self.environment:
            self._run("set-up", str(UNITS))
            command = [
                "bench.serve.bare:application" if part == "config.wsgi" else part
                for part in web(port=self.port).command
            ]
            server = Server(command, self.port, self.environment, folder, probe="/1/")
            with serving(server):
                yield

    def workers(self, count: int) -> Sequence[BareVisitor]:
        return [BareVisitor(Visitor(self.port), Random(number)) for number in range(count)]

    def stored(self, workers: Sequence[BareVisitor]) -> Stored:
        saved = sum(worker.saved for worker in workers)
        return Stored(saved=saved, lost=max(0, saved - int(self._run("count"))))

    def _run(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "bench.serve.bare", *arguments]
        done = subprocess.run(
            command, env=self.environment, check=True, stdout=subprocess.PIPE, text=True
        )
        return done.stdout
