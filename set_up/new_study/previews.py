"""What a draft would make: its first units as workers see them, and the rows that do not fit."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from django.utils.safestring import SafeString
from pydantic import ValidationError

from annotation.models import Question
from annotation.views.filled_form import draw_form
from files.errors import ImportFailure
from files.findings import Findings, word_on_texts
from files.reading.first_rows import first_rows
from files.reading.model import Reading
from files.skipped import Skipped, SkippedRecords
from imports.formats.item_tables import ItemTable
from imports.formats.own.jsonl import recorded_entries
from imports.formats.repeated_outputs import GATHERED
from imports.material.questions import (
    BESIDE_ITSELF,
    WITHOUT_UNIT,
    OpenBlock,
    built_questions,
    planned_units,
)
from imports.material.records import MaterialEntry, UnitSpec
from imports.sandbox.calls import call_apart
from imports.study_file.item_columns import ItemColumns
from set_up.imports.read_outputs import draft_blocks, laid_out, read_entries, shown_in, tables_in
from set_up.models import NewStudy

# Rows that are looked at, units that are shown, and skipped rows that are listed.
LOOKED_AT, SHOWN, LISTED = 2000, 3, 50

NO_UNITS = "These rows give no question."
# The finding that counts sources whose texts are still to be written.
BARE = "sources_without_texts"


class NoUnits(ImportFailure):
    """The rows of a file make no unit; the reason is what is said of the first of them."""

    def __str__(self) -> str:
        return self.reason


@dataclass
class Preview:
    """The first units of a draft. told: what became of rows that fit and make no unit of their own.
    bare: how many sources have no text yet. word: what their texts look like, as a question.
    failure: why there is none. skipped: rows that do not fit, among those looked at. copies: each
    of these as it stands in the file, with the reason, a line of JSON each."""

    units: list[tuple[str, list[Question]]] = field(default_factory=list)
    n_units: int = 0
    told: list[str] = field(default_factory=list)
    bare: int = 0
    word: str = ""
    failure: str = ""
    skipped: list[Skipped] = field(default_factory=list)
    copies: str = ""

    @property
    def listed(self) -> list[Skipped]:
        """The first rows that do not fit."""
        return self.skipped[:LISTED]


def preview(draft: NewStudy, *, limit: int | None = LOOKED_AT) -> Preview:
    """What the first rows of the files make; without a limit, all of them."""
    files = draft.uploads or draft.files
    if not files:
        return Preview(failure="The uploaded file is no longer kept here: upload it again.")
    try:
        with laid_out(files) as folder:
            made = call_apart(_made_of, folder, draft.keys, draft.reading, limit)
    except ImportFailure as failure:
        return Preview(failure=str(failure))
    if not (made.units or made.bare or made.failure):
        made.failure = NO_UNITS
    return made


def _made_of(
    folder: Path, keys: Mapping[str, Any], reading: Reading | None, limit: int | None
) -> Preview:
    """What the rows of files make by the keys of a draft."""
    made, copies, findings = Preview(), io.StringIO(), Findings()
    skipped = SkippedRecords(strict=False, copies=copies)
    skipped.shown = partial(shown_in, folder)
    try:
        items = _Items(keys, folder, reading, skipped, findings, limit)
        for key, questions in items.units():
            made.n_units += 1
            if len(made.units) < SHOWN:
                made.units.append((key, questions))
    except ImportFailure as failure:
        made.failure = shown_in(folder, str(failure))
    made.told, made.skipped, made.copies = _told(findings), skipped.listed, copies.getvalue()
    made.bare = findings.counts.get(BARE, 0)
    made.word = word_on_texts(findings.counts, keys.get("text_form") or "plain")
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
    """ImportFailure where the file of a draft makes no unit, unless its units follow when texts are
    written, or lists have been prepared for them."""
    if draft.names:
        found = preview(draft)
        if found.bare:
            return
        awaits = any(block.task_type.prepared_lists for block in draft_blocks(draft.keys))
        if not found.units and not (awaits and found.failure == NO_UNITS):
            first = found.skipped[0] if found.skipped else None
            raise NoUnits(", ".join(draft.names), "rows", str(first or found.failure))


@dataclass(frozen=True)
class _Items:
    """What the files of a draft hold, read once."""

    keys: Mapping[str, Any]
    folder: Path
    reading: Reading | None
    skipped: SkippedRecords
    findings: Findings
    limit: int | None

    def units(self) -> Iterator[tuple[str, list[Question]]]:
        """(key, questions) of every unit."""
        blocks = draft_blocks(self.keys)
        for entry in self._entries(blocks):
            if not entry.items:
                self.findings.count(BARE)
                continue
            try:
                units = entry.units
                if units is None:
                    units = planned_units(entry, blocks, seed=0, findings=self.findings)
                asked = [(unit.key, _questions(entry, unit, blocks)) for unit in units]
                self._look_at(entry)
            except ImportFailure as failure:
                self.skipped.skip(failure, of=entry.where)
                continue
            yield from asked

    def _look_at(self, entry: MaterialEntry) -> None:
        for item in entry.items:
            self.findings.count("items")
            self.findings.look_at_text(item)

    def _entries(self, blocks: tuple[OpenBlock, ...]) -> Iterator[MaterialEntry]:
        if self.reading:
            tables = tables_in(self.folder)
            held = tables if self.limit is None else first_rows(tables)
            return islice(read_entries(held, self.reading, blocks, self.skipped), self.limit)
        (path,) = self.folder.iterdir()
        if "columns" not in self.keys:
            return islice(recorded_entries(path, self.skipped), self.limit)
        try:
            columns = ItemColumns.model_validate(self.keys["columns"])
        except ValidationError as error:
            raise ImportFailure.of(path.name, error, within="columns") from error
        table = ItemTable(path, columns, blocks, limit=self.limit)
        return table.entries(self.skipped, self.findings)


def _questions(
    entry: MaterialEntry, unit: UnitSpec, blocks: tuple[OpenBlock, ...]
) -> list[Question]:
    built = built_questions(entry.where, entry.source, unit, blocks)
    return [Question(block=question.block, payload=question.payload) for question in built]


def drawn(questions: list[Question], text_form: str) -> list[tuple[str, SafeString]]:
    """(title, form) of each question, as a worker sees it."""
    return [
        (
            question.block.task_type.title,
            draw_form(question, {}, prefix=f"b{position}", text_form=text_form),
        )
        for position, question in enumerate(questions)
    ]
