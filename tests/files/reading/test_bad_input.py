"""Files with something wrong about them: a sentence with the remedy, or a question, or a list of
what is left out; nothing is guessed."""

import random
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from files.errors import ImportFailure
from files.readers.raw_tables import raw_tables
from files.reading.judgements import ReadTables
from files.reading.model import Holds, Reading
from files.reading.proposal_parts import Proposal
from files.reading.proposals import Stated, proposed
from files.skipped import SkippedRecords
from tests.files.reading.designs.vocabulary import Vocabulary

RATERS = ("ann1", "ann2", "ann3")
Rows = Sequence[Sequence[object]]


@dataclass
class Told:
    """What comes of files: a refusal, or a proposal and what its reading leaves out."""

    refused: str = ""
    proposal: Proposal | None = None
    listed: list[str] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)

    @property
    def words(self) -> str:
        """All that is said about the files beside the proposal's sentence."""
        said = [self.refused, *self.listed]
        if self.proposal is not None:
            said += [q.text for q in self.proposal.questions]
            said += [c.label for q in self.proposal.questions for c in q.choices]
            said += [remark.text for remark in self.proposal.remarks]
        return "\n".join(said)

    @property
    def readings(self) -> Iterable[Reading]:
        """Those of all choices."""
        assert self.proposal is not None, self.refused
        yield from (c.reading for q in self.proposal.questions for c in q.choices)

    @property
    def is_open(self) -> bool:
        """Whether nothing is imported before somebody decides."""
        return bool(self.refused or (self.proposal and self.proposal.questions))


def told_of(*files: Path) -> Told:
    told = Told()
    try:
        tables = raw_tables(files)
        told.proposal = proposed(tables)
        skipped = SkippedRecords(strict=False)
        read = ReadTables(told.proposal.reading, tables, skipped)
        list(read.units())
        told.answers = list(read.answers())
        told.listed = [str(one) for one in skipped.listed]
    except ImportFailure as failure:
        told.refused = str(failure)
    return told


