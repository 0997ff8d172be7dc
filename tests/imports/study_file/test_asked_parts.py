"""What is asked besides the questions, in study files."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from annotation.models import Study
from files.errors import ImportFailure
from imports.studies.update import apply_study
from imports.study_file.asked_parts import FreeTextPart, QuestionnairePart
from imports.study_file.writing import study_keys, study_yaml

KEYS: dict[str, Any] = {
    "free_text": {"question": "Why? $5 <b>", "kind": "correction", "asked_of": "both"},
    "questionnaire": {
        "purpose": "To describe who answered.",
        "questions": [
            {"question": "Your English?", "options": ["first language", "other"]},
            {"question": "Years?", "kind": "number", "asked": "after", "required": True},
        ],
    },
}
BARE = "slug: s\ntitle: S\ntask_type: likert\n"


def refusal(part: type[FreeTextPart] | type[QuestionnairePart], **keys: Any) -> str:
    with pytest.raises(ValidationError) as refused:
        part.model_validate(keys)
    return str(ImportFailure.of("", refused.value))


@pytest.mark.django_db
def test_both_come_back_as_they_went_in_and_go_when_they_are_emptied(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(BARE + yaml.safe_dump(KEYS))
    study = apply_study(path=file).study
    written = study_keys(study)
    assert {name: written[name] for name in KEYS} == KEYS
    file.write_text(study_yaml(study))
    assert apply_study(path=file).changed == ()
    file.write_text(BARE + "free_text: {}\nquestionnaire: {}\n")
    assert set(apply_study(path=file).changed) == {"free_text", "questionnaire"}
    assert not KEYS.keys() & study_keys(Study.objects.get()).keys()


@pytest.mark.django_db
def test_a_study_without_them_names_neither_in_its_file(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(BARE)
    study = apply_study(path=file).study
    assert (study.free_text, study.questionnaire) == ({}, {})
    assert "questionnaire" not in study_yaml(study)


def test_what_cannot_be_asked_is_refused_with_the_remedy() -> None:
    assert "question: say what is asked" in refusal(FreeTextPart, kind="post_edit")
    assert "longest" in refusal(FreeTextPart, question="Why?", longest=20_001)
    alone = [{"question": "Q?", "options": ["one"]}]
    said = refusal(QuestionnairePart, purpose="P", questions=alone)
    assert "questions[0].options: a choice needs 2 to 40, not 1" in said
    twice = [{"question": "Q?", "options": ["one", "one"]}]
    said = refusal(QuestionnairePart, purpose="P", questions=twice)
    assert "options: one of them occurs twice" in said
    odd = [{"question": "Q?", "kind": "text", "options": ["one", "two"]}]
    said = refusal(QuestionnairePart, purpose="P", questions=odd)
    assert "options: a text has none; leave them out" in said
    text = {"question": "Q?", "kind": "text"}
    assert "purpose: say what the answers are for" in refusal(QuestionnairePart, questions=[text])
    same = refusal(QuestionnairePart, purpose="P", questions=[text, text])
    assert "questions: one of them occurs twice" in same
    many = [{"question": f"Q{n}?", "kind": "text"} for n in range(21)]
    said = refusal(QuestionnairePart, purpose="P", questions=many)
    assert "questions: 21 are too many; ask 20" in said
