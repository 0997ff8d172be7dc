"""Tables of outputs: what becomes of their columns, and of files as people really have them."""

import json
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import polars
import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from tests.imports.tables import import_files, refused, skipped, write_table

pytestmark = pytest.mark.django_db

HEAD = "id,document,system,summary"
ROWS = (
    "d1,The mill burned.,alder,A mill burned down.",
    "d1,The mill burned.,birch,A mill was lost.",
    "d2,The bridge opened.,alder,A bridge is open.",
)
MAP = "source: id\n"


def columns(folder: Path, text: str = MAP) -> Path:
    path = folder / "columns.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def made(path: Path, text: str = MAP, task_type: str = "likert", **options: Any) -> Study:
    return import_files(
        "table", path, columns=columns(path.parent, text), task_type=task_type, **options
    )


def left_out(path: Path, text: str = MAP) -> list[str]:
    return skipped("table", path, columns=columns(path.parent, text), task_type="likert")


def no(path: Path, text: str = MAP) -> str:
    return refused("table", path, columns=columns(path.parent, text), task_type="likert")


def texts(study: Study) -> list[str]:
    items = study.items.order_by("pk")
    return [" ".join(s.text for s in item.material.sentences) for item in items]


def told(study: Study) -> str:
    return str(study.imported["odd"]["tables_read"][0])


def test_a_row_is_an_output_and_rows_of_one_source_share_it(tmp_path: Path) -> None:
    study = made(write_table(tmp_path / "items.csv", HEAD, *ROWS))
    assert [row.key for row in study.sources.order_by("pk")] == ["d1", "d2"]
    assert list(study.units.order_by("pk").values_list("key", flat=True)) == [
        "d1/alder",
        "d1/birch",
        "d2/alder",
    ]
    assert study.sources.get(key="d1").material.document == "The mill burned."
    assert told(study) == "items.csv: text separated by commas, in UTF-8"


def test_without_names_sources_are_told_apart_by_their_texts(tmp_path: Path) -> None:
    rows = ["document;summary", "A fire.;It burned.", "A flood.;It rose.", "A fire.;It is gone."]
    study = made(write_table(tmp_path / "items.csv", *rows), "{}")
    assert list(study.units.order_by("pk").values_list("key", flat=True)) == ["1/1", "1/2", "2/1"]


def test_a_unit_of_several_outputs_gathers_rows_from_anywhere(tmp_path: Path) -> None:
    rows = (HEAD, ROWS[0], ROWS[2], ROWS[1], "d2,The bridge opened.,birch,It opened.")
    study = made(write_table(tmp_path / "items.csv", *rows), task_type="pairwise")
    assert study.units.count() == 2
    assert [unit.items.count() for unit in study.units.all()] == [2, 2]


def test_passages_and_right_answers_have_columns(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    record = {"claim": "It burned.", "verdict": "true", "text": "It did [2].", "gold": 4}
    lines = [
        record | {"evidence": ["Smoke was seen.", "It burned."]},
        record | {"claim": "It sank.", "evidence": "3: It sank.\n7: Nobody died."},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    study = made(path, "{passages: evidence, reference: gold}")
    numbered = [[p.index for p in row.material.passages] for row in study.sources.order_by("pk")]
    assert numbered == [[1, 2], [3, 7]]
    references = study.questions.values_list("reference__scores__quality", flat=True)
    assert list(references) == [4.0, 4.0]
    assert told(study).endswith("a line of JSON per row")


# --- Files as people have them -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "delimiter", "words"),
    [
        ("utf-8-sig", ";", "semicolons, in UTF-8"),
        ("utf-16", "\t", "tabs, in UTF-16"),
        ("cp1252", ";", "semicolons, in Windows-1252"),
        ("utf-8", "|", "bars, in UTF-8"),
    ],
)
def test_encoding_and_delimiter_are_detected_and_told(
    tmp_path: Path, encoding: str, delimiter: str, words: str
) -> None:
    lines = ["document,summary", "Ein Café brannte.,“Weg” ist es.", "Öl lief aus.,Öl ist teuer."]
    text = "\r\n".join(line.replace(",", delimiter) for line in lines) + "\r\n"
    path = tmp_path / "items.csv"
    path.write_bytes(text.encode(encoding))
    study = made(path, "{}")
    assert texts(study) == ["“Weg” ist es.", "Öl ist teuer."]
    assert words in told(study)


def test_of_a_file_of_two_encodings_the_rows_of_the_other_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    good = "document,summary\nA café.,Good é.\nB.,Fine.\n".encode()
    path.write_bytes(good + "C.,Schlecht ü.\n".encode("cp1252"))
    assert left_out(path, "{}") == ["items.csv:4: encoding: not UTF-8"]
    assert Study.objects.get().items.count() == 2


def test_rows_that_do_not_fit_are_listed_with_line_and_reason(tmp_path: Path) -> None:
    path = write_table(tmp_path / "items.csv", HEAD, *ROWS, "d3,A text.,alder,", "d4,only,three")
    assert left_out(path) == [
        "items.csv:5: summary: empty",
        "items.csv:6: columns: 3 cells under 4 names",
    ]
    assert Study.objects.get().items.count() == 3


def test_a_strict_import_takes_all_rows_or_none(tmp_path: Path) -> None:
    path = write_table(tmp_path / "items.csv", HEAD, *ROWS, "d3,A text.,alder,")
    with pytest.raises(CommandError, match=r"items.csv:5: summary: empty"):
        made(path, strict=True)
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ((HEAD, *ROWS, "d1,The mill burned.,alder,Other."), "duplicate: 'd1/alder' stands at 2"),
        (("id,document,wrong", "1,A,B"), "no column is named that holds the outputs"),
        (("id,summary", "1,A"), "what the outputs are about: document, claim or query"),
        (("document,summary,system", "A,B,C"), "id: no such column (the file has: document"),
        ((HEAD, "d1,A text,alder,x", "d1,Another,birch,y", "d2,Z,alder,z"), "'d1' stands at"),
    ],
)
def test_what_contradicts_itself_is_refused_in_plain_words(
    tmp_path: Path, rows: tuple[str, ...], words: str
) -> None:
    assert words in no(write_table(tmp_path / "items.csv", *rows))


