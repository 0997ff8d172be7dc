"""Exports of Label Studio, as its own software writes and counts them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.imports.tables import answers_of, import_files, refusal

pytestmark = pytest.mark.django_db

NO_TASK = (
    "tasks.json (record 0): data: missing: this is no task of Label Studio's format JSON "
    "(JSON-MIN is not read)"
)
EXPORT = Path(__file__).parents[1] / "foreign" / "label_studio.json"


def task(**changes: Any) -> dict[str, Any]:
    labels = [{"from_name": "verdict", "type": "choices", "value": {"choices": ["good"]}}]
    done = {"completed_by": {"id": 2, "email": "ada@example.org"}, "result": labels}
    return {"id": 1, "data": {"text": "It runs."}, "annotations": [done]} | changes


def written(folder: Path, *tasks: Any) -> Path:
    path = folder / "tasks.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def test_the_labels_are_those_that_label_studio_converts() -> None:
    study = import_files("label-studio", EXPORT, keep_names=True)
    counts = study.imported["counts"]
    # Its table of annotations has five rows with a verdict and a clarity each.
    assert (counts["units"], counts["answers"], counts["raters"]) == (3, 5 * 2 + 3, 3)
    assert answers_of(study, "annotator-3") == {
        "1 verdict": {"scores": {"verdict": "supported"}},
        "1 clarity": {"scores": {"clarity": 4.0}},
        "2 verdict": {"scores": {"verdict": "refuted"}},
        "2 clarity": {"scores": {"clarity": 2.0}},
        "3 verdict": {"scores": {"verdict": "supported"}},
        "3 clarity": {"scores": {"clarity": 5.0}},
    }
    assert len(answers_of(study, "annotator-7")) == 4
    assert study.raters.get(name="checker-1").kind == "judge"
    assert study.sources.get(key="1").query == "What is open?"


def test_a_dialogue_is_a_conversation_asked_about_whole(tmp_path: Path) -> None:
    talk = [{"author": "user", "text": "When?"}, {"author": "assistant", "text": "At one."}]
    study = import_files("label-studio", written(tmp_path, task(data={"dialogue": talk})))
    payload: Any = study.questions.get().typed_payload
    assert [(turn.role, turn.asked) for turn in payload.turns] == [
        ("user", True),
        ("assistant", True),
    ]


def test_one_label_stands_beside_another(tmp_path: Path) -> None:
    study = import_files("label-studio", written(tmp_path, task()), keep_names=True)
    points = study.blocks.get().options["criteria"][0]["points"]
    assert [point["value"] for point in points] == ["another", "good"]
    assert study.raters.get().name == "ada@example.org"


def test_labels_of_other_kinds_are_counted_and_left_out(tmp_path: Path) -> None:
    span = {"from_name": "span", "type": "labels", "value": {"start": 0, "labels": ["x"]}}
    mixed = task()
    mixed["annotations"][0]["result"].append(span)
    study = import_files("label-studio", written(tmp_path, mixed))
    assert study.imported["counts"]["labels_not_imported"] == 1
    assert study.annotations.count() == 1


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        (
            [{"id": 1, "text": "It runs.", "verdict": "good"}],
            NO_TASK,
        ),
        (
            [task(data={"image": 3})],
            "tasks.json (record 0): data: no field with a text or a conversation",
        ),
    ],
)
def test_what_cannot_be_asked_about_is_refused(
    tasks: list[Any], message: str, tmp_path: Path
) -> None:
    assert refusal("label-studio", written(tmp_path, *tasks)) == message
