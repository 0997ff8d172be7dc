"""Ratings and estimates as Parquet and as a workbook."""

import csv
import json
from io import StringIO
from pathlib import Path

import polars as pl
import pytest
from django.core.management import CommandError, call_command
from openpyxl import load_workbook

from annotation.models import Annotation, Round, Study
from exports import frames, workbook
from exports.choice import ExportChoice
from exports.tables.columns import Column
from exports.tables.ratings import HEAD, count_ratings, rating_rows
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate


@pytest.fixture
def answered(db: None) -> Study:
    study = make_study(sources=2)
    ada = make_rater(study, "=1+1")
    for question in questions(study):
        choose(ada, question, 0, 2)
    rate(ada, questions(study, block=1)[0], 12.5)
    study.items.update(system="bell\x07")
    return study


def exported(study: Study, name: str, folder: Path) -> Path:
    call_command("export", study.slug, format=name, out=folder, stdout=StringIO())
    return folder


def plain(study: Study, folder: Path, name: str) -> list[dict[str, str]]:
    """The same table as CSV."""
    with (exported(study, "csv", folder) / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_parquet_has_the_rows_of_the_csv_with_types(answered: Study, tmp_path: Path) -> None:
    folder = exported(answered, "parquet", tmp_path / "parquet")
    ratings = pl.read_parquet(folder / "ratings.parquet")
    estimates = pl.read_parquet(folder / "estimates.parquet")

    assert ratings["value"].to_list() == ["[0, 2]", "[0, 2]", "12.5"]
    assert ratings["number"].to_list() == [None, None, 12.5]
    assert ratings["version"].to_list() == [1, 1, 1]
    assert ratings["rater"].to_list() == ["=1+1"] * 3
    rows = plain(answered, tmp_path / "csv", "estimates.csv")
    assert len(estimates) == len(rows)
    assert estimates["value"].to_list() == [
        float(row["value"]) if row["value"] else None for row in rows
    ]
    assert "number" in (folder / "README-parquet.txt").read_text()


def test_a_workbook_has_them_as_sheets_without_formulas(answered: Study, tmp_path: Path) -> None:
    path = exported(answered, "xlsx", tmp_path / "xlsx") / "results.xlsx"
    book = load_workbook(path)

    assert book.sheetnames == ["README", "ratings", "estimates"]
    head, *rows = book["ratings"].iter_rows(values_only=True)
    first = dict(zip(head, rows[0], strict=True))
    assert (first["rater"], first["system"], first["version"]) == ("=1+1", "bell\ufffd", 1)
    assert [cell.data_type for row in book["ratings"] for cell in row].count("f") == 0
    found = [dict(zip(head, row, strict=True))["value"] for row in rows]
    assert found == ["[0, 2]", "[0, 2]", 12.5]
    assert book["estimates"].max_row == 1 + len(plain(answered, tmp_path / "csv", "estimates.csv"))


def test_a_sheet_that_cannot_hold_the_rows_says_so(
    answered: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook, "MOST_ROWS", 3)
    with pytest.raises(CommandError, match=r"more ratings than a sheet holds \(2\)"):
        exported(answered, "xlsx", tmp_path)


def test_a_study_without_answers_has_empty_tables(db: None, tmp_path: Path) -> None:
    folder = exported(make_study(sources=1), "parquet", tmp_path)

    ratings = pl.read_parquet(folder / "ratings.parquet")
    assert len(ratings) == 0
    assert ratings.schema["number"] == pl.Float64
    estimates = pl.read_parquet(folder / "estimates.parquet")
    assert set(estimates["undefined"].drop_nulls()) == {"no human answers"}


def test_times_and_deviations_are_typed(answered: Study, tmp_path: Path) -> None:
    folder = exported(answered, "parquet", tmp_path)
    ratings = pl.read_parquet(folder / "ratings.parquet")
    estimates = pl.read_parquet(folder / "estimates.parquet")

    assert ratings.schema["answered_at"] == pl.Datetime("us", "UTC")
    first = answered.annotations.order_by("pk")[0]
    assert ratings["answered_at"][0] == first.created_at.replace(microsecond=0)
    assert ratings.schema["seconds"] == estimates.schema["sd"] == pl.Float64


def test_a_table_larger_than_a_piece_keeps_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "CHUNK", 3)
    columns = [Column("n", "whole", ""), Column("parts", "texts", "")]
    rows = [(n, ["a", "b"][: n % 3]) for n in range(10)]

    frame = pl.read_parquet(b"".join(frames.table_pieces(columns, rows)))

    assert frame.rows() == rows


def test_the_wide_table_has_a_column_for_each_rater(answered: Study, tmp_path: Path) -> None:
    first, second = questions(answered)
    bob = make_rater(answered, "bob")
    choose(bob, first, 1)
    excluded = choose(bob, second, 1)
    Annotation.objects.filter(pk=excluded.pk).update(excluded_reason="too fast")
    judge = make_rater(answered, "gpt", "judge")
    for replicate in (0, 1):
        choose(judge, first, replicate, replicate=replicate)

    rows = plain(answered, tmp_path, "wide.csv")

    assert [(row["unit"], row["facet"]) for row in rows] == [
        ("claim-0/alder/1", "recovery"),
        ("claim-0/alder/1", "utility"),
        ("claim-1/alder/1", "recovery"),
    ]
    assert [*rows[0]][-4:] == ["human_=1+1", "human_bob", "judge_gpt", "judge_gpt#1"]
    values = [[row[name] for name in ("human_=1+1", "human_bob", "judge_gpt#1")] for row in rows]
    assert values == [["[0, 2]", "[1]", "[1]"], ["12.5", "", ""], ["[0, 2]", "[1]", ""]]
    assert [row["n_counted"] for row in rows] == ["4", "1", "1"]
    assert json.loads(rows[2]["not_counted"]) == {"human_bob": "excluded: too fast"}


def test_formats_in_one_folder_keep_their_own_readme(answered: Study, tmp_path: Path) -> None:
    for name in ("csv", "jsonl", "parquet", "dataset"):
        exported(answered, name, tmp_path)

    readmes = [path.name for path in sorted(tmp_path.glob("README*"))]
    assert readmes == [f"README-{name}.txt" for name in ("csv", "dataset", "jsonl", "parquet")]


def test_ratings_of_a_round_are_those_of_its_answers_alone(db: None) -> None:
    study = make_study(sources=2)
    main = study.rounds.get()
    pilot = Round.objects.create(study=study, position=1, name="pilot", counts=False)
    ada = make_rater(study, "ada")
    for round_, question in zip((main, pilot), questions(study), strict=True):
        choose(ada, question, 0, round_=round_)
    for name, expected in (("main", 1), ("pilot", 1), ("", 2)):
        choice = ExportChoice(round=name)
        assert count_ratings(study, choice) == expected
        rounds = [row[HEAD.index("round")] for row in rating_rows(study, choice)]
        assert rounds == ([name] if name else ["main", "pilot"])
