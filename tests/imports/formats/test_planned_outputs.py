"""Outputs under a reading: what is told of them, and of the source that several are about."""

import json
from pathlib import Path

import pytest

from annotation.models import Study
from tests.imports.tables import import_files, refused, write_table

pytestmark = pytest.mark.django_db

HELD = ["id=source", "document=document", "summary=text"]


def read(path: Path, *held: str) -> Study:
    return import_files("table", path, task_type="likert", held=[*HELD, *held])


def test_a_reading_tells_what_groups_outputs_beside_their_system(tmp_path: Path) -> None:
    path = write_table(
        tmp_path / "t.csv",
        "id,document,model,kin,basis,style,summary",
        "d1,The mill burned.,alder,tree,human,short,It burned.",
        "d1,The mill burned.,birch,tree,machine,long,A mill burned down.",
    )
    told = ["model=system", "kin=system_family", "basis=evidence_source", "style=condition"]
    items = read(path, *told).items.order_by("key")
    assert list(items.values_list("key", "system_family", "evidence_source", "condition")) == [
        ("d1/alder", "tree", "human", "short"),
        ("d1/birch", "tree", "machine", "long"),
    ]


def test_what_differs_within_a_source_stays_with_its_outputs(tmp_path: Path) -> None:
    """The first rows do not say that the last source has two topics."""
    rows = [f"d{n},Document {n}.,{s},Text {s} {n}.,mills" for n in range(600) for s in "ab"]
    rows[-1] = rows[-1].replace("mills", "roads")
    path = write_table(tmp_path / "t.csv", "id,document,model,summary,topic", *rows)
    study = read(path, "model=system", "topic=kept")
    assert study.sources.get(key="d0").metadata == {"topic": "mills"}
    assert study.sources.get(key="d599").metadata == {}
    items = study.items.filter(source__key="d599").order_by("key")
    assert [item.metadata for item in items] == [{"topic": "mills"}, {"topic": "roads"}]


def test_a_source_of_two_texts_is_refused_with_both_lines(tmp_path: Path) -> None:
    path = write_table(
        tmp_path / "t.csv",
        "id,document,summary",
        "d1,The mill burned.,It burned.",
        "d1,The mill is shut.,It is shut.",
        "d2,A pool.,A pool.",
    )
    held = {"id": "source", "document": "document", "summary": "text"}
    columns = [{"column": name, "holds": holds} for name, holds in held.items()]
    reading = tmp_path / "reading.json"
    reading.write_text(json.dumps({"tables": [{"files": ["t.csv"], "columns": columns}]}))
    said = refused("table", path, task_type="likert", reading=reading)
    assert said == "t.csv:3: id: 'd1' stands at t.csv:2 already, with other texts"
