"""What the documentation shows can be imported as it stands there."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from annotation.models import Study
from docs.generate.task_types import records
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES

pytestmark = pytest.mark.django_db

DOCS = Path(settings.BASE_DIR, "docs")
BLOCK = re.compile(r"^```(?:json|yaml)\n(.+?)^```$", re.MULTILINE | re.DOTALL)


def blocks(name: str, begin: str, end: str = "\n## ") -> list[str]:
    """The examples of a section."""
    text = (DOCS / name).read_text(encoding="utf-8").partition(begin)[2].partition(end)[0]
    return BLOCK.findall(text)


RECORDS = blocks("formats.md", "## Records")
STUDY = blocks("formats.md", "## Study file")
ANSWERS = blocks("formats.md", "## Answers")


def import_(folder: Path, text: str, slug: str) -> Study:
    path = folder / f"{slug}.jsonl"
    path.write_text(text, encoding="utf-8")
    call_command("import_study", "jsonl", str(path), slug=slug, verbosity=0)
    return Study.objects.get(slug=slug)


@pytest.mark.parametrize("number", range(len(RECORDS)))
def test_every_example_of_a_record_can_be_imported(tmp_path: Path, number: int) -> None:
    assert import_(tmp_path, RECORDS[number], f"example-{number}").units.exists()


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_the_example_of_a_task_type_can_be_imported_with_its_answer(
    kind: TaskType[Any, Any, Any], tmp_path: Path
) -> None:
    opening, record = records(kind)
    study = import_(tmp_path, f"{json.dumps(opening)}\n{json.dumps(record)}\n", "example")
    assert list(study.blocks.values_list("task_type_slug", flat=True)) == [kind.slug]
    answer = {"unit": record["unit"]["key"], "rater": "ada", "kind": "human"}
    (tmp_path / "answers.jsonl").write_text(json.dumps({**answer, "answer": kind.example.answer}))
    call_command("import_answers", "example", str(tmp_path / "answers.jsonl"), verbosity=0)
    assert study.annotations.count() == 1


def test_the_example_of_a_study_file_can_be_applied_with_the_answers(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(STUDY[0], encoding="utf-8")
    (tmp_path / "items.jsonl").write_text(RECORDS[0], encoding="utf-8")
    (tmp_path / "answers.jsonl").write_text(ANSWERS[0], encoding="utf-8")
    call_command("apply_study", str(tmp_path / "study.yaml"), verbosity=0)
    call_command("import_answers", "libraries", str(tmp_path / "answers.jsonl"), verbosity=0)
    assert Study.objects.get().annotations.count() == 3


def test_the_first_study_can_be_applied(tmp_path: Path) -> None:
    items, study_file = blocks("tutorial.md", "## With files and commands")
    (tmp_path / "items.jsonl").write_text(items, encoding="utf-8")
    (tmp_path / "study.yaml").write_text(study_file, encoding="utf-8")
    call_command("apply_study", str(tmp_path / "study.yaml"), verbosity=0)
    assert Study.objects.get().units.count() == 2


def test_the_worked_example_of_the_page_on_training_can_be_imported(tmp_path: Path) -> None:
    (example,) = blocks("training-and-controls.md", "## Before the first batch")
    assert import_(tmp_path, example, "example").units.get().role == "example"
