"""doccano under load: as `doccano webserver --workers 2` runs it, on its default, SQLite.

A worker asks for the example at their place in the project, as the page does on its way from one
to the next, and posts one label for it.
"""

import random
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.light_client import Unexpected, Visitor
from bench.serve import doccano_project
from bench.serve.crowd import NothingLeft
from bench.serve.doccano_project import PASSWORD
from bench.serve.material import CHOICES, text
from bench.serve.servers import NotToBeHad, Server, foreign, installed, serving
from bench.serve.target import UNITS, Stored
from tests.services.ports import free_port

# The newest version, with the newest of what it needs that it still runs with.
REQUIREMENTS = ("doccano==1.8.4", "marshmallow<4", "numpy<2", "setuptools<81")
WEB_PROCESSES = 2


@dataclass
class DoccanoUser:
    """A member of the project. Everybody begins elsewhere and goes on from there."""

    visitor: Visitor
    name: str
    place: int
    project: int
    first_label: int
    rng: random.Random
    left: int = UNITS
    example: int = 0
    saved: dict[int, int] = field(default_factory=dict)

    async def enter(self) -> None:
        credentials = {"username": self.name, "password": PASSWORD}
        await self.visitor.post_json("/v1/auth/login/", credentials, expect=200)

    async def fetch(self) -> None:
        if not self.left:
            raise NothingLeft
        at = f"/v1/projects/{self.project}/examples?limit=1&offset={self.place % UNITS}"
        page = (await self.visitor.get(at)).json()
        if not page["results"]:
            raise Unexpected(f"no example at {self.place % UNITS}")
        self.example = page["results"][0]["id"]

    async def save(self) -> None:
        label = self.first_label + self.rng.randrange(CHOICES)
        await self.visitor.post_json(
            f"/v1/projects/{self.project}/examples/{self.example}/categories",
            {"label": label},
            expect=201,
            headers={"X-CSRFToken": self.visitor.cookies.get("csrftoken", "")},
        )
        self.saved[self.example] = label
        self.place, self.left = self.place + 1, self.left - 1

    async def finish(self) -> None:
        self.visitor.close()


@dataclass
class Doccano:
    """One text classification project."""

    environments: Path
    users: int
    port: int = field(default_factory=free_port)
    folder: Path = Path()
    project: int = 0
    first_label: int = 0
    name: str = "doccano 1.8.4"

    @contextmanager
    def serve(self, folder: Path) -> Iterator[None]:
        self.folder = folder
        python = installed("doccano", REQUIREMENTS, self.environments)
        environment = {
            **foreign(),
            "DOCCANO_HOME": str(folder),
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "MEDIA_ROOT": str(folder / "media"),
            "STANDALONE": "True",
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
        }
        texts = folder / "texts"
        texts.write_text("\0".join(text(number) for number in range(UNITS)), encoding="utf-8")
        _run([str(python.with_name("doccano")), "init"], environment, folder)
        backend = next(python.parents[1].glob("lib/python*/site-packages/backend"))
        set_up = [str(python), str(doccano_project.__file__), str(backend), str(texts)]
        output = _run([*set_up, str(self.users), str(CHOICES)], environment, folder)
        self.project, self.first_label = map(int, output.split()[-2:])
        # What its own command starts, on the loopback interface alone.
        command = [str(python), "-m", "gunicorn", "config.wsgi", "--chdir", str(backend)]
        command += ["--bind", f"127.0.0.1:{self.port}", "--workers", str(WEB_PROCESSES)]
        with serving(Server(command, self.port, environment, folder, probe="/v1/me")):
            yield

    def workers(self, count: int) -> Sequence[DoccanoUser]:
        return [
            DoccanoUser(
                Visitor(self.port),
                f"worker{number}",
                place=number * (UNITS // count),
                project=self.project,
                first_label=self.first_label,
                rng=random.Random(number),
            )
            for number in range(count)
        ]

    def stored(self, workers: Sequence[DoccanoUser]) -> Stored:
        query = (
            "SELECT username, example_id, label_id FROM labels_category "
            "JOIN auth_user ON auth_user.id = user_id"
        )
        with closing(sqlite3.connect(self.folder / "db.sqlite3")) as database:
            held = set(database.execute(query))
        sent = {(worker.name, *saved) for worker in workers for saved in worker.saved.items()}
        return Stored(saved=len(sent), lost=len(sent - held))


def _run(command: list[str], environment: dict[str, str], folder: Path) -> str:
    """NotToBeHad where it fails: its packages may no longer be compatible."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise NotToBeHad(f"doccano does not start: {last}")
    return done.stdout
