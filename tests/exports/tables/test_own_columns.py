"""Own columns come last in tables of ratings, and change no column before them."""

import csv
import json
import zipfile
from io import StringIO
from pathlib import Path

import polars as pl
import pytest
from django.core.management import call_command
from openpyxl import load_workbook

from annotation.models import Study
from estimates.data.bundles.reader import from_bundle
from exports.tables.ratings import HEAD
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions

OWN = ["source.topic", "item.length", "item.odd", "unit.3", "answer.note"]


@pytest.fixture
def kept(db: None) -> Study:
    study = make_study(sources=2)
    ada = make_rater(study, "ada")
    for question in questions(study):
        choose(ada, question, 0, 2)
    first = questions(study)[0]
    study.sources.filter(pk=first.unit.source_id).update(metadata={"topic": "=mills"})
    item = first.unit.items.get()
    study.items.filter(pk=item.pk).update(metadata={"length": 31, "odd": True})
    study.items.exclude(pk=item.pk).update(metadata={"length": 2.5, "odd": "no"})
    study.units.filter(pk=first.unit_id).update(metadata={"3": "three"})
    study.annotations.filter(question=first).update(metadata={"note": "quick"})
    return study


def exported(study: Study, name: str, folder: Path) -> Path:
    call_command("export", study.slug, format=name, out=folder, stdout=StringIO())
    return folder


def test_a_csv_has_own_columns_behind_its_head(kept: Study, tmp_path: Path) -> None:
    with (exported(kept, "csv", tmp_path) / "ratings.csv").open(encoding="utf-8") as file:
        head, first, second = csv.reader(file)
    assert head == [*HEAD, *OWN]
    assert first[len(HEAD) :] == ["'=mills", "31", "true", "three", "quick"]
    assert second[len(HEAD) :] == ["", "2.5", "no", "", ""]


def test_parquet_types_columns_of_numbers(kept: Study, tmp_path: Path) -> None:
    ratings = pl.read_parquet(exported(kept, "parquet", tmp_path) / "ratings.parquet")
    assert ratings.columns[-len(OWN) :] == OWN
    assert ratings["item.length"].to_list() == [31.0, 2.5]
    assert ratings["item.odd"].to_list() == ["true", "no"]
    assert ratings["source.topic"].to_list() == ["=mills", None]


def test_a_workbook_has_them_too(kept: Study, tmp_path: Path) -> None:
    book = load_workbook(exported(kept, "xlsx", tmp_path) / "results.xlsx")
    head, first, _second = book["ratings"].iter_rows(values_only=True)
    assert list(head[-len(OWN) :]) == OWN
    assert first[-len(OWN) :] == ("=mills", 31, "true", "three", "quick")


def test_a_bundle_holds_them_and_is_still_read(kept: Study, tmp_path: Path) -> None:
    path = exported(kept, "bundle", tmp_path) / f"{kept.slug}-bundle.zip"
    with zipfile.ZipFile(path) as archive:
        names = {name.rpartition("/")[2]: name for name in archive.namelist()}
        items = [json.loads(line) for line in archive.open(names["items.jsonl"])]
        raters = archive.read(names["raters.jsonl"])
    assert {"length": 31, "odd": True} in [item.get("metadata") for item in items]
    assert b"metadata" not in raters
    assert from_bundle(path)
