"""Whoever answers for the first time while an export is written stands in it under their name or,
where its files are of one moment, not at all."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import openpyxl
import polars
import pytest

from annotation.models import Study
from exports.choice import ExportChoice
from exports.files import write_export
from exports.formats import FORMATS, Files
from exports.tables import answers, ratings, wide
from exports.tables.wide import wide_lines
from tests.results.answers import choose, disagree, make_rater, questions

pytestmark = pytest.mark.django_db


@pytest.fixture
def nobody_at_first(study: Study, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study of which the names were read before anybody had answered."""
    before: list[dict[int, str]] = [{}]
    now = answers._names_now

    def names(study: Study) -> Any:
        return before.pop() if before else now(study)

    monkeypatch.setattr(answers, "_names_now", names)
    return disagree(study)


def test_ratings_have_the_name_of_a_rater_who_came_late(nobody_at_first: Study) -> None:
    text = "".join(ratings.rating_lines(nobody_at_first))
    rows = list(csv.DictReader(StringIO(text)))
    assert rows
    assert {row["rater"] for row in rows} == set(answers.names_of_raters(nobody_at_first).values())


def test_answers_have_the_name_of_a_rater_who_came_late(nobody_at_first: Study) -> None:
    lines = [json.loads(line) for line in answers.answer_lines(nobody_at_first)]
    assert lines
    assert all(line["rater"] for line in lines)


ALL_OF_ONE_MOMENT = ("csv", "parquet", "xlsx", "jsonl", "dataset", "huggingface")


@pytest.mark.both_databases
@pytest.mark.parametrize("format_name", ALL_OF_ONE_MOMENT)
def test_all_files_are_of_the_moment_at_which_the_export_began(
    format_name: str, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Afterwards a rater answers for the first time, and another replaces an answer."""
    disagree(study)
    before = written(study, format_name, tmp_path / "before")
    begin = FORMATS[format_name]

    def begun(study: Study, choice: ExportChoice) -> Files:
        files = begin(study, choice)
        come_late(study)
        return files

    monkeypatch.setitem(FORMATS, format_name, begun)
    assert written(study, format_name, tmp_path / "meanwhile") == before
    assert study.raters.filter(name="late").exists()
    monkeypatch.setitem(FORMATS, format_name, begin)
    assert written(study, format_name, tmp_path / "afterwards") != before


def come_late(study: Study) -> None:
    late = make_rater(study, "late", "human")
    for at, question in enumerate(questions(study)):
        choose(late, question, at)
    early = study.raters.get(name="ada")
    choose(early, questions(study)[0], 2, supersede=True)


def written(study: Study, format_name: str, folder: Path) -> dict[str, object]:
    write_export(study=study, format_name=format_name, folder=folder)
    return {path.name: contents(path) for path in sorted(folder.rglob("*.*"))}


def contents(path: Path) -> object:
    """What a file says, but for when it was made."""
    if path.suffix == ".parquet":
        return polars.read_parquet(path).to_dicts()
    if path.suffix == ".xlsx":
        sheets = openpyxl.load_workbook(path).worksheets
        return [[list(row) for row in sheet.iter_rows(values_only=True)] for sheet in sheets]
    return [line for line in path.read_text().splitlines() if "sha256" not in line]


def test_wide_has_a_column_for_each_rater_that_it_counts(study: Study) -> None:
    disagree(study)
    lines = wide_lines(study)
    head = next(lines)
    come_late(study)
    rows = list(csv.DictReader(StringIO(head + "".join(lines))))
    places = len(wide.HEAD)
    for row in rows:
        values = list(row.values())[places:]
        not_counted = json.loads(row["not_counted"] or "{}")
        assert int(row["n_counted"]) == sum(value != "" for value in values) - len(not_counted)
    assert not any("late" in name for name in rows[0])
