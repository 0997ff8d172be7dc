"""Exports of doccano, as its own exporter writes them and its page of metrics counts them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.imports.tables import answers_of, import_files, outcome, refusal

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).parents[1] / "foreign" / "doccano"
# Its distribution of labels by user.
MOODS = {"ada": {"glad": 1, "plain": 1, "sad": 1}, "ben": {"plain": 2, "sad": 1}}


def written(folder: Path, *rows: Any, name: str = "ada.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_each_annotators_file_has_the_labels_that_doccano_counts() -> None:
    study = import_files("doccano", FOLDER / "classification", keep_names=True)
    for annotator, counted in MOODS.items():
        answers = answers_of(study, annotator).values()
        assert Counter(a["scores"]["label"] for a in answers) == counted
    assert study.units.count() == 3
    assert study.imported["counts"]["place_not_imported"] == 6  # a field of the project's own
    assert study.imported["counts"]["Comments_not_imported"] == 1


def test_marked_parts_are_told_by_sentence() -> None:
    study = import_files("doccano", FOLDER / "spans", keep_names=True)
    assert answers_of(study, "ada") == {
        "7 per": {"scores": {"per": ["yes", "no"]}},
        "7 loc": {"scores": {"loc": ["yes", "no"]}},
        "8 per": {"scores": {"per": ["no"]}},
        "8 loc": {"scores": {"loc": ["yes"]}},
        "9 per": {"scores": {"per": ["no", "no"]}},
        "9 loc": {"scores": {"loc": ["no", "yes"]}},
    }
    # Ben's third text has no label: nobody can tell whether he looked at it.
    assert len(answers_of(study, "ben")) == 4
    assert study.imported["counts"]["records_without_labels"] == 1


def test_labels_of_all_annotators_together_are_several(tmp_path: Path) -> None:
    study = import_files("doccano", FOLDER / "classification_together", keep_names=True)
    assert study.raters.get().name == "annotators"
    first = {key: a for key, a in answers_of(study, "annotators").items() if key[0] == "4"}
    assert {key: a["scores"][key[2:]] for key, a in first.items()} == {
        "4 glad": "yes",
        "4 plain": "yes",
        "4 sad": "no",
    }


def test_labels_in_other_alphabets_have_numbered_names(tmp_path: Path) -> None:
    rows = [{"id": 1, "text": "東京。", "label": [[0, 2, "地名"], [0, 1, "A b"], [0, 1, "a-b"]]}]
    study = import_files("doccano", written(tmp_path, *rows))
    criteria = [block.options["criteria"][0] for block in study.blocks.all()]
    assert [(c["key"], c["question"]) for c in criteria] == [
        ("label_1", "Is part of this sentence labelled “地名”?"),
        ("a_b", "Is part of this sentence labelled “A b”?"),
        ("a_b_1", "Is part of this sentence labelled “a-b”?"),
    ]


def test_entities_and_categories_of_one_text_are_both_read(tmp_path: Path) -> None:
    entity = {"id": 5, "label": "PER", "start_offset": 0, "end_offset": 3}
    rows = [
        {"id": 1, "text": "Ada runs.", "entities": [entity], "cats": ["news"], "relations": [1]}
    ]
    study = import_files("doccano", written(tmp_path, *rows), keep_names=True)
    assert answers_of(study, "ada") == {
        "1 label": {"scores": {"label": "news"}},
        "1 per": {"scores": {"per": ["yes"]}},
    }
    assert study.imported["counts"]["relations_not_imported"] == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": 1, "filename": "a.png", "label": []}, "text: missing or empty (projects of images"),
        ({"text": "It runs.", "label": ["x"]}, "id: missing (doccano numbers its texts)"),
        ({"id": 1, "text": "It runs.", "label": [[0, 99, "x"]]}, "spans[0]: 0 to 99 is no part"),
        ({"id": 1, "text": "It runs.", "label": [[0, 2]]}, "label: [0, 2] is neither a label nor"),
        (["It runs."], "record: not an object"),
    ],
)
def test_a_line_that_does_not_fit_is_named(row: Any, message: str, tmp_path: Path) -> None:
    fitting = [{"id": n, "text": f"Text {n}.", "label": ["x"]} for n in (7, 8)]
    path = written(tmp_path, *fitting, row)
    assert refusal("doccano", path).startswith(f"ada.jsonl:3: {message}")
    printed = outcome("doccano", path)
    assert [s["where"] for s in printed["skipped"]] == ["ada.jsonl:3"]
    assert printed["counts"]["answers"] == 2


def test_a_number_that_stands_for_two_texts_is_refused(tmp_path: Path) -> None:
    rows = [{"id": 1, "text": "It runs.", "label": ["x"]}, {"id": 1, "text": "No.", "label": ["x"]}]
    message = refusal("doccano", written(tmp_path, *rows))
    assert message == "ada.jsonl:2: id: '1' came before with another text"
