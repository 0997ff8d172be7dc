"""Spreadsheets: written per annotator, filled in, read back; and everything that can be wrong."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.core.management import CommandError, call_command

from annotation.models import Annotation, Rater, Study, Unit
from tests.imports.sheets.workbooks import change, everything_in, fill, write_sheet
from tests.imports.small_files import import_lines

pytestmark = pytest.mark.django_db

CRITERIA = [
    {"key": "coverage", "question": "Which covers the most?"},
    {"key": "overall", "question": "Which is the best?"},
]
SCALES = [
    {
        "key": "verdict_read",
        "title": "Verdict",
        "question": "Which verdict does the text lead to?",
        "distance": "nominal",
        "points": [{"value": "true", "label": "True"}, {"value": "1/2", "label": "Half true"}],
    },
    {"key": "clarity", "question": "How clear is it?", "low": 1, "high": 4},
]
# By the words that tell the claims apart: a rank for A, B and C.
RANKS: dict[str, dict[str, Any]] = {
    "Coverage": {"claim 0": [1, 2, 2], "claim 1": [3, 1, 2]},
    "Overall": {"claim 0": [1, 1, 1], "claim 1": ["2", 3.0, 1]},
}


def records(block: str, options: dict[str, Any], systems: tuple[str, ...]) -> list[dict[str, Any]]:
    """Two sources; an item of each system, whose text does not say which."""
    return [
        {"study": {"seed": 5, "blocks": [{"task_type": block, "options": options}]}},
        *(
            {
                "source": {"key": f"s{n}", "claim": f"=claim {n}", "verdict": "false"},
                "items": [
                    {"key": f"s{n}/{system.lower()}", "system": system, "text": f"Text {at}."}
                    for at, system in enumerate(systems)
                ],
            }
            for n in range(2)
        ),
    ]


@pytest.fixture
def ranked(tmp_path: Path) -> Study:
    made = records("ranking", {"criteria": CRITERIA}, ("Larch", "Maple", "Rowan"))
    return import_lines(tmp_path, made)


@pytest.fixture
def rated(tmp_path: Path) -> Study:
    made = records("likert", {"criteria": SCALES}, ("Larch",))
    return import_lines(tmp_path, made)


@pytest.fixture
def ranks(ranked: Study, tmp_path: Path) -> Path:
    """A sheet of the rankings, rightly filled in."""
    (path,) = write_sheet(ranked, tmp_path / "out", "ada")
    fill(path, RANKS)
    return path


def import_(study: Study, *paths: Path) -> None:
    call_command("import_sheets", study.slug, *map(str, paths))


def refusal(study: Study, *paths: Path) -> list[str]:
    """The lines of a refusal, which stores nothing, each beginning with the name of its file."""
    before = (Annotation.objects.count(), Rater.objects.count())
    with pytest.raises(CommandError) as caught:
        import_(study, *paths)
    assert (Annotation.objects.count(), Rater.objects.count()) == before
    return [line.replace(f"{paths[0].parent}/", "") for line in str(caught.value).splitlines()]


def place(path: Path, sheet: str, text: str, column: int) -> str:
    """The coordinate of a cell to fill in, counted from 0, in the row that says `text`."""
    page = openpyxl.load_workbook(path)[sheet]
    for row in page.iter_rows(min_row=2):
        if any(text in str(cell.value) for cell in row):
            coordinate: str = [c for c in row if not c.protection.locked][column].coordinate
            return coordinate
    raise AssertionError(text)


def test_ranks_filled_in_come_back_as_answers_of_an_imported_human(
    ranked: Study, ranks: Path
) -> None:
    import_(ranked, ranks)
    rater = Rater.objects.get()
    assert (rater.name, rater.kind, rater.origin) == ("ada", "human", "imported")
    for n, (coverage, overall) in enumerate([([1, 2, 2], [1, 1, 1]), ([3, 1, 2], [2, 3, 1])]):
        question = ranked.questions.get(unit__key=f"s{n}")
        order = [one["item"] for one in question.payload["candidates"]]
        answer = question.annotations.get().answer["ranks"]
        assert [answer["coverage"][item] for item in order] == coverage
        assert [answer["overall"][item] for item in order] == overall


def test_the_report_has_the_ranks_of_two_annotators(ranked: Study, tmp_path: Path) -> None:
    for name in ("ada", "ben"):
        (path,) = write_sheet(ranked, tmp_path / name, name)
        fill(path, RANKS)
        import_(ranked, path)
    out = io.StringIO()
    call_command("report", ranked.slug, "--json", stdout=out)
    rows = json.loads(out.getvalue())["estimates"]
    alphas = {
        row["facet"]: (row["value"], row["n_ratings"])
        for row in rows
        if (row["metric"], row["raters"]) == ("krippendorff_alpha_ordinal", "humans")
        and row["group"] == {}
    }
    assert alphas == {"coverage": (1.0, 12), "overall": (1.0, 12)}


def test_ratings_by_criteria_come_back_by_value_or_by_label(tmp_path: Path, rated: Study) -> None:
    (path,) = write_sheet(rated, tmp_path / "out", "ada")
    fill(path, {"Ratings": {"claim 0": [True, 1], "claim 1": ["half true", "4"]}})
    import_(rated, path)
    answers = dict(Annotation.objects.values_list("question__unit__key", "answer"))
    assert answers == {
        "s0/larch": {"scores": {"verdict_read": "true", "clarity": 1.0}},
        "s1/larch": {"scores": {"verdict_read": "1/2", "clarity": 4.0}},
    }


@pytest.mark.parametrize(
    ("option", "rows"), [("per_sentence", ["sentence 1", "sentence 2"]), ("together", ["A", "B"])]
)
def test_parts_of_a_unit_get_a_row_each(tmp_path: Path, option: str, rows: list[str]) -> None:
    scale = [SCALES[1]]
    made = records("likert", {"criteria": scale, option: True}, ("Larch", "Maple"))
    for record in made[1:]:
        record["items"] = record["items"][: 1 if option == "per_sentence" else 2]
        record["items"][0]["text"] = "First sentence. Second sentence."
    study = import_lines(tmp_path, made)
    (path,) = write_sheet(study, tmp_path / "out", "ada")
    book = openpyxl.load_workbook(path)
    page = book["Ratings"]
    assert [cell.value for cell in page["B"]] == ["Part", *rows, *rows]
    for number in range(2, 6):
        page.cell(number, page.max_column, number - 1)
    book.save(path)
    import_(study, path)
    entered = set()
    for one in study.annotations.select_related("question"):
        scores = one.answer["scores"]["clarity"]
        order = [each["item"] for each in one.question.payload["candidates"]] or range(2)
        entered.add(tuple(scores[item] for item in order))
    assert entered == {(1.0, 2.0), (3.0, 4.0)}


def test_a_sheet_says_nothing_of_systems_keys_or_roles(ranked: Study, tmp_path: Path) -> None:
    Unit.objects.filter(key="s1").update(role=Unit.Role.POSITIVE)
    (path,) = write_sheet(ranked, tmp_path / "out", "ada")
    said = everything_in(path)
    for secret in ("arch", "aple", "owan", "s0", "s1", "positive", "normal"):
        assert secret not in said
    assert "=claim 0" in said
    assert "=claim 1" in said


def test_texts_are_never_formulas_and_only_cells_to_fill_in_are_open(ranks: Path) -> None:
    for page in openpyxl.load_workbook(ranks).worksheets:
        assert page.protection.sheet
        cells = [cell for row in page.iter_rows() for cell in row if cell.value is not None]
        assert all(cell.data_type != "f" for cell in cells)
        assert all(cell.quotePrefix for cell in cells if str(cell.value).startswith("="))
        assert all(isinstance(c.value, int | float) or c.value == "2" for c in cells if is_open(c))


def is_open(cell: Any) -> bool:
    return not cell.protection.locked


def test_cells_offer_the_ranks_that_there_are(ranks: Path) -> None:
    page = openpyxl.load_workbook(ranks)["Coverage"]
    (offer,) = page.data_validations.dataValidation
    assert offer.formula1 == '"1,2,3"'
    assert page["G3"].coordinate in offer


def test_the_same_sheet_twice_is_refused(ranked: Study, ranks: Path) -> None:
    import_(ranked, ranks)
    (line,) = refusal(ranked, ranks)
    assert line.startswith("s-ranking-ada.xlsx, sheet Coverage, cell ")
    assert "'ada' has already answered" in line


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (5, "5 is not a rank from 1 to 3"),
        (0, "0 is not a rank from 1 to 3"),
        (1.5, "1.5 is not a rank from 1 to 3"),
        ("first", "first is not a rank from 1 to 3"),
        (None, "missing"),
    ],
)
def test_a_wrong_or_missing_rank_is_named_by_file_sheet_and_cell(
    ranked: Study, ranks: Path, value: object, reason: str
) -> None:
    cell = place(ranks, "Coverage", "claim 1", 1)
    change(ranks, "Coverage", **{cell: value})
    assert refusal(ranked, ranks) == [f"s-ranking-ada.xlsx, sheet Coverage, cell {cell}: {reason}"]


def test_every_unit_with_a_wrong_cell_is_named_and_no_file_comes_in(
    ranked: Study, ranks: Path, tmp_path: Path
) -> None:
    (good,) = write_sheet(ranked, tmp_path / "good", "ben")
    fill(good, RANKS)
    first, second = (place(ranks, "Overall", f"claim {n}", 2) for n in range(2))
    change(ranks, "Overall", **{first: 9, second: None})
    lines = refusal(ranked, ranks, good)
    assert sorted(lines) == sorted(
        [
            f"s-ranking-ada.xlsx, sheet Overall, cell {first}: 9 is not a rank from 1 to 3",
            f"s-ranking-ada.xlsx, sheet Overall, cell {second}: missing",
        ]
    )


def test_a_wrong_point_is_answered_with_those_there_are(tmp_path: Path, rated: Study) -> None:
    (path,) = write_sheet(rated, tmp_path / "out", "ada")
    fill(path, {"Ratings": {"claim 0": ["maybe", 1], "claim 1": ["True", 7]}})
    lines = sorted(line.partition(": ")[2] for line in refusal(rated, path))
    assert lines == ["7 is not one of 1, 2, 3, 4", "maybe is not one of True, Half true"]


def test_a_changed_header_is_noticed(ranked: Study, ranks: Path) -> None:
    change(ranks, "Coverage", H1="Rank of C", I1="Rank of B")
    where = "s-ranking-ada.xlsx, sheet Coverage, cell"
    assert refusal(ranked, ranks) == [
        f"{where} H1: the header was 'Rank of B' and is now 'Rank of C'",
        f"{where} I1: the header was 'Rank of C' and is now 'Rank of B'",
    ]


def test_a_column_put_in_beside_is_noticed(ranked: Study, ranks: Path) -> None:
    change(ranks, "Coverage", J1="Rank of D", J2=1)
    (line,) = refusal(ranked, ranks)
    assert line.endswith("cell J1: the header was '' and is now 'Rank of D'")


def test_an_unknown_a_repeated_and_a_missing_unit_are_named(ranked: Study, ranks: Path) -> None:
    page = openpyxl.load_workbook(ranks)["Coverage"]
    first, second = page["A2"].value, page["A3"].value
    change(ranks, "Coverage", A2="elsewhere", A4=second, B4="again")
    assert refusal(ranked, ranks) == [
        "s-ranking-ada.xlsx, sheet Coverage, cell A2: unit elsewhere is not in this sheet",
        f"s-ranking-ada.xlsx, sheet Coverage, cell A4: unit {second} is in row 3 already",
        f"s-ranking-ada.xlsx, sheet Coverage, cell A3: the row of unit {first} is missing",
    ]


def test_rows_may_be_sorted(ranked: Study, ranks: Path) -> None:
    book = openpyxl.load_workbook(ranks)
    page = book["Coverage"]
    for column in range(1, page.max_column + 1):
        one, other = page.cell(2, column), page.cell(3, column)
        one.value, other.value = other.value, one.value
    book.save(ranks)
    import_(ranked, ranks)
    answer = Annotation.objects.get(question__unit__key="s0").answer["ranks"]["coverage"]
    assert sorted(answer) == [1, 2, 2]


def test_a_missing_worksheet_is_named(ranked: Study, ranks: Path) -> None:
    book = openpyxl.load_workbook(ranks)
    del book["Overall"]
    book.save(ranks)
    (line,) = refusal(ranked, ranks)
    assert line == "s-ranking-ada.xlsx, sheet Overall, cell A1: the worksheet is missing"


def test_a_foreign_file_is_refused(ranked: Study, ranks: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.xlsx").write_text("1;2;3")
    assert refusal(ranked, tmp_path / "notes.xlsx") == [
        "notes.xlsx: file: not a spreadsheet (.xlsx)"
    ]
    (tmp_path / "half.xlsx").write_bytes(ranks.read_bytes()[:4000])
    assert refusal(ranked, tmp_path / "half.xlsx") == ["half.xlsx: file: not a spreadsheet (.xlsx)"]
    assert refusal(ranked, tmp_path / "none.xlsx") == ["none.xlsx: file: No such file or directory"]
    openpyxl.Workbook().save(tmp_path / "empty.xlsx")
    reason = "file: not written by export_sheets of this installation"
    assert refusal(ranked, tmp_path / "empty.xlsx") == [f"empty.xlsx: {reason}"]
    change(ranks, "jurybox", A4="somebody else")
    assert refusal(ranked, ranks) == [f"s-ranking-ada.xlsx: {reason}"]


def test_a_damaged_file_is_refused_in_one_line(ranked: Study, ranks: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(ranks) as packed:
        parts = {part.filename: packed.read(part) for part in packed.infolist()}
    # Nothing is read from the first worksheet, the instructions.
    needed = [name for name in parts if "xl/work" in name and "sheet1" not in name]
    assert len(needed) == 4
    for damaged in needed:
        path = tmp_path / "damaged.xlsx"
        with zipfile.ZipFile(path, "w") as packed:
            for name, data in parts.items():
                if name != damaged:
                    packed.writestr(name, data)
        (line,) = refusal(ranked, path)
        assert line.startswith("damaged.xlsx"), damaged


def test_a_sheet_of_another_study_or_of_changed_questions_is_refused(
    ranked: Study, ranks: Path, tmp_path: Path
) -> None:
    other = import_lines(tmp_path, records("likert", {}, ("Larch",)), slug="other")
    assert refusal(other, ranks) == ["s-ranking-ada.xlsx: study: written for s, not other"]
    question = ranked.questions.get(unit__key="s1")
    question.payload["candidates"].reverse()
    question.save()
    (line,) = refusal(ranked, ranks)
    assert line == "s-ranking-ada.xlsx: unit: s1 has changed since the sheet was written"


def test_a_filled_sheet_is_never_written_over(ranked: Study, ranks: Path) -> None:
    before = ranks.read_bytes()
    with pytest.raises(CommandError, match="there already, and perhaps filled in"):
        write_sheet(ranked, ranks.parent, "ada")
    assert ranks.read_bytes() == before


def test_a_name_that_could_not_come_back_gets_no_sheet(ranked: Study, tmp_path: Path) -> None:
    Rater.objects.create(study=ranked, name="ada", kind="human", origin="here")
    Rater.objects.create(study=ranked, name="oracle", kind="judge", origin="imported")
    for name, reason in [("ada", "answers here"), ("oracle", "is judge"), (" ", "is not a name")]:
        with pytest.raises(CommandError, match=reason):
            write_sheet(ranked, tmp_path / "out", name)
    assert not (tmp_path / "out").exists()


def test_a_block_that_fits_no_cells_or_several_that_do_are_told_apart(tmp_path: Path) -> None:
    made = records("likert", {}, ("Larch",))
    other = {"task_type": "likert", "options": {"criteria": [SCALES[1]]}}
    made[0]["study"]["blocks"] += [other, {"task_type": "slider"}]
    study = import_lines(tmp_path, made)
    with pytest.raises(CommandError, match=r"name one block with --block \(in sheets: likert, lik"):
        write_sheet(study, tmp_path / "out", "ada")
    with pytest.raises(CommandError, match=r"block slider: .* cannot be answered in a spreadsheet"):
        write_sheet(study, tmp_path / "out", "ada", block="slider")
    (path,) = write_sheet(study, tmp_path / "out", "ada", block="likert-2")
    assert path.name == "s-likert-2-ada.xlsx"
