"""Potato under load, run as its image runs it: one gunicorn process with eight threads.

A worker posts what its page posts: a save to `/updateinstance`, then the button Next, which
answers with the next question's page. Its own page asks for that page once more, which we spare it.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import yaml

from bench.light_client import Reply, Visitor
from bench.serve.crowd import NothingLeft
from bench.serve.material import CHOICES, answer, text
from bench.serve.servers import Server, foreign, installed, serving
from bench.serve.target import OVERLAP, UNITS, Stored
from tests.services.ports import free_port

REQUIREMENTS = ("potato-annotation==2.12.1", "gunicorn==27.0.1")
INSTANCE = re.compile(rb'id="instance_id"[^>]* value="([^"]*)"')
SCHEME = "sentences"
# Its image's settings, and the command of its image's entry point.
GUNICORN = ("--workers", "1", "--threads", "8", "--timeout", "120")
LOGS = ("--access-logfile", "-", "--error-logfile", "-")


@dataclass
class PotatoUser:
    """Somebody who signs in without a password, as crowd workers do."""

    visitor: Visitor
    name: str
    rng: Random
    page: Reply | None = None
    answered: bool = False
    saved: dict[str, list[str]] = field(default_factory=dict)

    async def enter(self) -> None:
        await self.visitor.post("/auth", {"email": self.name, "pass": ""}, expect=302)
        self.page = await self.visitor.get("/annotate")

    async def fetch(self) -> None:
        if not self.answered and self.page is not None:
            return  # the page that came with signing in
        on = {"action": "next_instance", "instance_id": self._instance()}
        reply = await self.visitor.post_json("/annotate", on, expect=200)
        if INSTANCE.search(reply.body) is None or reply.find(INSTANCE) in self.saved:
            raise NothingLeft
        self.page, self.answered = reply, False

    async def save(self) -> None:
        chosen = answer(self.rng)
        content = {
            "instance_id": self._instance(),
            "annotations": {f"{SCHEME}:{number}": number for number in chosen},
            "cleared_schemas": [],
            "span_annotations": [],
            "response_time_seconds": 1.0,
        }
        await self.visitor.post_json("/updateinstance", content, expect=200)
        self.saved[self._instance()] = chosen
        self.answered = True

    async def finish(self) -> None:
        self.visitor.close()

    def _instance(self) -> str:
        assert self.page is not None
        return self.page.find(INSTANCE)


@dataclass
class Potato:
    """One project with a question of the same size: which of these numbers."""

    environments: Path
    port: int = field(default_factory=free_port)
    folder: Path = Path()
    name: str = "Potato 2.12.1"

    @contextmanager
    def serve(self, folder: Path) -> Iterator[None]:
        self.folder = folder
        python = installed("potato", REQUIREMENTS, self.environments)
        _write_project(folder)
        command = [str(python), "-m", "gunicorn", "--bind", f"127.0.0.1:{self.port}"]
        command += [*GUNICORN, *LOGS, "potato.flask_server:create_app('config.yaml')"]
        with serving(Server(command, self.port, foreign(), folder, probe="/health")):
            yield

    def workers(self, count: int) -> Sequence[PotatoUser]:
        return [
            PotatoUser(Visitor(self.port), f"worker{number}", Random(number))
            for number in range(count)
        ]

    def stored(self, workers: Sequence[PotatoUser]) -> Stored:
        lost = 0
        for worker in workers:
            held = _held(self.folder / "annotation_output" / worker.name / "user_state.json")
            lost += sum(held.get(key) != chosen for key, chosen in worker.saved.items())
        return Stored(saved=sum(len(worker.saved) for worker in workers), lost=lost)


def _write_project(folder: Path) -> None:
    items = [json.dumps({"id": f"u{number}", "text": text(number)}) for number in range(UNITS)]
    (folder / "items.jsonl").write_text("\n".join(items), encoding="utf-8")
    config = {
        "annotation_task_name": "Which sentences cite the passage?",
        "task_dir": ".",
        "output_annotation_dir": "annotation_output/",
        "output_annotation_format": "jsonl",
        "data_files": ["items.jsonl"],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "user_config": {"allow_all_users": True, "users": []},
        "require_password": False,
        "secret_key": "a key for the bench alone",
        "assignment_strategy": "random",
        "num_annotators_per_item": OVERLAP,
        "max_annotations_per_user": 150,
        "annotation_schemes": [
            {
                "annotation_type": "multiselect",
                "name": SCHEME,
                "description": "Which sentences should cite the passage?",
                "labels": [str(number) for number in range(CHOICES)],
            }
        ],
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")


def _held(path: Path) -> dict[str, list[str]]:
    """The numbers chosen per instance, as a user's file has them."""
    if not path.exists():
        return {}
    state: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {
        instance: sorted(str(label["name"]) for label, _value in labels)
        for instance, labels in state["instance_id_to_label_to_value"].items()
    }
