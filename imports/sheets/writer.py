"""Writing the sheets of a study: one XLSX file per annotator."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from django.utils.text import slugify
from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, Cell
from openpyxl.styles import Alignment, Font, PatternFill, Protection
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet as Page

from annotation.models import Block, Question, Rater, Study
from imports.sheets.formulas import is_risky
from imports.sheets.layout import (
    Label,
    QuestionRow,
    SheetRefused,
    Worksheet,
    lay_out,
    sheet_block,
    sheet_questions,
)

HIDDEN = "jurybox"
MADE_BY = "jurybox sheet 1"
_LONGEST_TEXT = 32_767
_LONGEST_LIST = 255
_HEAD = PatternFill("solid", start_color="DDE3EA")
_TO_FILL = PatternFill("solid", start_color="FFF8D6")
_WRAPPED = Alignment(wrap_text=True, vertical="top")
_HOW_TO = (
    "Fill in every yellow cell. A cell takes one of the values that its list offers.",
    "Leave everything else as it is, and the rows complete. You may widen rows and columns.",
    "Save the file as .xlsx and send it back.",
)


def write_sheets(
    *,
    study: Study,
    annotators: Sequence[str],
    folder: Path,
    block_key: str = "",
    watch: Callable[[int], object] = lambda _n: 0,
) -> list[Path]:
    """Write one file per annotator. SheetRefused where one exists or cannot be written; OSError."""
    block = sheet_block(study, block_key)
    files = _files(study, block, annotators, folder)
    folder.mkdir(parents=True, exist_ok=True)
    for annotator, path in files.items():
        questions = sheet_questions(block, annotator=annotator)
        if not questions:
            raise SheetRefused(f"block {block.key}: units: there is nothing to ask")
        _save(_workbook(block, annotator, questions), path)
        watch(1)
    return list(files.values())


def _files(study: Study, block: Block, annotators: Sequence[str], folder: Path) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for annotator in annotators:
        _check_annotator(study, annotator, files)
        name = slugify(annotator, allow_unicode=True) or "annotator"
        path = folder / f"{study.slug}-{block.key}-{name}.xlsx"
        if path in files.values():
            raise SheetRefused(f"{annotator}: raters: its file would be called {path.name}, too")
        if path.exists():
            raise SheetRefused(f"{path}: file: there already, and perhaps filled in")
        files[annotator] = path
    return files


def _check_annotator(study: Study, name: str, before: dict[str, Path]) -> None:
    """Refuse now what would be refused when the sheet comes back."""
    if not name.strip() or len(name) > 200 or name != name.strip():
        raise SheetRefused(f"raters: {name[:40]!r} is not a name")
    if name in before:
        raise SheetRefused(f"raters: {name} is named twice")
    rater = study.raters.filter(name=name).order_by("-version").first()
    if rater is not None and rater.origin != Rater.Origin.IMPORTED:
        raise SheetRefused(f"raters: {name} answers here; use another name")
    if rater is not None and rater.kind != Rater.Kind.HUMAN:
        raise SheetRefused(f"raters: {name} is {rater.kind}, not human")


def _save(workbook: Workbook, path: Path) -> None:
    """Save under a temporary name first, so that no half-written file has the final name."""
    unfinished = path.with_name(f".{path.name}.part")
    workbook.save(unfinished)
    unfinished.replace(path)


def _workbook(block: Block, annotator: str, questions: Sequence[Question]) -> Workbook:
    workbook = Workbook()
    front = workbook.worksheets[0]
    sheets = lay_out(questions)
    _write_instructions(front, block.study, annotator, sheets)
    for sheet in sheets:
        _write(workbook.create_sheet(sheet.title), sheet)
    _write_label(workbook.create_sheet(HIDDEN), Label.of(block, annotator, questions))
    return workbook


def _write_instructions(
    page: Page, study: Study, annotator: str, sheets: Sequence[Worksheet]
) -> None:
    page.title = "Instructions"
    lines = [(study.title, True), (f"Annotator: {annotator}", False)]
    lines += [(line, False) for line in study.instructions.splitlines() if line.strip()]
    lines += [("How to fill in this file", True), *((line, False) for line in _HOW_TO)]
    for sheet in sheets:
        lines += [(sheet.title, True), *((line, False) for line in sheet.about)]
    for number, (line, heading) in enumerate(lines, start=1):
        cell = _put(page, number, 1, line)
        cell.font = Font(bold=heading)
    page.column_dimensions["A"].width = 100
    page.protection.sheet = True


def _write(page: Page, sheet: Worksheet) -> None:
    for column, name in enumerate(sheet.headers, start=1):
        cell = _put(page, 1, column, name)
        cell.font, cell.fill = Font(bold=True), _HEAD
        width = 14 if name not in sheet.texts else 50 if len(sheet.texts) < 5 else 36
        page.column_dimensions[get_column_letter(column)].width = width
    lists: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for number, line in enumerate(sheet.lines, start=2):
        _write_line(page, sheet, number, line, lists)
    for choices, cells in lists.items():
        _offer(page, choices, cells)
    page.freeze_panes = "B2"
    page.protection.sheet = True
    page.protection.formatColumns = page.protection.formatRows = False  # False: allowed


def _write_line(
    page: Page,
    sheet: Worksheet,
    number: int,
    line: QuestionRow,
    lists: dict[tuple[str, ...], list[str]],
) -> None:
    before = [line.question, *([line.row.part] if sheet.has_parts else [])]
    texts = [line.row.texts.get(name, "") for name in sheet.texts]
    for column, text in enumerate([*before, *texts], start=1):
        _put(page, number, column, text)
    for answer_cell in line.row.cells:
        cell = page.cell(number, sheet.column(answer_cell.column))
        cell.fill, cell.protection = _TO_FILL, Protection(locked=False)
        if not all(choice.isdecimal() for choice in answer_cell.choices):
            cell.number_format = "@"  # so that a name such as "true" or "1/2" stays one
        lists[answer_cell.choices].append(cell.coordinate)


def _put(page: Page, row: int, column: int, text: str) -> Cell:
    """A cell that holds a text and nothing else: no formula, whatever the text begins with."""
    if len(text) > _LONGEST_TEXT:
        raise SheetRefused(
            f"sheet {page.title}: row {row}: a text of {len(text)} letters; a cell takes "
            f"{_LONGEST_TEXT}"
        )
    cell = page.cell(row, column)
    assert isinstance(cell, Cell)
    cell.value = ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", text)
    cell.data_type = "s"
    # Keeps a spreadsheet from reading the text as a formula once somebody edits the cell.
    cell.quotePrefix = is_risky(text)
    cell.alignment = _WRAPPED
    return cell


def _offer(page: Page, choices: Sequence[str], cells: Sequence[str]) -> None:
    """A list to choose from, where the file format can hold it."""
    listed = ",".join(choices)
    if len(listed) > _LONGEST_LIST - 2 or any(
        mark in choice for choice in choices for mark in ',"\n'
    ):
        return
    offer = DataValidation(type="list", formula1=f'"{listed}"', allow_blank=True)
    offer.showErrorMessage = True
    offer.errorTitle, offer.error = "Not in the list", f"Please enter one of {listed}"[:225]
    for cell in cells:
        offer.add(cell)
    page.add_data_validation(offer)


def _write_label(page: Page, label: Label) -> None:
    """The label, in a worksheet that spreadsheets do not show."""
    about = [MADE_BY, label.study, label.block, label.annotator, label.seal]
    for number, text in enumerate(about, start=1):
        _put(page, number, 1, text)
    for number, (question_id, mark) in enumerate(label.marks.items(), start=len(about) + 1):
        _put(page, number, 1, question_id)
        _put(page, number, 2, mark)
    page.sheet_state = "veryHidden"
    page.protection.sheet = True