def test_a_row_that_comes_twice_is_imported_once(tmp_path: Path) -> None:
    path = write_table(tmp_path / "items.csv", HEAD, *ROWS, ROWS[0])
    assert left_out(path) == []
    study = Study.objects.get()
    assert study.units.count() == len(ROWS)
    assert study.imported["counts"]["rows_gathered"] == 1
    told = "items.csv: texts stand 1 to 2 times: 3 texts in 4 rows"
    assert study.imported["odd"]["rows_gathered"] == [told]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("head", ["id,document,summary,rating", "document,summary,id,rating"])
def test_a_file_of_judgements_makes_one_unit_of_each_text(
    tmp_path: Path, head: str, strict: bool
) -> None:
    """Three people rated each of four texts, of which two are about one document."""
    rows = [
        {"id": f"d{n // 2}", "document": f"Document {n // 2}.", "summary": f"Text {n}."}
        for n in range(4)
        for _ in range(3)
    ]
    lines = [
        ",".join([*(row.get(name, str(at % 5)) for name in head.split(","))])
        for at, row in enumerate(rows)
    ]
    path = write_table(tmp_path / "items.csv", head, *lines)
    study = made(path, MAP if head.startswith("id") else "{}", strict=strict)
    assert sorted(texts(study)) == [f"Text {n}." for n in range(4)]
    assert study.units.count() == 4
    told = "items.csv: each text stands 3 times: 4 texts in 12 rows"
    assert study.imported["odd"]["rows_gathered"] == [told]


NESTED = {"larch": {"text": "It is shut.", "fluency": 4.3}, "maple": {"text": "It is open."}}


@pytest.mark.parametrize(
    ("cell", "holds"),
    [
        (NESTED, "2 keys (larch, maple), the same in all 3 rows: are these the systems?"),
        (json.dumps(NESTED), "2 keys (larch, maple), the same in all 3 rows"),
        (["One.", "Two."], "a list of 2, the same in all 3 rows: are these the systems?"),
        (str(NESTED), "an object or a list"),
    ],
)
@pytest.mark.parametrize("column", ["summary", "document"])
def test_a_cell_with_an_object_or_a_list_is_no_text(
    tmp_path: Path, column: str, cell: Any, holds: str
) -> None:
    rows = [{"document": f"D{n}.", "summary": f"S{n}."} | {column: cell} for n in range(3)]
    path = write_table(tmp_path / "items.jsonl", *map(json.dumps, rows))
    assert f"items.jsonl:1: {column}: {holds}" in no(path, "{}")


def test_a_text_in_brackets_is_a_text(tmp_path: Path) -> None:
    rows = ["A.,[1] is cited.", "B.,{so} it goes"]
    study = made(write_table(tmp_path / "items.csv", "document,summary", *rows), "{}")
    assert texts(study) == ["[1] is cited.", "{so} it goes"]


