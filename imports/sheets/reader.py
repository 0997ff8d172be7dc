"""Reading filled-in sheets: their answers, or what is wrong with which cell."""

import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from openpyxl import Workbook, load_workbook
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.worksheet import Worksheet as Page

from annotation.models import Question, Rater, Study
from files.errors import ImportFailure
from imports.answer_lines import AnswerLine
from imports.answers.importing import take_answers
from imports.sheets.layout import Label, SheetRefused, Worksheet, lay_out, mark, row_id, sheet_block
from imports.sheets.writer import HIDDEN, MADE_BY
from tasktypes.pages.sheets import CellError, InSheets

# A malicious file of some kilobytes can unpack to hundreds of megabytes.
_LARGEST = 128 * 2**20
_MOST_SHOWN = 20
# So many rows below the questions are read, to find rows that somebody added; not a million
# empty but coloured ones.
_ROOM_BELOW = 1000


class CellFailure(ImportFailure):
    """What is wrong with one cell of a file."""

    def __init__(self, path: Path, sheet: str, cell: str, reason: str) -> None:
        super().__init__(f"{path}, sheet {sheet}", f"cell {cell}", reason)

    def __str__(self) -> str:
        return " ".join(f"{self.where}, {self.field}: {self.reason}".split())


class SheetFailures(Exception):
    """All that is wrong with some sheets, each thing on a line of its own."""

    def __init__(self, failures: Sequence[ImportFailure]) -> None:
        self.failures = tuple(failures)
        lines = [str(failure) for failure in failures[:_MOST_SHOWN]]
        rest = len(failures) - len(lines)
        super().__init__("\n".join([*lines, *([f"… and {rest} more"] if rest else [])]))


def import_sheets(*, study: Study, paths: Sequence[Path]) -> dict[str, int]:
    """Record the answers of filled-in sheets, all or none; how many per annotator.

    SheetFailures names every cell that is wrong, ImportFailure what a file as a whole lacks.
    """
    files = [_FilledSheet.of(study, path) for path in paths]
    answers = [line for file in files for line in file.answers()]
    failures = [failure for file in files for failure in file.failures]
    if failures:
        raise SheetFailures(failures)
    return take_answers(study=study, answer_lines=answers)


@dataclass
class _FilledSheet:
    """One file, with the questions that it was written for."""

    path: Path
    pages: dict[str, Page]
    label: Label
    questions: list[Question]
    failures: list[ImportFailure] = field(default_factory=list)

    @classmethod
    def of(cls, study: Study, path: Path) -> "_FilledSheet":
        pages = _pages(path)
        label = _label(path, pages)
        if label.study != study.slug:
            raise ImportFailure(str(path), "study", f"written for {label.study}, not {study.slug}")
        return cls(path, pages, label, _questions(study, path, label))

    def answers(self) -> Iterator[AnswerLine]:
        """An answer per question; what cannot be one becomes a failure."""
        filled: dict[str, _Cells] = {question: _Cells() for question in self.label.marks}
        for sheet in lay_out(self.questions):
            self._read(sheet, filled)
        if self.failures:  # with columns or rows out of place nothing more can be said
            return
        for question in self.questions:
            yield from self._answer(question, filled[row_id(question)])

    def _answer(self, question: Question, cells: "_Cells") -> Iterator[AnswerLine]:
        kind = question.block.task_type
        assert isinstance(kind, InSheets)
        try:
            answer = kind.from_sheet(question.typed_payload, cells.texts)
        except CellError as error:
            self.failures.append(CellFailure(self.path, *cells.places[error.key], error.reason))
            return
        sheet, cell = next(iter(cells.places.values()))
        yield AnswerLine.of(
            f"{self.path}, sheet {sheet}, cell {cell}",
            unit=question.unit.key,
            block=question.block.key,
            rater=self.label.annotator,
            kind=Rater.Kind.HUMAN.value,
            answer=answer.model_dump(mode="json"),
        )

    def _read(self, sheet: Worksheet, filled: dict[str, "_Cells"]) -> None:
        page = self.pages.get(sheet.title)
        if page is None:
            self._fail(sheet, "A1", "the worksheet is missing")
            return
        if not self._has_headers(page, sheet):
            return
        rows = self._rows(page, sheet)
        for line in sheet.lines:
            row = rows.get((line.question, line.row.part))
            if row is None:
                named = f"{line.question} {line.row.part}".strip()
                self._fail(sheet, f"A{len(sheet.lines) + 1}", f"the row of unit {named} is missing")
                continue
            number, texts = row
            cells = {cell.column: cell for cell in line.row.cells}
            for name in sheet.answers:
                column = sheet.column(name)
                place, text = f"{get_column_letter(column)}{number}", texts[column - 1]
                if name in cells:
                    filled[line.question].put(cells[name].key, text, (sheet.title, place))
                elif text:
                    self._fail(sheet, place, f"this unit has no {name!r}")

    def _has_headers(self, page: Page, sheet: Worksheet) -> bool:
        headers = [_text(value) for value in _values(page, 1, len(sheet.headers) + 1)]
        expected = [*sheet.headers, ""]
        wrong = [at for at, name in enumerate(expected) if headers[at] != name]
        for at in wrong:
            reason = f"the header was {expected[at]!r} and is now {headers[at][:40]!r}"
            self._fail(sheet, f"{get_column_letter(at + 1)}1", reason)
        return not wrong

    def _rows(self, page: Page, sheet: Worksheet) -> dict[tuple[str, str], tuple[int, list[str]]]:
        """Row number and texts by question and part, wherever the row stands."""
        expected = {(line.question, line.row.part) for line in sheet.lines}
        rows: dict[tuple[str, str], tuple[int, list[str]]] = {}
        for number in range(2, min(page.max_row, len(sheet.lines) + _ROOM_BELOW) + 1):
            texts = [_text(value) for value in _values(page, number, len(sheet.headers))]
            key = texts[0], texts[1] if sheet.has_parts else ""
            if not any(texts):
                continue
            if key not in expected:
                named = " ".join(filter(None, key))[:40] or "without a name"
                self._fail(sheet, f"A{number}", f"unit {named} is not in this sheet")
            elif key in rows:
                self._fail(sheet, f"A{number}", f"unit {key[0]} is in row {rows[key][0]} already")
            else:
                rows[key] = number, texts
        return rows

    def _fail(self, sheet: Worksheet, cell: str, reason: str) -> None:
        self.failures.append(CellFailure(self.path, sheet.title, cell, reason))


