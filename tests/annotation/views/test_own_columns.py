"""Own columns reach neither workers nor judges, whatever is asked."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Study
from docs.generate.task_types import records
from judges.definitions.versions import define_judge
from judges.runs.plans.asks import as_ask
from judges.runs.plans.preview import shown_prompts
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.annotation.worker_client import Person
from tests.imports.small_files import import_lines

pytestmark = pytest.mark.django_db

MARK = "own-column-mark"
OWN = {f"name-{MARK}": f"value-{MARK}"}


def marked_study(kind: TaskType[Any, Any, Any], folder: Path) -> Study:
    """The type's example, with own columns at all that workers are asked about, open to them."""
    opening, record = records(kind)
    main = {"name": "main", "batch": {"normal": 1}, "expected_minutes": 5}
    opening["study"] |= {"rounds": [main], "instructions": "Read.", "consent": "Agree."}
    for part in (record["source"], *record["items"], record["unit"]):
        part["metadata"] = OWN
    study = import_lines(folder, [opening, record])
    study.state = Study.State.OPEN
    study.save()
    return study


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_no_page_payload_or_prompt_holds_an_own_column(
    kind: TaskType[Any, Any, Any], tmp_path: Path
) -> None:
    study = marked_study(kind, tmp_path)
    for rows in (study.sources, study.items, study.units):
        assert all(row.metadata == OWN for row in rows.all())
    question = study.questions.select_related("block", "unit").get()
    assert MARK not in json.dumps([question.payload, question.reference, question.unit.focus])

    worker = Person(study)
    lobby = reverse("annotation:lobby", args=[study.slug])
    export = reverse("annotation:my-data-file", args=[study.slug])
    pages = [worker.client.get(page) for page in (worker.address(), lobby, export)]
    assert [page.status_code for page in pages] == [200, 200, 200]
    assert not any(MARK.encode() in page.content for page in pages)

    (tmp_path / "replies.jsonl").write_text("{}", encoding="utf-8")
    named: dict[str, Any] = {"method": "zero_shot", "backend": "scripted", "model": "none"}
    parameters = {"replies": str(tmp_path / "replies.jsonl")}
    judge = define_judge(study=study, name="model", **named, parameters=parameters)
    assert MARK not in repr(as_ask(question, replicate=0))
    shown = shown_prompts(study, judge)
    assert [block.filled for block in shown]
    assert MARK not in repr(shown)
