"""Columns without a role stay with what they describe; what was done with them is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from tests.imports.tables import import_files, write_table

pytestmark = pytest.mark.django_db

PEOPLE = "columns_left_out_that_identify_people"
DIFFERENT = "columns_left_out_that_differ_for_one_text"


def table(path: Path, *rows: str) -> Study:
    return import_files("table", write_table(path, *rows), task_type="likert")


def metadata(rows: Any) -> dict[str, Any]:
    return dict(rows.values_list("key", "metadata"))


def told(study: Study, finding: str) -> list[str]:
    return list(study.imported["odd"].get(finding, ()))


def test_a_table_of_outputs_keeps_its_other_columns(tmp_path: Path) -> None:
    study = table(
        tmp_path / "t.csv",
        "source,document,system,summary,topic,length,e-mail",
        "d1,The mill burned.,alder,A mill burned down.,mills,19,a@example.org",
        "d1,The mill burned.,birch,A mill was lost.,mills,16,",
        "d2,The bridge opened.,alder,A bridge is open.,007,17,",
    )
    assert metadata(study.sources) == {"d1": {"topic": "mills"}, "d2": {"topic": "007"}}
    lengths = {"d1/alder": {"length": 19}, "d1/birch": {"length": 16}, "d2/alder": {"length": 17}}
    assert metadata(study.items) == lengths
    kept = "t.csv: topic (of the source), length (of the output)"
    assert told(study, "own_columns_kept") == [kept]
    assert told(study, PEOPLE) == ["t.csv: e-mail"]


def test_a_column_that_differs_within_a_later_source_stays_with_its_outputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("imports.formats.own_columns.SAMPLE", 2)
    study = table(
        tmp_path / "t.csv",
        "source,document,system,summary,topic",
        "d1,The mill burned.,alder,A mill burned down.,mills",
        "d1,The mill burned.,birch,A mill was lost.,mills",
        "d2,The bridge opened.,alder,A bridge is open.,roads",
        "d2,The bridge opened.,birch,A bridge was opened.,rivers",
    )
    assert metadata(study.sources) == {"d1": {"topic": "mills"}, "d2": {}}
    topics = {"d2/alder": {"topic": "roads"}, "d2/birch": {"topic": "rivers"}}
    assert metadata(study.items) == {"d1/alder": {}, "d1/birch": {}} | topics


def test_a_column_that_differs_for_one_text_is_no_metadata_of_it(tmp_path: Path) -> None:
    study = table(
        tmp_path / "t.csv",
        "document,summary,score,topic",
        "The mill burned.,A mill burned down.,1,mills",
        "The mill burned.,A mill burned down.,5,mills",
    )
    assert [item.metadata for item in study.items.all()] == [{"topic": "mills"}]
    assert told(study, DIFFERENT) == ["t.csv: score"]


def test_an_open_comparison_keeps_own_columns_of_each_output(tmp_path: Path) -> None:
    rows = (
        '{"document": "The mill burned.", "system": "alder", "summary": "It burned.", "n": 2}',
        '{"document": "The mill burned.", "system": "birch", "summary": "Fire.", "n": 1}',
    )
    study = import_files("table", write_table(tmp_path / "t.jsonl", *rows), task_type="pairwise")
    assert sorted(json.dumps(item.metadata) for item in study.items.all()) == [
        '{"n": 1}',
        '{"n": 2}',
    ]


def test_ratings_keep_what_describes_texts_answers_and_people(tmp_path: Path) -> None:
    study = import_files(
        "ratings",
        write_table(
            tmp_path / "t.csv",
            "rater,item,system,rating,topic,length,native,seconds,IPAddress",
            "ada,i,larch,1,mills,9,Sorbian,3,192.0.2.1",
            "bob,i,larch,2,mills,9,Welsh,4.5,192.0.2.2",
            "ada,i,birch,3,mills,8,Sorbian,5,192.0.2.1",
            "bob,i,birch,3,mills,8,Welsh,,192.0.2.2",
        ),
    )
    assert metadata(study.sources) == {"i": {"topic": "mills"}}
    assert metadata(study.items) == {"i/larch": {"length": 9}, "i/birch": {"length": 8}}
    answers = study.annotations.order_by("pk").values_list("metadata", flat=True)
    assert list(answers) == [{"seconds": 3}, {"seconds": 4.5}, {"seconds": 5}, {}]
    people = dict(study.raters.values_list("name", "metadata"))
    assert people == {"ada": {"native": "Sorbian"}, "bob": {"native": "Welsh"}}
    assert told(study, PEOPLE) == ["t.csv: IPAddress"]
