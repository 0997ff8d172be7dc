"""Tables as programs and people leave them: read all the same, with a note on what was odd."""

import gzip
from pathlib import Path

import openpyxl
import pytest

from files.errors import ImportFailure
from files.readers.raw_tables import RawTable, raw_tables


def table(folder: Path, content: str, name: str = "t.csv") -> RawTable:
    path = folder / name
    path.write_text(content, encoding="utf-8", newline="")
    (found,) = raw_tables([path])
    return found


def cells(found: RawTable) -> list[list[str]]:
    return [list(row.cells.values()) for row in found.rows()]


def failures(found: RawTable) -> list[str]:
    told = []
    for row in found.rows():
        try:
            assert row.cells
        except ImportFailure as failure:
            told.append(str(failure).rpartition("/")[2])
    return told


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
@pytest.mark.parametrize("numbers", ["012", "125", "010"])
def test_a_nameless_column_that_numbers_the_rows_is_left_out(
    name: str, numbers: str, tmp_path: Path
) -> None:
    rows = [f"{number},d{place},5" for place, number in enumerate(numbers)]
    found = table(tmp_path, "\n".join([f"{name},document,score", *rows]))
    assert found.names == ("document", "score")
    assert cells(found) == [["d0", "5"], ["d1", "5"], ["d2", "5"]]
    assert found.notes == ("The first column has no name and numbers the rows: it is left out.",)


def test_numbers_that_alone_tell_rows_apart_are_kept(tmp_path: Path) -> None:
    found = table(tmp_path, ",rater,score\n0,ann,1\n1,ann,2\n0,bob,2\n1,bob,2\n")
    assert found.names == ("column 1", "rater", "score")


def test_a_nameless_first_column_of_names_is_kept(tmp_path: Path) -> None:
    found = table(tmp_path, ",score\nd1,1\nd2,2\n")
    assert found.names == ("column 1", "score")
    assert found.notes == ("Column 1 has no name: it is called `column 1`.",)


def test_nameless_columns_are_left_out_where_they_hold_nothing(tmp_path: Path) -> None:
    found = table(tmp_path, "a,,b,,\n1,,2,,\n3,,4,,81\n")
    assert found.names == ("a", "b", "column 5")
    assert cells(found) == [["1", "2", ""], ["3", "4", "81"]]


def test_what_stands_in_a_column_that_was_left_out_is_listed(tmp_path: Path) -> None:
    rows = ["1,,2\n"] * 1000
    found = table(tmp_path, "".join(["a,,b\n", *rows, "3,lost,4\n", "5,,6\n"]))
    assert found.names == ("a", "b")
    reason = "column 2 has no name, and was empty above; name it"
    assert failures(found) == [f"t.csv:1002: columns: {reason}"]


@pytest.mark.parametrize("end", [",", ",,,"])
def test_empty_cells_at_the_end_of_rows_are_not_there(end: str, tmp_path: Path) -> None:
    assert cells(table(tmp_path, f"a,b\n1,2{end}\n3,4\n")) == [["1", "2"], ["3", "4"]]


def test_a_row_that_is_too_short_or_too_long_is_listed(tmp_path: Path) -> None:
    found = table(tmp_path, "a,b\n1\n1,2,3\n1,2\n")
    assert failures(found) == [
        "t.csv:2: columns: 1 cells under 2 names",
        "t.csv:3: columns: 3 cells under 2 names",
    ]


def test_equal_names_are_numbered(tmp_path: Path) -> None:
    found = table(tmp_path, "x,x (2),x,x\n1,2,3,4\n")
    assert found.names == ("x", "x (2)", "x (3)", "x (4)")
    assert "Several columns are called `x`: another one is `x (3)` here." in found.notes


def test_names_have_no_blanks_at_their_ends(tmp_path: Path) -> None:
    assert table(tmp_path, " a ,b \n1,2\n").names == ("a", "b")