def csv_file(path: Path, header: Sequence[str], rows: Rows, mark: str = ",") -> Path:
    lines = [mark.join(map(str, row)) for row in (header, *rows)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def long_rows(many: int = 60, seed: int = 5) -> list[list[object]]:
    """(doc_id, system, rater, rating) from 1 to 5 of three raters and two systems."""
    rng = random.Random(seed)
    return [
        [f"d{n}", system, rater, min(5, max(1, quality + rng.choice((-1, 0, 0, 1))))]
        for n in range(many)
        for system in ("bart", "t5")
        for quality in [rng.randint(1, 5)]
        for rater in RATERS
    ]


HEADER = ("doc_id", "system", "annotator", "rating")


def test_two_columns_that_could_be_the_document_are_asked_about(tmp_path: Path) -> None:
    words = Vocabulary(random.Random(1), odd=False)
    rows = [
        [f"d{n}", first, second, summary, rater, n % 5 + 1]
        for n in range(30)
        for first, second in [(words.words(40, 60), words.words(40, 60))]
        for summary in [words.words(9, 20)]
        for rater in RATERS
    ]
    header = ("doc_id", "article", "document", "summary", "annotator", "rating")
    told = told_of(csv_file(tmp_path / "ratings.csv", header, rows))
    documents = {
        column.column
        for reading in told.readings
        for column in reading.tables[0].columns
        if column.holds is Holds.DOCUMENT
    }
    assert documents == {"article", "document"}, told.words


def test_two_hundred_labels_are_no_scale_without_a_word(tmp_path: Path) -> None:
    rows = [[f"d{n}", r, f"label {n * 7 % 200}"] for n in range(200) for r in RATERS]
    told = told_of(csv_file(tmp_path / "l.csv", ("doc_id", "annotator", "category"), rows))
    assert "200" in told.words or told.is_open


def test_very_many_labels_are_asked_about(tmp_path: Path) -> None:
    rng, words = random.Random(4), Vocabulary(random.Random(5), odd=False)
    texts = [words.words(8, 12) for _ in range(300)]
    rows = [[text, r, f"intent_{rng.randrange(200)}"] for text in texts for r in RATERS]
    told = told_of(csv_file(tmp_path / "l.csv", ("text", "annotator", "label"), rows))
    assert "different values, more than the 21 that answers may have" in told.words
    assert told.is_open


@pytest.mark.parametrize("by_place", [False, True])
def test_the_best_and_the_worst_of_four_are_refused(by_place: bool, tmp_path: Path) -> None:
    rng = random.Random(6)
    rows = []
    for n in range(40):
        shown = rng.sample([f"term{k}" for k in range(30)], 4)
        for rater in RATERS:
            both = rng.sample(range(4), 2)
            rows.append([n, *shown, rater, *(k + 1 if by_place else shown[k] for k in both)])
    header = ("id", *(f"item{k}" for k in range(1, 5)), "annotator", "best", "worst")
    told = told_of(csv_file(tmp_path / "bws.csv", header, rows))
    assert "best, worst: the best and the worst of 4" in told.refused, told.words


def test_answers_that_stand_in_two_files_are_counted_once(tmp_path: Path) -> None:
    rows = long_rows()
    told = told_of(
        csv_file(tmp_path / "a.csv", HEADER, rows[:220]),
        csv_file(tmp_path / "b.csv", HEADER, rows[140:]),
    )
    assert told.proposal is not None
    assert "80 answers stand in both `a.csv` and `b.csv`" in told.words
    assert not told.is_open
    assert told.proposal.counts.answers == len(told.answers) == len(rows)
    assert "again" not in told.words


def test_what_cannot_be_read_as_proposed_is_said_with_the_proposal(tmp_path: Path) -> None:
    rows = [["" if n % 3 else d, s, r, v] for n, (d, s, r, v) in enumerate(long_rows(20))]
    path = csv_file(tmp_path / "ratings.csv", HEADER, rows)
    proposal = proposed(raw_tables([path]), Stated(columns={"doc_id": Holds.SOURCE}))
    assert "Cannot be imported so: ratings.csv:3: " in proposal.remarks[0].text
    assert "80 of 120 records cannot be used" in proposal.remarks[0].text
    assert proposal.sentence == "Nothing can be read in this way."


@pytest.mark.parametrize("every", [2, 3])
def test_what_becomes_of_answers_without_an_annotator_is_asked(every: int, tmp_path: Path) -> None:
    rows = [[d, s, "" if n % every else r, v] for n, (d, s, r, v) in enumerate(long_rows())]
    told = told_of(csv_file(tmp_path / "ratings.csv", HEADER, rows))
    missing = 360 - 360 // every
    assert f"`annotator` is empty beside {missing} of the 360 answers" in told.words
    left_out, numbered = told.readings
    assert left_out.tables[0].left_out == {"annotator": ("",)}
    assert numbered.tables[0].numbered_raters
    assert len(told.answers) == 360 - missing
    assert "again" not in told.words, told.words


def test_few_answers_without_an_annotator_are_listed(tmp_path: Path) -> None:
    rows = [[d, s, "" if n % 40 == 1 else r, v] for n, (d, s, r, v) in enumerate(long_rows())]
    told = told_of(csv_file(tmp_path / "ratings.csv", HEADER, rows))
    assert not told.is_open
    assert "`annotator`: 9 rows are left out, the first in ratings.csv:3" in told.words


@pytest.fixture
def pair_rows() -> list[list[object]]:
    rng = random.Random(3)
    systems = ("bart", "t5", "pegasus")
    return [
        [f"d{n}", a, b, rater, rng.choice((a, b))]
        for n in range(60)
        for a, b in [rng.sample(systems, 2)]
        for rater in RATERS
    ]


def test_a_winner_that_names_neither_is_listed(tmp_path: Path, pair_rows: Rows) -> None:
    absent = {"bart": "t5", "t5": "pegasus", "pegasus": "bart"}
    odd = [pair_rows[7][:4], pair_rows[100][:4]]
    rows = [[*row] for row in pair_rows]
    for number, row in zip((7, 100), odd, strict=True):
        (third,) = {*absent} - {str(row[1]), str(row[2])}
        rows[number][4] = third
    header = ("doc_id", "system_a", "system_b", "annotator", "winner")
    told = told_of(csv_file(tmp_path / "pairs.csv", header, rows))
    assert told.is_open or len(told.answers) == len(rows) - 2
    assert "`winner`: 2 rows are left out" in told.words, told.words
    assert told.is_open or len(told.listed) == 2


def test_an_id_that_repeats_with_another_text_is_not_joined(tmp_path: Path) -> None:
    words = Vocabulary(random.Random(2), odd=False)
    rows = [[f"s{n}", words.words(10, 20), n % 5 + 1, n % 4 + 1, n % 3 + 2] for n in range(40)]
    rows[21][0] = rows[20][0]
    told = told_of(csv_file(tmp_path / "table.csv", ("item_id", "summary", *RATERS), rows))
    assert "s20" in told.words or told.is_open, told.words
    assert told.is_open or len(told.answers) == 39 * 3


def test_ratings_beyond_the_scale_are_told(tmp_path: Path) -> None:
    rows = long_rows()
    rows[8][3] = rows[250][3] = 55
    told = told_of(csv_file(tmp_path / "ratings.csv", HEADER, rows))
    assert "55" in told.words, told.words
    assert told.is_open or 55 not in {answer.value for answer in told.answers}


def test_no_place_of_a_slider_is_beyond_it(tmp_path: Path) -> None:
    given = [5] * 6 + [70] * 6 + [100] * 6 + [*range(6, 50)] + [2]
    rows = [[f"d{n}", "ann", value] for n, value in enumerate(given)]
    told = told_of(csv_file(tmp_path / "t.csv", ["doc_id", "annotator", "fluency"], rows))
    assert len(told.answers) == len(given)


def test_a_key_that_does_not_cover_all_lists_the_rest(tmp_path: Path) -> None:
    code = {"bart": "X", "t5": "Y"}
    rows = [[f"{d}{code[str(s)]}", r, v] for d, s, r, v in long_rows()]
    key = [[f"d{n}{c}", f"d{n}", s] for n in range(50) for s, c in code.items()]
    told = told_of(
        csv_file(tmp_path / "a.csv", ("blind_id", "annotator", "rating"), rows),
        csv_file(tmp_path / "key.csv", ("blind_id", "doc_id", "system"), key),
    )
    assert told.is_open or len(told.answers) == 300
    assert {each.unit.split("/")[0] for each in told.answers} >= {"d49X", "d0Y"}
    assert told.proposal is not None
    assert (told.proposal.counts.sources, told.proposal.counts.systems) == (50, 2)
    assert "key.csv" in told.words or "d50X" in told.words, told.words


def test_systems_that_are_not_in_the_key_are_named(tmp_path: Path) -> None:
    code = {"bart": "S1", "t5": "S2"}
    rows = [[d, code[str(s)], r, v] for d, s, r, v in long_rows()]
    rows += [[f"d{n}", "S3", r, n % 5 + 1] for n in range(60) for r in RATERS]
    told = told_of(
        csv_file(tmp_path / "a.csv", HEADER, rows),
        csv_file(tmp_path / "key.csv", ("system", "name"), [["S1", "bart"], ["S2", "t5"]]),
    )
    assert told.proposal is not None
    assert "without a name there: `S3`" in told.words
    assert told.proposal.counts.systems == 3


def test_the_sheet_of_one_annotator_may_have_another_header(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.remove(book["Sheet"])
    for rater in RATERS:
        sheet = book.create_sheet(rater)
        sheet.append(["doc_id", "system", "score" if rater == "ann2" else "rating"])
        for document, system, who, value in long_rows(20):
            if who == rater:
                sheet.append([document, system, value])
    book.save(tmp_path / "ratings.xlsx")
    told = told_of(tmp_path / "ratings.xlsx")
    assert "`ratings.xlsx#ann2` alone" in told.words
    assert {answer.rater for answer in told.answers} == {*RATERS}


def test_sheets_with_other_columns_are_named(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    first, second = book.active, book.create_sheet("Colours")
    assert first is not None
    for row in (HEADER, *long_rows(20)):
        first.append([*row])
    for row in (("Colour", "Hex"), ("red", "#f00"), ("green", "#0f0")):
        second.append(row)
    book.save(tmp_path / "ratings.xlsx")
    told = told_of(tmp_path / "ratings.xlsx")
    assert "Colours" in told.words, told.words
    assert told.is_open or len(told.answers) == 120


def test_a_file_of_two_tables_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = csv_file(tmp_path / "ratings.csv", HEADER, long_rows(20))
    more = "\n\nsystem,mean,sd\nbart,3.2,1.1\nt5,2.9,0.8\n"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    told = told_of(path)
    assert "two tables" in told.refused, told.words


def test_numbers_with_a_comma_keep_their_decimals_or_are_asked_about(tmp_path: Path) -> None:
    rows = [
        [d, s, r, f"{v}," + ("5" if n % 2 else "0")] for n, (d, s, r, v) in enumerate(long_rows())
    ]
    told = told_of(csv_file(tmp_path / "ratings.csv", HEADER, rows, mark=";"))
    assert told.is_open or {answer.value for answer in told.answers} <= {
        n / 2 for n in range(2, 12)
    }


def test_a_comma_before_thousands_is_no_decimal_comma_without_a_word(tmp_path: Path) -> None:
    rows = [[f"d{n}", r, f"{n % 3 + 1},200"] for n in range(30) for r in RATERS]
    path = csv_file(tmp_path / "r.csv", ("doc_id", "annotator", "rating"), rows, mark=";")
    told = told_of(path)
    assert "All numbers with a comma have three digits behind it" in told.words
    assert "`1,200` is read as 1.200, with a decimal comma" in told.words
    decimal, thousands = told.readings
    assert (decimal.answers[0].decimal_comma, thousands.answers[0].decimal_comma) == (True, False)


def test_dates_as_ids_tell_documents_apart(tmp_path: Path) -> None:
    rows = [[f"2024-{n % 12 + 1:02}-{n // 12 + 1:02}", s, r, v] for n, (d, s, r, v) in (
        (int(str(row[0])[1:]), row) for row in long_rows())]  # fmt: skip
    told = told_of(csv_file(tmp_path / "ratings.csv", HEADER, rows))
    assert told.is_open or len({answer.unit for answer in told.answers}) == 120, told.words


def test_three_files_of_a_hundred_that_differ_are_asked_about(tmp_path: Path) -> None:
    rng = random.Random(9)
    names = [f"annotator_{n:03}.csv" for n in range(100)]
    with zipfile.ZipFile(tmp_path / "ratings.zip", "w") as archive:
        for n, name in enumerate(names):
            last = "notes,checked" if n in (31, 57, 80) else "rating"
            lines = [f"d{k},{rng.choice(('bart', 't5'))},{rng.randint(1, 5)}" for k in range(12)]
            if n in (31, 57, 80):
                lines = [f"{line},yes" for line in lines]
            archive.writestr(name, "\n".join([f"doc_id,system,{last}", *lines]) + "\n")
    told = told_of(tmp_path / "ratings.zip")
    assert told.is_open, told.words
    assert "annotator_031.csv` and 2 more" in told.words, told.words


def test_a_text_that_differs_within_a_source_is_kept_and_not_shown(tmp_path: Path) -> None:
    words = Vocabulary(random.Random(3), odd=False)
    documents = [words.words(60, 70) for _ in range(20)]
    other = {(7, "t5"): "!"}
    rows = [
        [f"d{n}", documents[n] + other.get((n, system), ""), system, text, rater, n % 5]
        for n in range(20)
        for system in ("bart", "t5")
        for text in [words.words(9, 20)]
        for rater in RATERS
    ]  # fmt: skip
    header = ("doc_id", "document", "system", "summary", "annotator", "rating")
    told = told_of(csv_file(tmp_path / "ratings.csv", header, rows))
    assert told.is_open or "such as d7" in told.words, told.words
    assert len({answer.unit for answer in told.answers}) == 40
