"""What docs/formats.md shows can be imported as it stands there."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from annotation.importing.study_file.parts import RoundPart
from annotation.importing.study_file.schema import EthicsPart, StudyFile
from annotation.models import Study
from tasktypes.registry import TASK_TYPES

pytestmark = pytest.mark.django_db

PAGE = Path(settings.BASE_DIR, "docs", "formats.md").read_text(encoding="utf-8")
RECORDS = PAGE[PAGE.index("## Records") : PAGE.index("## Study file")]
STUDY = PAGE[PAGE.index("## Study file") : PAGE.index("## Answers")]
ANSWERS = PAGE[PAGE.index("## Answers") : PAGE.index("## `fcexp`")]
BLOCK = re.compile(r"^```(?:json|yaml)\n(.+?)^```$", re.MULTILINE | re.DOTALL)


def import_(folder: Path, text: str, slug: str) -> Study:
    path = folder / f"{slug}.jsonl"
    path.write_text(text, encoding="utf-8")
    call_command("import_study", "jsonl", str(path), slug=slug, verbosity=0)
    return Study.objects.get(slug=slug)


def test_every_example_of_a_record_can_be_imported(tmp_path: Path) -> None:
    shown: set[str] = set()
    for number, text in enumerate(BLOCK.findall(RECORDS)):
        study = import_(tmp_path, text, f"example-{number}")
        assert study.units.exists()
        if number:  # the first is not about a task type
            shown |= set(study.blocks.values_list("task_type_slug", flat=True))
    assert shown == {one.slug for one in TASK_TYPES}


def test_the_example_of_a_study_file_can_be_applied_with_the_answers(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(BLOCK.findall(STUDY)[0], encoding="utf-8")
    (tmp_path / "items.jsonl").write_text(BLOCK.findall(RECORDS)[0], encoding="utf-8")
    (tmp_path / "answers.jsonl").write_text(BLOCK.findall(ANSWERS)[0], encoding="utf-8")
    call_command("apply_study", str(tmp_path / "study.yaml"), verbosity=0)
    call_command("import_answers", "libraries", str(tmp_path / "answers.jsonl"), verbosity=0)
    assert Study.objects.get().annotations.count() == 3


def test_every_key_of_a_study_file_is_explained() -> None:
    keys = set(StudyFile.model_fields) | set(EthicsPart.model_fields)
    keys |= {field.alias or name for name, field in RoundPart.model_fields.items()}
    assert {key for key in keys if f"`{key}`" not in STUDY} == set()


@pytest.mark.parametrize("task_type", TASK_TYPES, ids=lambda one: one.slug)
def test_every_task_type_shows_an_answer(task_type: object) -> None:
    assert f"| `{task_type.slug}` | `{{" in ANSWERS  # type: ignore[attr-defined]