def test_members_of_one_object_are_the_document_without_a_question(tmp_path: Path) -> None:
    rows = [
        {
            "reviews": {f"rev{r}": f"Review {r} of the mill that burned in {n}." for r in (1, 2)},
            "summaries": {
                name: {"summary": f"{name} says that mill {n} burned."} for name in ("bart", "t5")
            },
        }
        for n in range(6)
    ]
    path = tmp_path / "reviews.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    study = import_files("table", path, task_type="likert")
    assert (study.sources.count(), study.items.count()) == (6, 12)
    document = str(study.sources.order_by("pk")[0].document)
    assert "Review 1 of" in document
    assert "Review 2 of" in document


def test_of_two_columns_with_usual_names_neither_is_guessed(tmp_path: Path) -> None:
    path = write_table(tmp_path / "items.csv", "document,response,summary", "A.,One.,Two.")
    with pytest.raises(CommandError) as asked:
        import_files("table", path, task_type="likert")
    assert asked.value.returncode == 2
    assert "which of these columns holds the outputs? response, summary" in str(asked.value)
    assert texts(made(path, "text: response\n")) == ["One."]


@pytest.mark.parametrize(
    ("head", "text"),
    [
        ("document,response1,response2", "response1"),
        ("document,sys_a,A,sys_b,B", "A"),
        ("document,Answer.left,Answer.right", "Answer.right"),
        ("document,first text,second text", "first text"),
    ],
)
def test_texts_that_stand_beside_one_another_are_no_rows_of_their_own(
    tmp_path: Path, head: str, text: str
) -> None:
    row = ",".join(f"Text {n}." for n in range(head.count(",") + 1))
    path = write_table(tmp_path / "pairs.csv", head, row, row.replace("Text", "Other"))
    with pytest.raises(CommandError, match="stand in one row") as asked:
        made(path, f"text: {text}\n", "pairwise")
    assert asked.value.returncode == 2
    assert not Study.objects.exists()
    # Asked about one by one, either is an output.
    assert made(path, f"text: {text}\n", "likert").units.count() == 2


def test_pairs_are_of_different_texts_of_one_source_and_the_rest_is_told(tmp_path: Path) -> None:
    rows = (
        *ROWS,
        ROWS[0],
        "d3,The pool is shut.,alder,It is shut.",
        "d3,The pool is shut.,birch,It is shut.",
    )
    study = made(write_table(tmp_path / "items.csv", HEAD, *rows), task_type="pairwise")
    (unit,) = study.units.all()
    shown = {item.key for item in unit.items.all()}
    assert shown == {"d1/alder", "d1/birch"}
    counts = study.imported["counts"]
    assert counts["records_without_a_unit"] == 1
    assert counts["pairs_of_the_same_text_left_out"] == 1
    assert study.imported["odd"]["records_without_a_unit"][0].endswith("items.csv:4")


def test_pairs_of_outputs_without_names_are_those_of_sources_with_two(tmp_path: Path) -> None:
    rows = ("A.,One.", "A.,Two.", "B.,One.", "B.,Two.", "B.,Three.", "C.,One.", "C.,Two.")
    path = write_table(tmp_path / "items.csv", "document,summary", *rows)
    listed = skipped("table", path, columns=columns(tmp_path, "{}"), task_type="pairwise")
    assert len(listed) == 1
    assert "items.csv:4: columns.system: 3 outputs of one source" in listed[0]
    assert Study.objects.get().units.count() == 2


def test_cells_that_begin_like_formulas_stay_text(tmp_path: Path) -> None:
    study = made(write_table(tmp_path / "items.csv", "document,summary", "=1+1,-5 degrees"), "{}")
    assert texts(study) == ["-5 degrees"]
    assert study.sources.get().material.document == "=1+1"


def test_a_cell_of_ten_megabytes_comes_in_and_a_larger_one_is_named(tmp_path: Path) -> None:
    long = "word " * (2 * 1024 * 1024)
    path = write_table(tmp_path / "items.csv", "document,summary", f"{long},Short.")
    assert len(made(path, "{}").sources.get().material.document) == len(long.strip())


def test_a_cell_beyond_the_limit_is_named(tmp_path: Path) -> None:
    long = "word " * (4 * 1024 * 1024)
    path = write_table(tmp_path / "items.csv", "document,summary", f"{long},Short.")
    assert no(path, "{}").startswith("items.csv:2: CSV: field larger than field limit")


