"""How wide tables may be and how deep JSON, and that neither takes time or memory."""

import io
import json
import time
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import polars
import pytest

from files.errors import ImportFailure
from files.readers.columns import MOST_COLUMNS
from files.readers.detection import detected_form
from files.readers.documents import array_records, whole_object
from files.readers.item_rows import item_column_names, item_rows
from files.readers.json_values import DEEPEST, NestedTooDeeply, json_value
from files.readers.objects import object_records
from files.readers.streams import keyed_records
from files.readers.tables import column_names, table_rows

TOO_MANY = r"columns: more than 2,000: too many to be read$"


def names(path: Path) -> tuple[str, ...]:
    return item_column_names(path, detected_form(path))


def wide(folder: Path, kind: str, n_columns: int) -> Path:
    path, columns = folder / f"x.{kind}", [f"c{n}" for n in range(n_columns)]
    if kind == "csv":
        path.write_text(",".join(columns) + "\n" + ",".join("1" * n_columns) + "\n")
    elif kind == "jsonl":
        path.write_text(json.dumps(dict.fromkeys(columns, 1)) + "\n")
    elif kind == "xlsx":
        book = openpyxl.Workbook()
        assert book.active is not None
        book.active.append(columns)
        book.active.append(columns)
        book.save(path)
    else:
        polars.DataFrame({name: [1] for name in columns}).write_parquet(path)
    return path


@pytest.mark.parametrize("kind", ["csv", "jsonl", "xlsx", "parquet"])
def test_a_table_may_have_two_thousand_columns(kind: str, tmp_path: Path) -> None:
    path = wide(tmp_path, kind, MOST_COLUMNS)
    assert len(names(path)) == MOST_COLUMNS
    (row,) = item_rows(path, detected_form(path))
    assert len(row.cells) == MOST_COLUMNS
    with pytest.raises(ImportFailure, match=TOO_MANY):
        names(wide(tmp_path, kind, MOST_COLUMNS + 1))


def test_names_are_read_in_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(",".join(f"column{n}" for n in range(200_000)) + "\n")
    began = time.process_time()
    with pytest.raises(ImportFailure, match=TOO_MANY):
        column_names(path)
    assert time.process_time() - began < 2


def test_rows_with_a_cell_in_the_last_column_take_no_time(tmp_path: Path) -> None:
    path, book = tmp_path / "x.xlsx", openpyxl.Workbook()
    sheet: Any = book.active
    sheet.append(["document", "summary"])
    for number in range(2, 1002):
        sheet.cell(number, 16_384).value = "x"
    book.save(path)
    began = time.process_time()
    rows = list(table_rows(path))
    assert time.process_time() - began < 2
    assert len(rows) == 1000
    with pytest.raises(ImportFailure, match="more than 2,000 cells under 2 names"):
        assert rows[0].cells
    assert rows[0].where.raw == ["x"]


def rows_of(path: Path) -> list[dict[str, str]]:
    return [row.cells for row in item_rows(path, detected_form(path))]


def nested(depth: int, inside: str = "1") -> str:
    return "[" * depth + inside + "]" * depth


@pytest.mark.parametrize("depth", [DEEPEST + 1, 900, 5000, 200_000])
def test_json_that_is_nested_too_deeply_is_refused(depth: int) -> None:
    with pytest.raises(NestedTooDeeply):
        json_value(nested(depth))
    with pytest.raises(NestedTooDeeply):
        json_value(b'{"a":' * depth + b"1" + b"}" * depth)


def test_json_is_not_refused_for_how_much_there_is_of_it() -> None:
    assert json_value(nested(DEEPEST)) == json.loads(nested(DEEPEST))
    many = [[{"a": [n]}] for n in range(1000)]
    assert json_value(json.dumps(many)) == many
    assert json_value('"' + "[" * 1000 + '"') == "[" * 1000


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (f'{{"a": {nested(200_000)}}}', lambda path: [r.value for r in object_records(path)]),
        (f"[{nested(2000)}]", lambda path: [r.value for r in array_records(path)]),
        (f'{{"a": {nested(2000)}}}', lambda path: [r.value for r in keyed_records(path)]),
        (f'{{"a": {nested(200_000)}}}', whole_object),
        (
            f'{{"a": {nested(200_000)}}}\n' * 2,
            rows_of,
        ),
    ],
    ids=["lines", "array", "object of records", "document", "table"],
)
def test_every_reader_of_json_refuses_what_is_nested_too_deeply(
    text: str, read: Any, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ImportFailure, match="JSON: nested more than 100 levels deep"):
        read(path)


def test_spreadsheets_packed_by_odd_methods_are_refused(tmp_path: Path) -> None:
    plain, path = wide(tmp_path, "xlsx", 2).read_bytes(), tmp_path / "odd.xlsx"
    with zipfile.ZipFile(io.BytesIO(plain)) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name), compress_type=zipfile.ZIP_BZIP2)
    with pytest.raises(ImportFailure, match="no spreadsheet that can be read"):
        column_names(path)