@dataclass
class _Cells:
    """The cells of one question: their texts and their addresses."""

    texts: dict[str, str] = field(default_factory=dict)
    places: dict[str, tuple[str, str]] = field(default_factory=dict)

    def put(self, key: str, text: str, place: tuple[str, str]) -> None:
        self.texts[key], self.places[key] = text, place


def _opened(path: Path) -> Workbook:
    try:
        # Opened here, since openpyxl leaves a damaged file open.
        with path.open("rb") as stream:
            with zipfile.ZipFile(stream) as packed:
                if sum(part.file_size for part in packed.infolist()) > _LARGEST:
                    raise ImportFailure(str(path), "file", f"over {_LARGEST // 2**20} MiB unpacked")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what other programs write besides cells
                return load_workbook(stream, data_only=True)
    except OSError as error:
        raise ImportFailure(str(path), "file", error.strerror or str(error)) from error
    except (zipfile.BadZipFile, zlib.error, InvalidFileException, ParseError) as error:
        raise ImportFailure(str(path), "file", "not a spreadsheet (.xlsx)") from error
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        # openpyxl checks little: a part that is missing or odd shows as one of these.
        raise ImportFailure(str(path), "file", "not a spreadsheet (.xlsx), or damaged") from error


def _pages(path: Path) -> dict[str, Page]:
    """The worksheets by title; sheets that hold a chart alone are none."""
    pages: dict[str, Page] = {}
    for page in _opened(path).worksheets:
        if isinstance(page, Page):
            pages[page.title] = page
    return pages


def _label(path: Path, pages: dict[str, Page]) -> Label:
    """The label of the file; ImportFailure where it is not one of ours."""
    foreign = ImportFailure(str(path), "file", "not written by export_sheets of this installation")
    page = pages.get(HIDDEN)
    if page is None:
        raise foreign
    rows = [[_text(value) for value in _values(page, n, 2)] for n in range(1, page.max_row + 1)]
    if len(rows) < 6 or rows[0][0] != MADE_BY:
        raise foreign
    study, block, annotator, seal = (row[0] for row in rows[1:5])
    label = Label(study, block, annotator, {row[0]: row[1] for row in rows[5:]})
    if label.seal != seal:
        raise foreign
    return label


def _questions(study: Study, path: Path, label: Label) -> list[Question]:
    """The questions of the file in its order, as long as they are still the same."""
    try:
        block = sheet_block(study, label.block)
    except SheetRefused as refused:
        raise ImportFailure(str(path), "block", str(refused)) from refused
    questions = block.questions.select_related("block__study", "unit")
    by_id = {row_id(question): question for question in questions}
    gone = [question_id for question_id in label.marks if question_id not in by_id]
    if gone:
        raise ImportFailure(str(path), "unit", f"{gone[0]} is no longer in this study")
    for question_id, written in label.marks.items():
        if mark(by_id[question_id]) != written:
            key = by_id[question_id].unit.key
            raise ImportFailure(str(path), "unit", f"{key} has changed since the sheet was written")
    return [by_id[question_id] for question_id in label.marks]


def _values(page: Page, row: int, columns: int) -> list[Any]:
    return [page.cell(row, column).value for column in range(1, columns + 1)]


def _text(value: object) -> str:
    """The text of a cell, whatever type the spreadsheet program stored it as."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
