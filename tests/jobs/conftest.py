"""A kind of job whose work a test chooses, and the messages that were sent."""

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from annotation.models import Study, User
from jobs import queue
from jobs.kinds import JobOutcome, Kind, kinds
from jobs.models import Job
from jobs.reports import Report


class Scripted(Kind):
    """Does what a test says; `called` lists what the runner asked of it."""

    name, title = "scripted", "Scripted"

    def __init__(self) -> None:
        self.happens: Callable[[Job, Report], object] = lambda _job, _report: None
        self.called: list[str] = []

    def run(self, job: Job, report: Report) -> JobOutcome:
        self.called.append("run")
        return {"made": self.happens(job, report)}

    def prepare(self, job: Job) -> None:
        self.called.append("prepare")

    def clear(self, job: Job) -> None:
        self.called.append(f"clear {job.state}")


@pytest.fixture
def kind() -> Iterator[Scripted]:
    every = cast(dict[str, Kind], kinds())
    every["scripted"] = scripted = Scripted()
    yield scripted
    del every["scripted"]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    messages: list[int] = []

    def send(_name: str, row_id: int, **_options: Any) -> bool:
        messages.append(row_id)
        return True

    monkeypatch.setattr(queue, "send_task", send)
    return messages


@pytest.fixture
def job(kind: Scripted, study: Study, owner: User, sent: list[int]) -> Job:
    return queue.ask(kind, study=study, by=owner, parameters={"of": 1})
