"""The layout of sheets, shared by the writer and the reader: which cells a question takes up."""

import json
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.crypto import salted_hmac

from annotation.models import Block, Question, Study, Unit
from tasktypes.pages.sheets import InSheets, Row, Table

UNIT, PART = "Unit", "Part"
# The names that worksheets of our own have.
RESERVED = ("instructions", "jurybox", "history")
_SALT = "annotation.sheets"
_LONGEST_TITLE = 31


class SheetRefused(Exception):
    """Something that cannot be asked in a spreadsheet, as `what: field: reason` on one line."""


@dataclass(frozen=True)
class QuestionRow:
    """One row of a worksheet, and the question that it belongs to."""

    question: str
    row: Row


@dataclass
class Worksheet:
    """A table with the rows of every question that shares it."""

    title: str
    about: list[str] = field(default_factory=list)
    lines: list[QuestionRow] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    @property
    def has_parts(self) -> bool:
        return any(line.row.part for line in self.lines)

    @property
    def headers(self) -> tuple[str, ...]:
        """The first row. Texts come before the cells to fill in."""
        return (UNIT, *([PART] if self.has_parts else []), *self.texts, *self.answers)

    def column(self, answer: str) -> int:
        """Where the cells under that name stand, counted from 1."""
        return len(self.headers) - len(self.answers) + self.answers.index(answer) + 1

    def take(self, question: str, table: Table) -> None:
        """Add the rows of a question, and the columns that they need."""
        self.about += [line for line in table.about if line not in self.about]
        for row in table.rows:
            self.lines.append(QuestionRow(question, row))
            filled = [name for name, text in row.texts.items() if text]
            self.texts += [name for name in filled if name not in self.texts]
            columns = [cell.column for cell in row.cells]
            self.answers += [name for name in columns if name not in self.answers]


def lay_out(questions: Iterable[Question]) -> list[Worksheet]:
    """The worksheets of these questions of one block, which come in the order of their rows."""
    sheets: dict[str, Worksheet] = {}
    for question in questions:
        for table in sheet_type(question.block).sheet(question.typed_payload):
            if table.name not in sheets:
                titles = [*RESERVED, *(sheet.title for sheet in sheets.values())]
                sheets[table.name] = Worksheet(_title(table.name, titles))
            sheets[table.name].take(row_id(question), table)
    return list(sheets.values())


def sheet_type(block: Block) -> InSheets[Any, Any]:
    """The block's task type; SheetRefused where its answers do not fit into cells."""
    kind = block.task_type
    if not isinstance(kind, InSheets):
        raise SheetRefused(f"block {block.key}: {kind.title} cannot be answered in a spreadsheet")
    return kind


def sheet_block(study: Study, key: str = "") -> Block:
    """The block of that key, or the only one that can be answered in a spreadsheet."""
    blocks = {block.key: block for block in study.blocks.all()}
    if key:
        if key not in blocks:
            raise SheetRefused(f"block {key}: no such block (known: {', '.join(blocks)})")
        sheet_type(blocks[key])
        return blocks[key]
    fit = [block for block in blocks.values() if isinstance(block.task_type, InSheets)]
    if len(fit) != 1:
        names = ", ".join(block.key for block in fit) or "none"
        raise SheetRefused(f"study {study.slug}: name one block with --block (in sheets: {names})")
    return fit[0]


def sheet_questions(block: Block, *, annotator: str) -> list[Question]:
    """The questions for an annotator: normal units of the study's setting, and controls, in an
    order drawn by the study's seed and the annotator's name, so that no position tells a role."""
    study = block.study
    normal = study.units.normal_pool().exclude(round__counts=False)
    if study.setting:
        normal = normal.filter(subsets__name=study.setting)
    units = {*normal.values_list("pk", flat=True)}
    units |= {*Unit.objects.filter(study=study).checked_controls().values_list("pk", flat=True)}
    rows = block.questions.filter(unit__in=units).select_related("block__study", "unit")
    questions = list(rows.order_by("pk"))
    random.Random(f"{study.seed}/{annotator}").shuffle(questions)  # noqa: S311 (no secret)
    return questions


def row_id(question: Question) -> str:
    """A question's id in a sheet: a hash, since unit keys would give systems and roles away."""
    about = "\n".join((question.block.study.slug, question.block.key, question.unit.key))
    return _digest("unit", about)[:12]


def mark(question: Question) -> str:
    """Changes with the question as shown, such as the order of what is compared."""
    return _digest("question", json.dumps(question.payload, sort_keys=True))[:12]


@dataclass(frozen=True)
class Label:
    """The label of a file: study, block, annotator, and the mark of each question by its id."""

    study: str
    block: str
    annotator: str
    marks: dict[str, str]

    @property
    def seal(self) -> str:
        """A signature that only this installation can write."""
        about = [self.study, self.block, self.annotator, *sorted(self.marks.items())]
        return _digest("seal", json.dumps(about))

    @classmethod
    def of(cls, block: Block, annotator: str, questions: Sequence[Question]) -> "Label":
        marks = {row_id(question): mark(question) for question in questions}
        return cls(block.study.slug, block.key, annotator, marks)


def _digest(purpose: str, about: str) -> str:
    return salted_hmac(f"{_SALT}.{purpose}", about, algorithm="sha256").hexdigest()


def _title(name: str, titles: Sequence[str]) -> str:
    """A name as spreadsheets allow it: short, without some marks, and once in a file."""
    plain = re.sub(r"[\[\]:*?/\\]", " ", name).strip(" '") or "Sheet"
    title, number = plain[:_LONGEST_TITLE], 1
    while title.casefold() in {other.casefold() for other in titles}:
        number += 1
        title = f"{plain[: _LONGEST_TITLE - 4]} {number}"
    return title