def test_rows_may_begin_with_names_of_their_own(tmp_path: Path) -> None:
    found = table(tmp_path, "system\tscore\nr1\tx\t5\nr2\ty\t4\n", "t.tsv")
    assert found.names == ("column 1", "system", "score")
    assert cells(found)[1] == ["r2", "y", "4"]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("is_packed", [False, True])
def test_delimiters_and_encodings_are_detected(
    mark: str, encoding: str, is_packed: bool, tmp_path: Path
) -> None:
    raw = f"who{mark}says\nann{mark}schön\nbob{mark}gut\n".encode(encoding)
    path = tmp_path / ("t.csv.gz" if is_packed else "t.csv")
    path.write_bytes(gzip.compress(raw) if is_packed else raw)
    (found,) = raw_tables([path])
    assert cells(found) == [["ann", "schön"], ["bob", "gut"]]


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        (['1,"a" b,2', "3,c,4"], [["1", '"a" b', "2"], ["3", "c", "4"]]),
        (['1,"a,2', "3,b,4"], [["1", '"a', "2"], ["3", "b", "4"]]),
        (['1,"a,2', "3,b,4", '5,"c",6'], [["1", '"a', "2"], ["3", "b", "4"], ["5", "c", "6"]]),
        (['1,"a,2', '3,b",4'], [["1", '"a', "2"], ["3", 'b"', "4"]]),
    ],
)
def test_stray_quotation_marks_are_read_as_they_stand(
    lines: list[str], read: list[list[str]], tmp_path: Path
) -> None:
    found = table(tmp_path, "\n".join(["x,y,z", *lines]))
    assert cells(found) == read
    assert found.notes == (
        "Quotation marks that enclose nothing are read as they stand, in line 2.",
    )
    assert [row.where.rpartition(":")[2] for row in found.rows()] == [
        str(number) for number in range(2, len(lines) + 2)
    ]


def test_cells_of_several_lines_are_read_whole(tmp_path: Path) -> None:
    found = table(tmp_path, 'x,y,z\n1,"a, ""b"",\nc",2\n3,"d\n\n",4\n')
    assert cells(found) == [["1", 'a, "b",\nc', "2"], ["3", "d", "4"]]
    assert found.notes == ()


def test_many_stray_marks_take_no_time_and_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("files.readers.quotation._MOST_AGAIN", 1000)
    path = tmp_path / "t.csv"
    path.write_text("x,y,z\n" + '1,"a\n' * 1000)
    with pytest.raises(ImportFailure, match="stray quotation marks in very many lines"):
        list(raw_tables([path])[0].rows())


SECOND = "item,rater,score\n1,ann,4\n2,bob,5\n"


@pytest.mark.parametrize(
    "follows", ["system,rank,place\nx,1,2\n", "item,rater,score\n1,ann,4\n", "a,b\nx,1\n"]
)
@pytest.mark.parametrize("far", [False, True])
def test_two_tables_in_one_file_are_refused(follows: str, far: bool, tmp_path: Path) -> None:
    rows = "3,cid,5\n" * (2000 if far else 1)
    with pytest.raises(ImportFailure, match="the second begins here, after a blank row"):
        cells(table(tmp_path, f"{SECOND}{rows}\n{follows}"))


@pytest.mark.parametrize(
    "follows",
    [
        "item,rater,score\n1,ann,4\n",  # the names again
        "system,mean,place\nx,1.5,2\ny,2,1\n",  # numbers below, where names of raters were
        "place,system,count\n1,x,many\n2,y,few\n",  # words below, where scores were
        "system,mean\nx,1.5\ny,2.5\n",
        "system,mean,sd,n\nx,1.5,1,9\n",
    ],
)
@pytest.mark.parametrize("far", [False, True])
def test_a_second_table_right_below_the_first_is_refused(
    follows: str, far: bool, tmp_path: Path
) -> None:
    rows = "3,cid,5\n" * (2000 if far else 1)
    with pytest.raises(ImportFailure, match="the second begins here: put each") as refused:
        cells(table(tmp_path, f"{SECOND}{rows}{follows}"))
    assert refused.value.where.endswith(f":{4 + rows.count('3')}")


