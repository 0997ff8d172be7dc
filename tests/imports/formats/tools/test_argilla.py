"""Datasets of Argilla, as its own SDK writes and counts them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.imports.tables import answers_of, import_files, refusal, skipped

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).parents[1] / "foreign" / "argilla"
USERS = [f"00000000-0000-0000-0000-00000000000{n}" for n in "bcd"]
# What the SDK counts in the records that it wrote.
CLARITY, VERDICTS = [5, 5, 4, 4, 2, 1, 2, 5], {"supported": 4, "refuted": 4, "unclear": 1}


def written(folder: Path, *records: Any) -> Path:
    path = folder / "records.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def record(**changes: Any) -> dict[str, Any]:
    answered = {"mood": [{"value": "glad", "user_id": "u1"}, {"value": "sad", "user_id": "u2"}]}
    return {"id": "r1", "fields": {"text": "It runs."}, "responses": answered} | changes


def test_a_folder_has_the_answers_that_the_sdk_counts() -> None:
    study = import_files("argilla", FOLDER, keep_names=True)
    answers = [answers_of(study, user) for user in USERS]
    clarity = [a["scores"]["clarity"] for of in answers for k, a in of.items() if "clarity" in k]
    assert sorted(clarity) == sorted(CLARITY)
    assert sum(clarity) / len(clarity) == 3.5
    verdicts = Counter(
        a["scores"]["verdict"] for of in answers for k, a in of.items() if k.endswith(" verdict")
    )
    assert verdicts == VERDICTS
    assert study.raters.get(name="checker-1").kind == "judge"
    assert study.units.count() == 5


def test_several_labels_and_marked_parts_are_questions_of_yes_and_no() -> None:
    study = import_files("argilla", FOLDER, keep_names=True)
    third = answers_of(study, USERS[2])
    assert third["peak-1 vague"] == {"scores": {"vague": "yes"}}
    assert third["peak-1 rude"] == {"scores": {"rude": "no"}}
    assert third["peak-1 fact"] == {"scores": {"fact": ["yes", "no"]}}
    assert third["peak-1 opinion"] == {"scores": {"opinion": ["no", "no"]}}
    keys = list(study.blocks.values_list("key", flat=True))
    assert keys == ["verdict", "clarity", "vague", "wrong", "rude", "fact", "opinion"]
    points = study.blocks.get(key="clarity").options["criteria"][0]["points"]
    assert [point["value"] for point in points] == [1, 2, 3, 4, 5]
    assert study.imported["counts"]["comment_not_imported"] == 1


def test_users_get_other_names_unless_theirs_are_kept() -> None:
    study = import_files("argilla", FOLDER)
    people = study.raters.filter(kind="human").values_list("name", flat=True)
    assert set(people) == {"rater-1", "rater-2", "rater-3"}


def test_without_settings_kinds_are_told_by_values(tmp_path: Path) -> None:
    answered = {
        "mood": [{"value": "glad", "user_id": "u1"}],
        "flaws": [{"value": ["vague"], "user_id": "u1"}],
        "parts": [{"value": [{"start": 0, "end": 2, "label": "it"}], "user_id": "u1"}],
        "order": [{"value": [{"value": "a", "rank": 1}], "user_id": "u1"}],
    }
    study = import_files("argilla", written(tmp_path, record(responses=answered)))
    assert set(study.blocks.values_list("key", flat=True)) == {"mood", "vague", "it"}
    assert study.imported["counts"]["order_not_imported"] == 1


@pytest.mark.parametrize(
    ("records", "message"),
    [
        (
            [record(responses=[{"user_id": "u1", "values": {}}])],
            "(record 0): responses: no object: this is no record as Argilla 2 writes it",
        ),
        ([{"text": "It runs."}], "(record 0): fields: no object: this is no record as"),
        ([record(fields={"image": 3})], "(record 0): data: no field with a text"),
        (
            [record(), record(fields={"text": "It stops."})],
            "(record 1): id: 'r1' came before with another text",
        ),
        ([record(), record()], "(record 1): unit: 'rater-1' has already answered 'r1'"),
    ],
)
def test_what_does_not_fit_is_named(records: list[Any], message: str, tmp_path: Path) -> None:
    assert message in refusal("argilla", written(tmp_path, *records))


def test_a_span_outside_its_text_is_skipped_and_listed(tmp_path: Path) -> None:
    outside = {"parts": [{"value": [{"start": 3, "end": 99, "label": "it"}], "user_id": "u1"}]}
    path = written(tmp_path, record(), record(id="r2"), record(id="r3", responses=outside))
    assert skipped("argilla", path) == [
        "records.json (record 2): spans[0]: 3 to 99 is no part of a text of 8 characters"
    ]


def test_settings_alone_and_a_folder_of_something_else_are_refused(tmp_path: Path) -> None:
    assert "give the file of records, too" in refusal("argilla", FOLDER / ".argilla/settings.json")
    assert "a folder without files of this format" in refusal("argilla", tmp_path)