def test_a_spreadsheet_gives_dates_as_dates_and_merged_cells_row_by_row(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet: Any = book.active
    for row in (["document", "system", "summary"], ["A.", date(2024, 3, 1), "One."]):
        sheet.append(row)
    sheet.append(["B.", "birch", "Two."])
    sheet.append([None, "alder", "Three."])
    sheet.merge_cells("A3:A4")
    sheet["C5"], sheet["A5"], sheet["B5"] = "Four.", "C.", "=SUM(1)"
    sheet["B5"].data_type = "s"
    path = tmp_path / "items.xlsx"
    book.save(path)
    (line,) = left_out(path, "{}")
    assert line.startswith("items.xlsx (sheet Sheet, row 4): document: empty")
    systems = Study.objects.get().items.order_by("pk").values_list("system", flat=True)
    assert list(systems) == ["2024-03-01", "birch", "=SUM(1)"]


def test_a_spreadsheet_that_unpacks_to_far_more_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "items.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b"\0" * (32 * 1024 * 1024))
    assert "unpacks to 32 MiB: refused" in no(path, "{}")


def test_parquet_is_read_by_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    frame = {"document": ["A.", "B."], "summary": ["One.", "Two."], "evidence": [["x"], ["y"]]}
    polars.DataFrame(frame).write_parquet(path)
    study = made(path, "{passages: evidence}")
    assert texts(study) == ["One.", "Two."]
    assert study.sources.first().material.passages[0].text == "x"  # type: ignore[union-attr]
    assert told(study) == "items.parquet: Parquet"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b"[1, 2]", "JSON: not an object"),
        (b"PAR1 nothing", "no Parquet file that can be read"),
        (b"PK\x03\x04 nothing", "no spreadsheet that can be read"),
        (b'{"document": "A"}\n', "no column is named that holds the outputs"),
    ],
)
def test_what_is_no_table_is_refused_with_the_reason(
    tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "items.csv"
    path.write_bytes(content)
    assert words in no(path, "{}")


def test_a_line_that_could_not_be_stored_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    rows = ['{"document": "A.", "text": "Fine."}', '{"document": "B.", "text": "\\ud800"}']
    rows += ['{"document": "C.", "text": "Fine, too."}', '{"document": "D."', "[3]"]
    path.write_text("\n".join([*rows, *rows[:1] * 2]), encoding="utf-8")
    assert left_out(path, "{}") == [
        "items.jsonl:2: encoding: not UTF-8",
        "items.jsonl:4: JSON: Expecting ',' delimiter at column 18",
        "items.jsonl:5: JSON: not an object",
    ]


# --- In a study file -----------------------------------------------------------------------------

STUDY = """
slug: fire
title: Fires
task_type: likert
items: items.csv
columns: {source: id, text: summary}
"""


def applied(folder: Path, text: str = STUDY) -> Study:
    path = folder / "study.yaml"
    path.write_text(text, encoding="utf-8")
    call_command("apply_study", str(path), verbosity=0)
    return Study.objects.get(slug="fire")


def test_a_study_file_takes_a_table_with_its_columns(tmp_path: Path) -> None:
    write_table(tmp_path / "items.csv", HEAD, *ROWS)
    assert applied(tmp_path).units.count() == 3
    assert applied(tmp_path).revision == Study.objects.get(slug="fire").revision
    other = applied(tmp_path, STUDY.replace("text: summary", "text: summary, condition: system"))
    assert other.items.filter(condition="birch").count() == 1
    assert other.units.count() == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{question: How good is it?, a: b}", "put quotes around a text with marks"),
        ("text: How: good", "put quotes around a text with marks"),
        (
            "options: {criteria: [{key: q, question: Q, points: [{value: yes}, {value: no}]}]}",
            'YAML reads yes, no, on and off so: write "yes"',
        ),
        ("options: {criteria: [{key: q, question: How fluent is it?}]}", 'question: "How fluent'),
        ("instructions: ? what", 'instructions: "? what"'),
        ("options:\n\tcriteria: 1", "study.yaml:5: YAML: found character '\\t'"),
        (
            "consent: {text: Agreed., version: 1}",
            '1 where a text is expected (put it in quotes: "1")',
        ),
    ],
)
def test_what_yaml_reads_otherwise_is_explained(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(CommandError) as caught:
        applied(tmp_path, f"slug: fire\ntitle: Fires\ntask_type: likert\n{text}\n")
    assert words in str(caught.value)


def test_of_several_texts_in_a_line_the_one_with_a_mark_is_to_be_quoted(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r'question: "How good is it\?"'):
        applied(tmp_path, "{question: How good is it?, other: plain}\n")