@pytest.mark.parametrize(
    "follows",
    [
        "4,dan,unclear\n5,eve,3\n",
        "4,dan,unclear\n5,eve,unclear\n",
        "x,dan,unclear\n6,eve,3\n7,eve,2\n",
        "Note,see,below\n6,eve,3\n",
        "x,dan,low\ny,eve,high\nz,fay,high\n",
        "item,rater,2\n",
    ],
)
def test_a_row_of_words_among_numbers_belongs_to_the_table(follows: str, tmp_path: Path) -> None:
    assert len(cells(table(tmp_path, SECOND + follows))) == 2 + follows.count("\n")


@pytest.mark.parametrize("follows", ["4,ann,2\n", "9,ann,unclear\n", "mean,,4.5\n", "Note,,\n"])
def test_rows_after_a_blank_one_belong_to_the_table(follows: str, tmp_path: Path) -> None:
    assert len(cells(table(tmp_path, f"{SECOND}\n,,\n{follows}"))) == 3


IDS = "StartDate,EndDate,Finished,ResponseId,q1"
ASKED = 'Start Date,End Date,Finished,Response ID,"How fluent is it?\n(1 to 5)"'
ORIGINS = ",".join(f'"{{""ImportId"":""{name}""}}"' for name in "abcde")


@pytest.mark.parametrize(("heads", "n"), [([IDS, ASKED, ORIGINS], 3), ([IDS, ASKED], 2)])
def test_surveys_name_their_columns_in_several_rows(
    heads: list[str], n: int, tmp_path: Path
) -> None:
    found = table(tmp_path, "\n".join([*heads, "2024-02-11,2024-02-11,1,R_1,4"]))
    assert found.header_rows == n
    assert found.questions["q1"] == "How fluent is it? (1 to 5)"
    assert cells(found) == [["2024-02-11", "2024-02-11", "1", "R_1", "4"]]


def test_a_survey_without_its_questions_is_a_plain_table(tmp_path: Path) -> None:
    found = table(tmp_path, f"{IDS}\n2024-02-11,2024-02-11,1,R_1,4\n")
    assert (found.header_rows, len(cells(found))) == (1, 1)


@pytest.mark.parametrize("top", ["item,fluency,,truth,", "item,fluency,fluency,truth,truth"])
def test_names_over_several_columns_are_joined_with_those_below(top: str, tmp_path: Path) -> None:
    found = table(tmp_path, f"{top}\n,ann,bob,ann,bob\nd1,1,2,3,4\nd2,2,2,,5\n")
    assert found.names == ("item", "fluency.ann", "fluency.bob", "truth.ann", "truth.bob")
    assert found.paths["truth.ann"] == ("truth", "ann")
    assert (found.header_rows, found.questions, found.notes) == (2, {}, ())
    assert cells(found)[1] == ["d2", "2", "2", "", "5"]


def test_sheets_are_tables_of_their_own(tmp_path: Path) -> None:
    book, path = openpyxl.Workbook(), tmp_path / "t.xlsx"
    book.create_sheet("bob").append(["item", "score"])
    book["bob"].append(["d1", 4.0, "a remark"])
    book.create_sheet("empty")
    sheet = book["Sheet"]
    for line in (["item", None, "rank"], ["d1", None, 2], ["d2"]):
        sheet.append(line)
    book.save(path)
    first, second = raw_tables([path])
    assert (first.name, first.sheet, first.names) == ("t.xlsx#Sheet", "Sheet", ("item", "rank"))
    assert cells(first) == [["d1", "2"], ["d2", ""]]
    assert (second.name, second.names) == ("t.xlsx#bob", ("item", "score", "column 3"))
    assert cells(second) == [["d1", "4", "a remark"]]


def test_a_file_in_which_no_column_has_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportFailure, match=r"t.csv:1: columns: none has a name"):
        table(tmp_path, "Unnamed: 0\n1\n2\n")
