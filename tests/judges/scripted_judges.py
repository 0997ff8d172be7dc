"""What the tests of judges work with: recorded replies, judges that give them, dead workers."""

import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from celery import Celery
from django.utils import timezone

from annotation.models import Question, Study
from judges.definitions.versions import define_judge
from judges.models import Chunk, Judge, JudgeRun
from judges.runs.delivery.work import work
from tests.services.ports import free_port

GOOD_REPLIES = {"citation_recovery": '{"sentences": [0]}', "slider": '{"value": 70}'}
ONE_BLOCK: tuple[tuple[str, dict[str, Any]], ...] = (("citation_recovery", {}),)


def replies_for(
    study: Study, changed: Mapping[str, Mapping[str, Any]] = {}
) -> list[dict[str, Any]]:
    """A good reply for every question; `changed` alters those of a unit, by its key."""
    questions = Question.objects.filter(study=study).select_related("unit", "block").order_by("pk")
    return [
        {
            "unit": question.unit.key,
            "block": question.block.key,
            "reply": GOOD_REPLIES[question.block.task_type_slug],
            **changed.get(question.unit.key, {}),
        }
        for question in questions
    ]


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def scripted_judge(
    study: Study,
    folder: Path,
    changed: Mapping[str, Mapping[str, Any]] = {},
    *,
    name: str = "parrot",
    delay_ms: int = 0,
) -> Judge:
    file = write_lines(folder / f"{name}.jsonl", replies_for(study, changed))
    return define_judge(
        study=study,
        name=name,
        method="scripted",
        parameters={"file": str(file), "delay_ms": delay_ms},
    )


def work_all(run: JudgeRun) -> JudgeRun:
    """Work a run's chunks in this process until none can be claimed."""
    while claimable := list(Chunk.objects.claimable().filter(run=run)):
        for chunk in claimable:
            work(chunk_id=chunk.pk)
    run.refresh_from_db()
    return run


def let_lease_run_out(chunk: Chunk) -> None:
    """As if the worker that holds the chunk had been killed a while ago."""
    Chunk.objects.filter(pk=chunk.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def broker_that_is_down() -> Celery:
    return Celery("down", broker=f"redis://127.0.0.1:{free_port()}/0", set_as_current=False)
