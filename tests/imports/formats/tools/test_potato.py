"""Projects of Potato, as its own server keeps them and its report on agreement counts them."""

import json
import shutil
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.imports.tables import answers_of, import_files, refusal

pytestmark = pytest.mark.django_db

PROJECT = Path(__file__).parents[1] / "foreign" / "potato"
OUTPUT = PROJECT / "annotation_output"
# Of its page on agreement.
ALPHA_TONE, ALPHA_CLARITY = -0.19999999999999996, 0.8148148148148149


def reported(metric: str, facet: str) -> float:
    """An estimate of all people, as `report` prints it."""
    out = StringIO()
    call_command("report", "s", json=True, stdout=out)
    rows = json.loads(out.getvalue())["estimates"]
    (value,) = (
        row["value"]
        for row in rows
        if (row["metric"], row["facet"], row["raters"], row["group"])
        == (metric, facet, "humans", {})
    )
    return float(value)


def test_alpha_is_that_of_potatos_own_report() -> None:
    study = import_files("potato", PROJECT)
    assert reported("krippendorff_alpha_nominal", "tone") == pytest.approx(ALPHA_TONE)
    assert reported("krippendorff_alpha_ordinal", "clarity") == pytest.approx(ALPHA_CLARITY)
    assert study.sources.count() == study.units.count() == 4


def test_the_questions_are_those_of_the_configuration() -> None:
    study = import_files("potato", PROJECT, keep_names=True)
    criteria = {b.key: b.options["criteria"][0] for b in study.blocks.all()}
    assert criteria["tone"]["question"] == "What is its tone?"
    assert [p["value"] for p in criteria["tone"]["points"]] == ["angry", "glad", "plain"]
    assert [p["value"] for p in criteria["clarity"]["points"]] == [1, 2, 3, 4, 5]
    bob = answers_of(study, "bob")
    assert bob["mill building"] == {"scores": {"building": "yes"}}
    assert bob["mill time"] == {"scores": {"time": "no"}}
    assert bob["mill fact"] == {"scores": {"fact": ["yes", "no", "yes"]}}
    assert bob["mill guess"] == {"scores": {"guess": ["no", "no", "no"]}}
    assert study.imported["counts"]["comment_not_imported"] == 1


def test_the_output_alone_makes_a_study_without_texts() -> None:
    study = import_files("potato", OUTPUT)
    assert set(study.raters.values_list("name", flat=True)) == {"rater-1", "rater-2", "rater-3"}
    assert "fact" not in study.blocks.values_list("key", flat=True)
    assert study.imported["counts"]["facts_not_imported"] == 8


def old_output(folder: Path, *lines: Any) -> Path:
    path = folder / "annotation_output" / "ann" / "annotated_instances.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_potato_1_has_the_texts_beside_the_answers(tmp_path: Path) -> None:
    span = {"start": 0, "end": 9, "span": "The ferry", "annotation": "thing"}
    line = {
        "id": "ferry",
        "displayed_text": "The ferry leaves.<br/>It is late &amp; full.",
        "label_annotations": {"tone": {"plain": "true"}, "clarity": {"4": "4"}},
        "span_annotations": [span],
        "behavioral_data": {},
    }
    old_output(tmp_path, line, line | {"id": "tram", "label_annotations": {"clarity": {"5": "5"}}})
    study = import_files("potato", tmp_path / "annotation_output", keep_names=True)
    ann = answers_of(study, "ann")
    assert ann["ferry tone"] == {"scores": {"tone": "plain"}}
    assert ann["tram clarity"] == {"scores": {"clarity": 5.0}}
    assert ann["ferry thing"]["scores"]["thing"][0] == "yes"


def test_what_is_no_output_of_potato_is_refused(tmp_path: Path) -> None:
    assert "label_annotations: missing: this is no file that Potato 1" in refusal(
        "potato", old_output(tmp_path, {"id": 1})
    )
    state = tmp_path / "user_state.json"
    state.write_text("{}", encoding="utf-8")
    assert "instance_id_to_label_to_value: missing" in refusal("potato", state)
    config = tmp_path / "config.yaml"
    config.write_text("annotation_schemes: []\ndata_files: [../secret.jsonl]\n", encoding="utf-8")
    assert "lies outside the project's folder" in refusal("potato", tmp_path)


def test_a_configuration_of_a_few_lines_does_not_grow_to_gigabytes(tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(PROJECT, project)
    names = "abcdefghij"
    lines = [f"a: &a [{', '.join(['lol'] * 10)}]"]
    for last, name in pairwise(names):
        lines.append(f"{name}: &{name} [{', '.join([f'*{last}'] * 10)}]")
    (project / "config.yaml").write_text("\n".join([*lines, "annotation_schemes: *j"]))
    assert "write it out" in refusal("potato", project)
