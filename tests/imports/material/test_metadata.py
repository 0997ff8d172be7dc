"""Own columns of records and answers stay with what they describe, but not those of people."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Annotation, Study
from imports.material.metadata import typed_cell, typed_cells
from tests.imports.small_files import import_lines, item, record, source, write_lines
from tests.imports.tables import import_files, skipped

pytestmark = pytest.mark.django_db

OWN = {"topic": "mills", "year": 2009, "share": 0.5, "checked": True}


def with_metadata() -> dict[str, Any]:
    """A record with own columns everywhere."""
    return {
        "source": source(metadata=OWN),
        "items": [item(metadata={"length": 31, "3": "three"})],
        "unit": {"key": "mill/alder/1", "focus": {"passage": 1}, "metadata": {"list": "A"}},
    }


def answer(**changes: Any) -> dict[str, Any]:
    about = {"unit": "mill/alder/1", "rater": "ada", "kind": "human"}
    return about | {"answer": {"sentences": [1]}, "block": "citation_recovery"} | changes


def import_answers(folder: Path, *lines: dict[str, Any]) -> None:
    path = write_lines(folder / "answers.jsonl", lines)
    call_command("import_answers", "s", str(path), verbosity=0)


def export(study: Study, name: str, folder: Path) -> Path:
    call_command("export", study.slug, format=name, out=folder, verbosity=0)
    return folder


def stored(study: Study) -> list[dict[str, Any]]:
    """The metadata of the source, its item, its unit and all answers."""
    rows = (study.sources.get(), study.items.get(), study.units.get())
    answers = Annotation.objects.filter(study=study).order_by("pk")
    return [row.metadata for row in (*rows, *answers)]


def test_records_and_answers_keep_their_own_columns_through_an_export(tmp_path: Path) -> None:
    study = import_lines(tmp_path, [with_metadata()])
    import_answers(tmp_path, answer(metadata={"seconds": 12.5}))
    kept = [OWN, {"length": 31, "3": "three"}, {"list": "A"}, {"seconds": 12.5}]
    assert stored(study) == kept

    folder = export(study, "jsonl", tmp_path / "out")
    again = import_files("jsonl", folder / "items.jsonl", slug="again")
    call_command("import_answers", "again", str(folder / "answers.jsonl"), verbosity=0)
    assert stored(again) == kept


def test_what_identifies_people_is_not_kept(tmp_path: Path) -> None:
    about = {"e-mail": "x", "note": "ann@example.org", "topic": "mills"}
    study = import_lines(tmp_path, [with_metadata() | {"source": source(metadata=about)}])
    import_answers(tmp_path, answer(metadata={"WorkerId": "w1", "HITId": "h1"}))
    assert [*stored(study)[::3]] == [{"topic": "mills"}, {"HITId": "h1"}]


def test_properties_of_a_rater_are_kept_and_stand_in_no_export(tmp_path: Path) -> None:
    study = import_lines(tmp_path, [with_metadata(), record(1)])
    told = {"language": "Sorbian", "name": "Ada Example", "first name": "Ada"}
    import_answers(tmp_path, answer(rater_metadata=told))
    kept = {"language": "Sorbian", "name": "Ada Example"}
    assert study.raters.get().metadata == kept
    for name in ("jsonl", "csv", "bundle", "dataset", "huggingface", "label-studio"):
        export(study, name, tmp_path / name)
        for path in (tmp_path / name).rglob("*.*"):
            assert path.is_dir() or b"Sorbian" not in path.read_bytes()


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ({"a": None}, ".a: neither text nor number, true or false"),
        ({"a": ["b"]}, ".a: neither text nor number, true or false"),
        ({"a": "b" * 10_001}, ".a: more than 10,000 characters"),
        ({str(n): n for n in range(101)}, ": more than 100 own columns"),
        ({"": 1}, ": '': a name has 1 to 200 characters"),
    ],
)
def test_metadata_beyond_its_bounds_skips_its_record(
    metadata: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    wrong = record(1) | {"source": source("mill-1", metadata=metadata)}
    (said,) = skipped("jsonl", write_lines(tmp_path / "r.jsonl", [record(), record(2), wrong]))
    assert said.endswith(f"source.metadata{reason}")


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        *(("12", 12), ("-0.5", -0.5), ("true", True)),
        *((text, text) for text in ("007", "1.50", "1e3", "True", "2009-05-01", "9" * 17)),
    ],
)
def test_a_cell_is_typed_where_nothing_of_it_is_lost(cell: str, value: Any) -> None:
    typed = typed_cell(cell)
    assert (typed, type(typed)) == (value, type(value))
    assert json.dumps(typed).strip('"') == cell


def test_cells_that_are_empty_or_too_long_are_no_metadata() -> None:
    assert typed_cells({"a": "", "b": "x" * 10_001, "c": "0"}) == {"c": 0}
