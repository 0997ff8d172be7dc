"""What a draft would make: its first units as workers see them, and the rows that do not fit."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from django.utils.safestring import SafeString
from pydantic import ValidationError

from annotation.models import Block, Question
from annotation.views.filled_form import draw_form
from files.columns.names import OUTPUTS
from files.errors import ImportFailure
from files.findings import Findings
from files.readers.heads import first_rows
from files.skipped import Skipped, SkippedRecords
from imports.formats.item_tables import READ_AS, ItemTable
from imports.formats.own.jsonl import recorded_entries
from imports.formats.table_outputs import GATHERED
from imports.material.questions import (
    BESIDE_ITSELF,
    WITHOUT_UNIT,
    OpenBlock,
    built_questions,
    planned_units,
)
from imports.material.records import MaterialEntry, UnitSpec
from imports.sandbox.calls import call_apart
from imports.study_file.blocks import BlockPart
from imports.study_file.item_columns import ItemColumns
from set_up.models import NewStudy
from set_up.new_study.drafts import path_of, renamed

# Rows that are looked at, units that are shown, and skipped rows that are listed.
LOOKED_AT, SHOWN, LISTED = 2000, 3, 50

NO_UNITS = "These rows give no question."


class NoUnits(ImportFailure):
    """The rows of a file make no unit; the reason is what is said of the first of them."""

    def __str__(self) -> str:
        return self.reason


@dataclass
class Preview:
    """The first units of a draft. told: what became of rows that fit and make no unit of their own.
    failure: why there is none. skipped: rows that do not fit, among those looked at. copies: each
    of these as it stands in the file, with the reason, a line of JSON each."""

    units: list[tuple[str, list[Question]]] = field(default_factory=list)
    n_units: int = 0
    read_as: str = ""
    told: list[str] = field(default_factory=list)
    failure: str = ""
    skipped: list[Skipped] = field(default_factory=list)
    copies: str = ""

    @property
    def listed(self) -> list[Skipped]:
        """The first rows that do not fit."""
        return self.skipped[:LISTED]


def preview(draft: NewStudy, *, limit: int | None = LOOKED_AT) -> Preview:
    """What the first rows of the uploaded file make; without a limit, all of them."""
    path = path_of(draft)
    if path is None:
        return Preview(failure="The uploaded file is no longer kept here: upload it again.")
    try:
        made = call_apart(_made_of, path, draft.keys, draft.file_name, limit)
    except ImportFailure as failure:
        return Preview(failure=str(renamed(failure, path, draft.file_name)))
    made.copies = made.copies.replace(str(path), draft.file_name)
    if not made.units and not made.failure:
        made.failure = NO_UNITS
    return made


def _made_of(path: Path, keys: Mapping[str, Any], name: str, limit: int | None) -> Preview:
    """What the rows of a file make by the keys of a draft. name: of the file, as it was
    uploaded."""
    made, copies, findings = Preview(), io.StringIO(), Findings()
    skipped = SkippedRecords(strict=False, copies=copies)
    try:
        for key, questions in _Reading(keys, path, name, skipped, findings, limit).units():
            made.n_units += 1
            if len(made.units) < SHOWN:
                made.units.append((key, questions))
    except ImportFailure as failure:
        made.failure = str(renamed(failure, path, name))
    read = findings.odd.get(READ_AS, [""])[0]
    made.read_as = read.partition(": ")[2]
    made.told = [line.replace(path.name, name) for line in _told(findings)]
    made.skipped = [
        Skipped(row.where.replace(str(path), name), row.field, row.reason) for row in skipped.listed
    ]
    made.copies = copies.getvalue()
    return made


def _told(findings: Findings) -> list[str]:
    """What became of rows that make no unit of their own, a line each."""
    gathered = [place.partition(": ")[2] for place in findings.odd.get(GATHERED, ())]
    counted = [
        f"{name.replace('_', ' ')}: {findings.counts[name]} (e.g. {place})"
        for name in (WITHOUT_UNIT, BESIDE_ITSELF)
        for place in findings.odd.get(name, ())[:1]
    ]
    return [*gathered, *counted]


def refuse_empty(draft: NewStudy) -> None:
    """ImportFailure where the file of a draft makes no unit, unless its units follow when lists
    have been prepared for them."""
    if draft.file_name:
        found = preview(draft)
        awaits = any(block.task_type.prepared_list for block in draft_blocks(draft.keys))
        if not found.units and not (awaits and found.failure == NO_UNITS):
            first = found.skipped[0] if found.skipped else None
            raise NoUnits(draft.file_name, "rows", str(first or found.failure))


def draft_blocks(keys: Mapping[str, Any]) -> tuple[OpenBlock, ...]:
    """The blocks of a draft; ImportFailure where they are not right yet."""
    entries = keys.get("blocks")
    if not isinstance(entries, list) or not entries:
        raise ImportFailure("study.yaml", "blocks", "missing")
    try:
        parts = [BlockPart.model_validate(entry) for entry in entries]
    except ValidationError as error:
        raise ImportFailure.of("study.yaml", error, within="blocks") from error
    rows = [
        Block(task_type_slug=part.task_type, options=part.full_options, key=part.key or str(n))
        for n, part in enumerate(parts)
    ]
    return tuple(OpenBlock.of(row) for row in rows)


@dataclass(frozen=True)
class _Reading:
    """One reading of an uploaded file."""

    keys: Mapping[str, Any]
    path: Path
    name: str
    skipped: SkippedRecords
    findings: Findings
    limit: int | None

    def units(self) -> Iterator[tuple[str, list[Question]]]:
        """(key, questions) of every unit."""
        blocks = draft_blocks(self.keys)
        for entry in self._entries(blocks):
            try:
                units = entry.units
                if units is None:
                    units = planned_units(entry, blocks, seed=0, findings=self.findings)
                asked = [(unit.key, _questions(entry, unit, blocks)) for unit in units]
            except ImportFailure as failure:
                self.skipped.skip(failure, of=entry.where)
                continue
            yield from asked

    def _entries(self, blocks: tuple[OpenBlock, ...]) -> Iterator[MaterialEntry]:
        if "columns" not in self.keys:
            return islice(recorded_entries(self.path, self.skipped), self.limit)
        columns = draft_columns(self.keys, self.name)
        return ItemTable(
            self.path, columns, blocks, self.skipped, self.findings, limit=self.limit
        ).entries()


def draft_columns(keys: Mapping[str, Any], name: str) -> ItemColumns:
    """The columns of a draft; ImportFailure, with the name of its file, where they are not right
    yet."""
    try:
        return ItemColumns.model_validate(keys.get("columns") or {})
    except ValidationError as error:
        raise ImportFailure.of(name, error, within="columns") from error


def _questions(
    entry: MaterialEntry, unit: UnitSpec, blocks: tuple[OpenBlock, ...]
) -> list[Question]:
    built = built_questions(entry.where, entry.source, unit, blocks)
    return [Question(block=question.block, payload=question.payload) for question in built]


def drawn(questions: list[Question]) -> list[tuple[str, SafeString]]:
    """(title, form) of each question, as a worker sees it."""
    return [
        (question.block.task_type.title, draw_form(question, {}, prefix=f"b{position}"))
        for position, question in enumerate(questions)
    ]


@dataclass(frozen=True)
class Head:
    """The columns of an uploaded table with its first rows. failure: why there are no more."""

    names: tuple[str, ...]
    rows: list[list[str]] = field(default_factory=list)
    failure: str = ""


def table_head(draft: NewStudy) -> Head:
    """The first rows of an uploaded table as they stand there, as far as it can be read."""
    path = path_of(draft)
    if path is None:
        return Head(())
    chosen = draft.keys.get("columns") or {}
    head = Head(tuple(str(chosen[role]) for role in OUTPUTS if role in chosen))
    try:
        stated = draft_columns(draft.keys, draft.file_name)
        names, rows, failed = call_apart(
            first_rows, path, 3, encoding=stated.encoding, delimiter=stated.delimiter
        )
    except ImportFailure as failure:
        return replace(head, failure=str(renamed(failure, path, draft.file_name)))
    why = "" if failed is None else str(renamed(failed, path, draft.file_name))
    return Head(names, rows, why)
