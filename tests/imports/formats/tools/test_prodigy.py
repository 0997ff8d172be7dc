"""What Prodigy's db-out writes, by its public description."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.imports.tables import answers_of, import_files, refusal

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).parents[1] / "foreign" / "prodigy"


def written(folder: Path, *rows: Any) -> Path:
    path = folder / "out.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_choice_is_an_answer_and_an_ignored_task_is_none() -> None:
    study = import_files("prodigy", FOLDER / "choice.jsonl", keep_names=True)
    ada, ben = (answers_of(study, f"notices-{name}") for name in ("ada", "ben"))
    assert [a["scores"]["choice"] for a in ada.values()] == ["glad", "plain", "angry"]
    assert len(ben) == 2
    assert study.imported["counts"]["answers_ignored"] == 1


def test_accepting_and_rejecting_a_label_are_yes_and_no() -> None:
    study = import_files("prodigy", FOLDER / "binary.jsonl")
    values = [a.answer["scores"]["transport"] for a in study.annotations.all()]
    assert Counter(values) == {"yes": 4, "no": 1}
    assert study.imported["counts"]["meta_not_imported"] == 6
    assert set(study.raters.values_list("name", flat=True)) == {"rater-1", "rater-2"}


def test_marked_parts_are_told_by_sentence_and_none_is_an_answer() -> None:
    study = import_files("prodigy", FOLDER / "spans.jsonl", keep_names=True)
    ada = answers_of(study, "notices-ada")
    assert ada["-5001 loc"] == {"scores": {"loc": ["yes", "no"]}}
    assert ada["-5001 time"] == {"scores": {"time": ["yes", "no"]}}
    assert ada["-5002 loc"] == {"scores": {"loc": ["no"]}}
    assert study.imported["counts"]["answers_rejected"] == 1


def test_several_options_are_questions_of_yes_and_no(tmp_path: Path) -> None:
    options = [{"id": name, "text": name} for name in ("news", "sport", "art")]
    about = {"text": "It runs.", "options": options, "answer": "accept"}
    path = written(tmp_path, about | {"accept": ["news", "art"]})
    study = import_files("prodigy", path, keep_names=True)
    values = {key: a["scores"][key.split()[-1]] for key, a in answers_of(study, "out").items()}
    assert {key.split()[-1]: value for key, value in values.items()} == {
        "news": "yes",
        "sport": "no",
        "art": "yes",
    }


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"image": "a.png", "answer": "accept"}, "text: missing or empty (tasks of images"),
        ({"text": "It runs."}, "answer: missing"),
        ({"text": "It runs.", "answer": "maybe"}, "answer: 'maybe' is none of accept, reject"),
        (
            {"text": "It runs.", "spans": [{"start": 1}], "answer": "accept"},
            "spans: one without start, end or label",
        ),
    ],
)
def test_a_line_that_does_not_fit_is_named(row: Any, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, {"text": "So it is.", "label": "x", "answer": "accept"}, row)
    assert refusal("prodigy", path).startswith(f"out.jsonl:2: {message}")
