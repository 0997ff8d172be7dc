"""Writing outcomes while the database comes and goes."""

import sqlite3
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError

from annotation.models import Annotation, Study
from judges.definitions.versions import judge_for
from judges.models import Chunk
from judges.runs.delivery.work import work
from judges.runs.plans.plan import plan_run
from judges.runs.records.outcomes import WAITS, Writer
from tests.judges.scripted_judges import work_all

Write = Callable[..., None]


def away() -> OperationalError:
    driver = sqlite3.OperationalError("database is locked")
    driver.sqlite_errorcode = sqlite3.SQLITE_BUSY
    error = OperationalError("database is locked")
    error.__cause__ = driver
    return error


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were waited."""
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    return waited


def failing(monkeypatch: pytest.MonkeyPatch, times: int, *, committed: bool = False) -> None:
    """Let the database go away so many times while outcomes are written, before or after all is
    committed."""
    write: Write = Writer._write
    left = [away() for _ in range(times)]

    def fail(*args: Any) -> None:
        if committed or not left:
            write(*args)
        if left:
            raise left.pop()

    monkeypatch.setattr(Writer, "_write", fail)


@pytest.mark.django_db
@pytest.mark.parametrize("committed", [False, True])
def test_outcomes_are_written_once_the_database_is_back(
    study: Study, monkeypatch: pytest.MonkeyPatch, waited: list[float], *, committed: bool
) -> None:
    failing(monkeypatch, 1 if committed else 2, committed=committed)
    run = work_all(plan_run(study=study, judge=judge_for(study, "lexical")))
    assert waited == list(WAITS[: 1 if committed else 2])
    assert (run.state, Annotation.objects.count()) == ("complete", 3)
    calls = set(run.calls.values_list("status", "attempts", "error"))
    assert calls == {("answered", 1, "")}


@pytest.mark.django_db
def test_one_that_stays_away_is_told_and_the_chunk_is_asked_again_later(
    study: Study, monkeypatch: pytest.MonkeyPatch, waited: list[float]
) -> None:
    failing(monkeypatch, len(WAITS) + 1)
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    with pytest.raises(OperationalError):
        work(chunk_id=run.chunks.get().pk)
    assert waited == list(WAITS)
    assert (Chunk.objects.get().state, Annotation.objects.count()) == ("running", 0)
