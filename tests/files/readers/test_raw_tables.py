"""Tables of JSON as it is published, of folders and of archives."""

import json
import zipfile
from pathlib import Path
from typing import Any

import polars
import pytest

from files.errors import ImportFailure
from files.readers.raw_tables import RawTable, raw_tables
from imports.sandbox.calls import call_apart


def cells(found: RawTable) -> list[dict[str, str]]:
    return [row.cells for row in found.rows()]


def written(folder: Path, value: Any, name: str = "t.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def unfolded(folder: Path, value: Any) -> RawTable:
    (found,) = raw_tables([written(folder, value)])
    return found


RECORDS = [{"id": 1, "text": "A."}, {"id": 2, "text": "B."}]
ROWS = [{"id": "1", "text": "A."}, {"id": "2", "text": "B."}]


@pytest.mark.parametrize(
    "value",
    [
        RECORDS,
        {"data": RECORDS},
        {"data": {"items": RECORDS}},
        {"id": [1, 2], "text": ["A.", "B."]},
        {"id": {"0": 1, "1": 2}, "text": {"0": "A.", "1": "B."}},
        {"columns": ["id", "text"], "index": [0, 1], "data": [[1, "A."], [2, "B."]]},
    ],
    ids=["array", "beside", "within", "columns", "numbered columns", "split"],
)
def test_records_are_found_however_they_are_laid_out(value: Any, tmp_path: Path) -> None:
    assert cells(unfolded(tmp_path, value)) == ROWS


def test_records_by_their_keys_have_these_in_a_column(tmp_path: Path) -> None:
    found = unfolded(tmp_path, {"x": {"key": 1, "s": [3, 4]}, "y": {"key": 2, "s": [5, 4]}})
    assert found.names == ("key", "key (2)", "s.1", "s.2")
    assert [list(row.values()) for row in cells(found)] == [
        ["x", "1", "3", "4"],
        ["y", "2", "5", "4"],
    ]


def test_lists_by_their_keys_have_these_in_a_column(tmp_path: Path) -> None:
    found = unfolded(tmp_path, {f"d{n}": [1, 2] for n in range(3)})
    assert found.names == ("key", "value.1", "value.2")


def test_names_and_what_they_stand_for_are_a_table(tmp_path: Path) -> None:
    assert cells(unfolded(tmp_path, {"A": "x", "B": "y"})) == [
        {"key": "A", "value": "x"},
        {"key": "B", "value": "y"},
    ]


def test_lists_of_records_by_system_are_one_table(tmp_path: Path) -> None:
    found = unfolded(tmp_path, {"x": RECORDS, "y": RECORDS[:1]})
    assert [row["key"] for row in cells(found)] == ["x", "x", "y"]


def test_lists_of_different_records_are_tables_each(tmp_path: Path) -> None:
    first, second = raw_tables(
        [written(tmp_path, {"texts": RECORDS, "of": [{"who": "a", "s": 1}]})]
    )
    assert (first.name, cells(first)) == ("t.json#texts", ROWS)
    assert (second.name, cells(second)) == ("t.json#of", [{"who": "a", "s": "1"}])


def test_what_stands_beside_the_records_is_repeated(tmp_path: Path) -> None:
    found = unfolded(tmp_path, {"id": "run", "by": {"who": "ann"}, "data": RECORDS})
    assert cells(found)[1] == {"id (2)": "run", "by.who": "ann", "id": "2", "text": "B."}


def test_nested_members_become_columns_with_their_paths(tmp_path: Path) -> None:
    found = unfolded(tmp_path, [{"s": {"gpt-4.1": {"text": "A."}}, "f": [[1, 2], [3, 4]]}] * 2)
    assert found.names == ("s.gpt-4.1.text", "f.1.1", "f.1.2", "f.2.1", "f.2.2")
    assert found.paths["s.gpt-4.1.text"] == ("s", "gpt-4.1", "text")
    assert found.paths["f.2.1"] == ("f", "2", "1")
    assert list(cells(found)[0].values()) == ["A.", "1", "2", "3", "4"]


def test_values_are_texts_and_null_is_empty(tmp_path: Path) -> None:
    values: dict[str, Any] = {
        "n": None,
        "t": "nan",
        "b": True,
        "i": 4.0,
        "f": 2.5,
        "x": float("nan"),
        "e": [],
    }
    (row, _) = cells(unfolded(tmp_path, [values, {"e": [1]}]))
    assert row == {"n": "", "t": "nan", "b": "true", "i": "4", "f": "2.5", "x": "", "e.1": ""}


def test_long_lists_of_records_become_rows(tmp_path: Path) -> None:
    marks = [{"by": f"w{n}", "s": [n, 1]} for n in range(30)]
    found = unfolded(tmp_path, [{"id": 1, "marks": marks}, {"id": 2, "marks": []}])
    assert found.names == ("id", "marks.by", "marks.s.1", "marks.s.2")
    rows = list(found.rows())
    assert len({row.where for row in rows}) == len(rows) == 31
    assert list(rows[29].cells.values()) == ["1", "w29", "29", "1"]
    assert list(rows[30].cells.values()) == ["2", "", "", ""]
    assert found.notes == ("Each part of `marks` is a row of its own.",)


def test_long_lists_of_numbers_stay_in_one_cell(tmp_path: Path) -> None:
    found = unfolded(tmp_path, [{"id": 1, "p": [1] * 30}, {"id": 2, "p": [1] * 9}])
    assert cells(found)[1] == {"id": "2", "p": json.dumps([1] * 9)}
    assert found.notes == ("`p` is left as JSON in one cell.",)


def test_objects_with_very_many_keys_become_rows(tmp_path: Path) -> None:
    found = unfolded(tmp_path, {w: {f"d{n}": n for n in range(3000)} for w in ("ann", "bob")})
    assert found.names == ("key", "key (2)", "value")
    assert list(cells(found)[3001].values()) == ["bob", "d1", "1"]


def test_what_the_first_records_lack_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("files.readers.unfolding._SAMPLE", 2)
    found = unfolded(tmp_path, [{"s": [1, 2]}, {"s": [1, 2, 3]}, {"s": [1], "t": []}])
    first, second, third = found.rows()
    assert (first.cells, third.cells) == ({"s.1": "1", "s.2": "2"}, {"s.1": "1", "s.2": ""})
    with pytest.raises(ImportFailure, match=r"record 1\): JSON: something that the first records"):
        assert second.cells


def test_lines_that_cannot_be_read_are_listed_where_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": {"b": 1}}\n{"a"\n{"a": {"b": 2}, "a": 1}\n{"a": {"b": "\\ud800"}}\n[]\n')
    first, *others, last = raw_tables([path])[0].rows()
    assert (first.cells, last.cells) == ({"a.b": "1"}, {"a.b": ""})
    for row, reason in zip(others, ("Expecting", "'a' is given twice", "not UTF-8"), strict=True):
        with pytest.raises(ImportFailure, match=reason):
            assert row.cells


def test_parquet_is_unfolded(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    polars.DataFrame({"id": [1, 2], "s": [[4, 5], [3]]}).write_parquet(path)
    (found,) = raw_tables([path])
    assert [list(row.values()) for row in cells(found)] == [["1", "4", "5"], ["2", "3", ""]]


# --- Folders and archives ------------------------------------------------------------------------


def filled(folder: Path) -> Path:
    for name in ("ann/t.csv", "bob/t.csv", "README.md", "notes.json.txt", ".hidden.csv"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("item,score\nd1,4\n" if name.endswith("t.csv") else "{}")
    return folder


def packed(folder: Path, name: str = "t.zip") -> Path:
    path = folder.parent / name
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))
    return path


@pytest.mark.parametrize("is_packed", [False, True])
def test_each_file_of_a_folder_or_an_archive_is_a_table(is_packed: bool, tmp_path: Path) -> None:
    folder = filled(tmp_path / "study")
    tables = raw_tables([packed(folder) if is_packed else folder])
    assert [(t.name, t.folder) for t in tables] == [("ann/t.csv", "ann"), ("bob/t.csv", "bob")]
    assert [cells(t) for t in tables] == [[{"item": "d1", "score": "4"}]] * 2
    root = "t" if is_packed else "study"
    told = f"Passed over in `{root}`: .hidden.csv, README.md, notes.json.txt."
    assert [list(t.notes) for t in tables] == [[told], []]


def test_what_is_wrong_in_an_archive_is_named_by_it(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "t.csv").write_text("a,b\n1\n")
    path = packed(tmp_path / "study")
    ((row,),) = (list(t.rows()) for t in raw_tables([path]))
    assert row.where == f"{path}/t.csv:2"
    (tmp_path / "study" / "t.csv").write_text("")
    with pytest.raises(ImportFailure, match=rf"^{path}/t.csv: columns: the file is empty"):
        raw_tables([packed(tmp_path / "study")])


def test_what_was_unpacked_is_removed_with_its_tables(tmp_path: Path) -> None:
    tables = raw_tables([packed(filled(tmp_path / "study"))])
    folder = tables[0].path.parents[1]
    assert folder.is_dir()
    del tables
    assert not folder.exists()


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    folder = filled(tmp_path / "study")
    tables = raw_tables([folder / "ann" / "t.csv", folder / "bob" / "t.csv"])
    assert [(t.name, t.folder) for t in tables] == [("ann/t.csv", "ann"), ("bob/t.csv", "bob")]


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("Nothing.")
    with pytest.raises(ImportFailure, match="holds no table"):
        raw_tables([tmp_path])


def test_archives_that_unpack_to_too_much_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("files.readers.folders._LARGEST", 10)
    with pytest.raises(ImportFailure, match="unpacks to more than"):
        raw_tables([packed(filled(tmp_path / "study"))])


def first_names(path: Path) -> list[tuple[str, ...]]:
    return [table.names for table in raw_tables([path])]


def test_tables_are_read_in_a_process_of_their_own(tmp_path: Path) -> None:
    path = packed(filled(tmp_path / "study"))
    assert call_apart(first_names, path) == [("item", "score")] * 2


# --- As published --------------------------------------------------------------------------------


def test_everything_published_is_read(shared_data: Path) -> None:
    files = [p for p in shared_data.rglob("*") if p.is_file() and p.name != "README.md"]
    assert len(files) > 60
    for path in files:
        for found in raw_tables([path]):
            assert sum(len(row.cells) for row in found.rows()) > 0
