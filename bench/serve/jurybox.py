"""Our own workers' pages under load: what a browser asks for on the way through a study."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench.light_client import Reply, Unexpected, Visitor
from bench.serve.crowd import NothingLeft
from bench.serve.databases import ROOT, Database
from bench.serve.material import answer
from bench.serve.servers import Server, serving
from bench.serve.target import Stored
from desk.installation.processes import web
from tests.services.ports import free_port

CSRF = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')
HASH = re.compile(rb'name="text_hash" value="([^"]+)"')
REVISION = re.compile(rb'name="revision" value="([^"]+)"')
OF_HOW_MANY = re.compile(rb"Text \d+ of (\d+)")
LEASES = re.compile(r"^/work/batch/([\w-]+)/(\d+)/(\d+)/$")
# How long a worker looks again where others hold all that is left.
PATIENCE = 10


@dataclass
class Annotator:
    """A worker who comes by an open invitation and answers batch after batch."""

    visitor: Visitor
    slug: str
    token: str
    rng: Random
    batch: str = ""
    position: int = 0
    of: int = 0
    page: Reply | None = None
    # What the server has said that it saved: the newest answer per place, and whole batches.
    saved: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    submitted: list[str] = field(default_factory=list)

    async def enter(self) -> None:
        join, consent = f"/join/{self.token}/", f"/work/{self.slug}/consent/"
        await self._post_back(join, join)
        page = await self.visitor.get(consent)
        agreed = {"text_hash": page.find(HASH), "of_age": "on", "agree": "on"}
        await self._post(consent, {**agreed, **_token(page)})

    async def fetch(self) -> None:
        """The next question; after the last of a batch, submit it and start another."""
        if self.batch and self.position > self.of:
            await self._submit()
        if not self.batch:
            await self._start()
        self.page = await self.visitor.get(f"/work/batch/{self.batch}/{self.position}/1/")
        self.of = int(self.page.find(OF_HOW_MANY))

    async def save(self) -> None:
        """The page's autosave, with all that its form holds."""
        assert self.page is not None
        chosen = answer(self.rng)
        form: dict[str, str | list[str]] = {
            **_token(self.page),
            "revision": self.page.find(REVISION),
            "sentences": chosen,
            "problem": "",
        }
        reply = await self.visitor.post(
            f"/work/batch/{self.batch}/{self.position}/1/draft/",
            form,
            expect=200,
            headers={"HX-Request": "true"},
        )
        if b"Saved" not in reply.body:
            raise Unexpected("autosave without the word Saved")
        self.saved[self.batch, self.position] = chosen
        self.position += 1

    async def finish(self) -> None:
        """Submit the open batch where all of it is answered; drafts of any other stay drafts."""
        if self.batch and self.position > self.of:
            await self._submit()
        self.visitor.close()

    async def _submit(self) -> None:
        address = f"/work/batch/{self.batch}/"
        await self._post_back(f"{address}review/", f"{address}submit/")
        self.submitted.append(self.batch)
        await self.visitor.get(f"{address}done/")
        self.batch = ""

    async def _start(self) -> None:
        for _ in range(PATIENCE):
            lobby = await self.visitor.get(f"/work/{self.slug}/")
            try:
                reply = await self._post(f"/work/{self.slug}/start/", _token(lobby))
            except Unexpected as why:
                if "start/: 200" not in str(why):  # a page that says why there is no batch
                    raise
                await asyncio.sleep(0.1)
                continue
            match = LEASES.match(reply.location)
            if match is None:
                raise Unexpected(f"start leads to {reply.location}")
            self.batch, self.position = match[1], int(match[2])
            self.of = self.position  # or more: the page tells
            return
        raise NothingLeft

    async def _post_back(self, page: str, to: str) -> Reply:
        """Post the form of a page that holds nothing but a button."""
        return await self._post(to, _token(await self.visitor.get(page)))

    async def _post(self, path: str, fields: dict[str, str]) -> Reply:
        return await self.visitor.post(path, fields, expect=302)


def _token(page: Reply) -> dict[str, str]:
    return {"csrfmiddlewaretoken": page.find(CSRF)}


@dataclass
class Jurybox:
    """The program, started as `manage.py demo` starts its web server, with one study."""

    database: Database
    slug: str
    units: int
    per_batch: int
    port: int = field(default_factory=free_port)
    folder: Path = Path()
    environment: dict[str, str] = field(default_factory=dict)
    token: str = ""

    @property
    def name(self) -> str:
        return f"Jurybox on {self.database.name}"

    @contextmanager
    def serve(self, folder: Path) -> Iterator[None]:
        self.folder = folder
        with self.database.environment(folder) as self.environment:
            self._manage("migrate")
            self._manage("collectstatic", "--noinput")
            study = [self.slug, str(self.units), str(self.per_batch)]
            self.token = self._run("-m", "bench.serve.study", "set-up", *study).split()[-1]
            command = web(port=self.port).command
            server = Server(command, self.port, self.environment, folder, probe="/healthz")
            with serving(server):
                yield

    def workers(self, count: int) -> Sequence[Annotator]:
        return [
            Annotator(Visitor(self.port), self.slug, self.token, Random(number))
            for number in range(count)
        ]

    def stored(self, workers: Sequence[Annotator]) -> Stored:
        journal = self.folder / "journal.json"
        saved = [[*place, chosen] for worker in workers for place, chosen in worker.saved.items()]
        submitted = [batch for worker in workers for batch in worker.submitted]
        content = {"slug": self.slug, "saved": saved, "submitted": submitted}
        journal.write_text(json.dumps(content), encoding="utf-8")
        output = self._run("-m", "bench.serve.study", "compare", str(journal))
        return Stored(saved=len(saved), **json.loads(output.splitlines()[-1]))

    def output_of(self, module: str, *arguments: str) -> str:
        """The last line that a module prints, run with Django on the server's database."""
        return self._run("-m", module, *arguments).splitlines()[-1]

    def _manage(self, *command: str) -> None:
        self._run(str(ROOT / "manage.py"), *command, "--verbosity=0")

    def _run(self, *arguments: str) -> str:
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, env=self.environment, check=True, stdout=subprocess.PIPE, text=True
        )
        return done.stdout
