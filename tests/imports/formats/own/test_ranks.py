from pathlib import Path

import openpyxl
import pytest

from annotation.models import Rater
from estimates.data.bundles.reader import from_bundle
from estimates.data.database import from_database
from estimates.data.options import Options
from estimates.engine.estimation import estimate
from estimates.metrics.systems.positions import UNKNOWN
from exports.files import write_export
from tests.imports.tables import answers_of, import_files, refusal, write_table

pytestmark = pytest.mark.django_db


def test_a_row_is_one_ranking_of_the_candidates_in_its_columns(tmp_path: Path) -> None:
    rows = ("item,annotator,just,extr,mt", "1,a,1,2,2", "1,b,3,1,2", "2,a,1,2,3")
    study = import_files("ranks", write_table(tmp_path / "t.csv", *rows))
    assert answers_of(study, "a") == {
        "1": {"ranks": {"rank": [1, 2, 2]}},
        "2": {"ranks": {"rank": [1, 2, 3]}},
    }
    systems = study.units.get(key="1").items.values_list("system", flat=True)
    assert list(systems) == ["just", "extr", "mt"]


def test_without_a_column_of_raters_each_file_is_one_whatever_the_order_of_its_columns(
    tmp_path: Path,
) -> None:
    ann = write_table(tmp_path / "ann.csv", "item,criterion,x,y", "1,coverage,1,2", "1,ease,2,1")
    bob = write_table(tmp_path / "bob.csv", "y,x,criterion,item", "1,2,ease,1")
    study = import_files("ranks", ann, bob)
    assert answers_of(study, "ann") == {
        "1 coverage": {"ranks": {"coverage": [1, 2]}},
        "1 ease": {"ranks": {"ease": [2, 1]}},
    }
    assert answers_of(study, "bob") == {"1 ease": {"ranks": {"ease": [2, 1]}}}


def test_the_order_of_the_columns_is_not_taken_for_the_order_shown(tmp_path: Path) -> None:
    rows = ("item,annotator,x,y", "1,a,1,2", "2,a,1,2", "3,a,1,2")
    study = import_files("ranks", write_table(tmp_path / "t.csv", *rows))
    (bundle,) = write_export(study=study, format_name="bundle", folder=tmp_path)
    for data in (from_database(study), from_bundle(bundle)[1]):
        found = estimate(data, Options(resamples=20)).rows
        (row,) = (row for row in found if row.metric == "position_share")
        assert row.estimate.value is None
        assert row.estimate.undefined == UNKNOWN


def test_a_judge_asked_here_is_shown_an_order_that_is_known(tmp_path: Path) -> None:
    rows = ("item,annotator,x,y", "1,a,1,2", "2,a,1,2")
    study = import_files("ranks", write_table(tmp_path / "t.csv", *rows))
    Rater.objects.filter(study=study).update(kind="judge", origin="here")
    found = estimate(from_database(study), Options(resamples=20)).rows
    (row,) = (row for row in found if row.metric == "position_share")
    assert row.estimate.value is not None


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["item,x,y", "1,1,3"], "t.csv:2: y: 3 is not a rank from 1 to 2"),
        (["item,x,y", "1,1,0"], "t.csv:2: y: 0 is not a rank from 1 to 2"),
        (["item,x,y", "1,1,1.5"], "t.csv:2: y: 1.5 is not a rank from 1 to 2"),
        (["item,x,y", "1,1,"], "t.csv:2: y: empty"),
        (["item,x,y", "1,1,2", "1,2,1"], "t.csv:3: unit: 't' has already answered '1'"),
        (["item,x", "1,1"], "t.csv:1: columns: fewer than two candidates"),
        (["id,x,y", "1,1,2"], "t.csv:1: item: no such column (the file has: id, x, y)"),
        (["item,x,x", "1,1,2"], "t.csv:1: columns: x (2): give it another name"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(tmp_path: Path, rows: list[str], reason: str) -> None:
    assert refusal("ranks", write_table(tmp_path / "t.csv", *rows)) == reason


def workbook(path: Path, **sheets: list[list[object]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_each_sheet_of_a_spreadsheet_is_one_rater(tmp_path: Path) -> None:
    names: list[object] = ["item", "x", "y"]
    file = workbook(tmp_path / "t.xlsx", ann=[names, [1, 1, 2]], bob=[names, [1, 2.0, "1"]])
    study = import_files("ranks", file)
    assert answers_of(study, "ann") == {"1": {"ranks": {"rank": [1, 2]}}}
    assert answers_of(study, "bob") == {"1": {"ranks": {"rank": [2, 1]}}}


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([["item", "x", "y"], [1, 1, None]], "t.xlsx (sheet bob, row 2): y: empty"),
        ([["item", "x", "z"], [1, 1, 2]], "t.xlsx (sheet bob, row 1): columns: others than in"),
        ([["item", "x", "y"], [1, 1, 2, 3]], "t.xlsx (sheet bob, row 1): columns: others than in"),
    ],
)
def test_what_is_wrong_in_a_spreadsheet_is_named_by_sheet_and_row(
    tmp_path: Path, rows: list[list[object]], reason: str
) -> None:
    file = workbook(tmp_path / "t.xlsx", ann=[["item", "x", "y"], [1, 1, 2]], bob=rows)
    assert refusal("ranks", file).startswith(reason)


def test_what_only_looks_like_a_spreadsheet_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.xlsx"
    file.write_bytes(b"PK\x03\x04more")
    assert refusal("ranks", file) == "t.xlsx: file: no spreadsheet that can be read"
