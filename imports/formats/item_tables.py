"""Entries from the rows of a table: a row is an output, and the rows of one source are together."""

import hashlib
import json
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from files.errors import Contradiction, ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.detection import detected_form
from files.readers.item_rows import item_column_names, item_rows
from files.readers.streams import Watch, unwatched
from files.readers.tables import TableRow
from files.skipped import SkippedRecords
from imports.formats.nested_cells import refuse_nested
from imports.formats.own_columns import OwnColumns, RowKeys
from imports.formats.passage_cells import passages_in
from imports.formats.read_units import no_pair
from imports.formats.right_answers import with_right_answer
from imports.formats.table_outputs import TableOutputs, digest
from imports.material.metadata import Metadata
from imports.material.questions import OpenBlock, shown_together
from imports.material.records import MaterialEntry, RecordedItem
from imports.study_file.item_columns import ABOUT, ItemColumns, filled_columns, refuse_second_text
from tasktypes.texts.material import Item, Source

# Rows of one source may stand anywhere in a file that is no larger; in a larger one, together.
LARGEST_HELD = 64 * 1024 * 1024
# Rows that are looked at to say what is the same in all.
MOST_COMPARED = 1000
# The finding that tells how a table was read.
READ_AS = "tables_read"


@dataclass(frozen=True)
class ReadRow:
    """An output with its source, and the right answer where the table has one."""

    where: RecordPlace
    source: Source
    item: Item
    reference: str = ""
    source_own: Metadata = field(default_factory=dict)
    own: Metadata = field(default_factory=dict)


@dataclass
class ItemTable:
    """One file of outputs, read once.

    columns: what the columns hold, as far as somebody said so. blocks: those of the study, which
    say whether a unit shows one output or several. limit: rows that are read at most, to look at
    the first units.
    """

    path: Path
    columns: ItemColumns
    blocks: Sequence[OpenBlock]
    skipped: SkippedRecords
    findings: Findings
    watch: Watch = unwatched
    seed: int = 0
    limit: int | None = None
    _named: dict[bytes, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        stated = {"encoding": self.columns.encoding, "delimiter": self.columns.delimiter}
        self.form = detected_form(self.path, **stated, head_alone=self.limit is not None)
        names = item_column_names(self.path, self.form)
        self.columns = filled_columns(self.columns, names, self.path)
        self._outputs = TableOutputs(self.path, self.columns)
        self._own = self._own_columns(names)
        if self._planned_sizes:
            refuse_second_text(self.columns.text, names, self.path)

    def entries(self) -> Iterator[MaterialEntry]:
        """Every entry that can be used: of an output, or of the outputs of a source where units
        show several."""
        self.findings.note(READ_AS, f"{self.path.name}: {self.form}")
        rows = self.skipped.usable(self._all_rows(), self._read)
        for group in self._by_source(row for row in rows if row is not None):
            yield from self._entries(group)
        self._outputs.tell_gathered(self.findings)
        self._own.tell(self.findings)

    def _own_columns(self, names: Sequence[str]) -> OwnColumns:
        taken = [column for _, column in self.columns.named()]
        about = [getattr(self.columns, role) for role in ("source", *ABOUT)]
        about = about[:1] if about[0] else [column for column in about if column]
        return OwnColumns.of_table(
            self.path,
            names,
            taken=taken,
            rows=islice(item_rows(self.path, self.form), self.limit),
            keys=lambda row: RowKeys(
                digest(*(row.cells[name] for name in about)),
                digest(*(row.cells[name] for name in taken)),
            ),
        )

    def _all_rows(self) -> Iterator[TableRow]:
        is_empty = True
        for row in islice(item_rows(self.path, self.form, self.watch), self.limit):
            is_empty = False
            yield row
        if is_empty:
            raise ImportFailure(str(self.path), "rows", "none below the names of the columns")

    def _by_source(self, rows: Iterator[ReadRow]) -> Iterator[list[ReadRow]]:
        if self.path.stat().st_size <= LARGEST_HELD:
            groups: dict[str, list[ReadRow]] = {}
            for row in rows:
                groups.setdefault(row.source.key, []).append(row)
            yield from groups.values()
            return
        met: set[str] = set()
        for key, group in groupby(rows, lambda row: row.source.key):
            held = list(group)
            if key in met and self._shows_several(held[0].source, [r.item for r in held] * 2):
                reason = f"the rows of {key!r} do not follow one another (sort the file by source)"
                raise Contradiction(held[0].where, "source", reason)
            met.add(key)
            yield held

    def _entries(self, group: list[ReadRow]) -> Iterator[MaterialEntry]:
        source, items = group[0].source, [row.item for row in group]
        for row in group:
            if row.source != source:
                reason = f"{source.key!r} stands at {group[0].where} already, with other texts"
                column = self.columns.source or "source"
                raise Contradiction(row.where, column, reason)
        if self._belongs_to_no_pair(items):
            self.skipped.skip(no_pair(group[0].where, len(items)), of=group[0].where)
            return
        if self._shows_several(source, items):
            for row in group:
                if row.reference:
                    reason = "of one output; a unit shows several (use a file of records)"
                    self.skipped.skip_part(ImportFailure(row.where, self.columns.reference, reason))
            yield _entry_of(group, group)
            return
        for row in group:
            entry = _entry_of([row], group)
            try:
                yield with_right_answer(
                    entry, row.reference, self.columns.reference, self.blocks, self.seed
                )
            except ImportFailure as failure:
                self.skipped.skip(failure, of=row.where)

    def _shows_several(self, source: Source, items: Sequence[Item]) -> bool:
        first = self.blocks[0]
        plans = first.task_type.plan(source, tuple(items), first.options, seed=self.seed)
        return len(items) > 1 and any(len(plan.items) > 1 for plan in plans)

    def _belongs_to_no_pair(self, items: Sequence[Item]) -> bool:
        named = self.columns.system or self.columns.item
        return self._planned_sizes == {2} and len(items) > 2 and not named

    @cached_property
    def _planned_sizes(self) -> set[int]:
        return shown_together(self.blocks[0], seed=self.seed)

    # --- Rows ---------------------------------------------------------------------------------

    def _read(self, row: TableRow) -> ReadRow | None:
        """What a row holds; None for one that was read before, as in a file of judgements, which
        has each output once for everybody who judged it."""
        columns = self.columns
        self._refuse_nested(row)
        source = self._source(row)
        text = row.text(columns.text)
        names = ("system", "system_family", "evidence_source", "condition")
        about = {
            name: row.cells[getattr(columns, name)] for name in names if getattr(columns, name)
        }
        reference = row.cells[columns.reference] if columns.reference else ""
        output = digest(text), digest(reference, *about.values(), source.model_dump_json())
        key = self._outputs.key(row, source.key, about.get("system", ""), output)
        try:
            item = RecordedItem(key=key, text=text, **about).item()
        except ValueError as error:
            raise ImportFailure.of(row.where, error, within="item") from error
        is_new = self._outputs.is_new(row, key, output)
        own = self._own.cells(row, "source"), self._own.cells(row, "output")
        return ReadRow(row.where, source, item, reference, *own) if is_new else None

    def _refuse_nested(self, row: TableRow) -> None:
        """Nobody is to read an object with everybody's outputs and what they were rated."""
        for role in ("text", *ABOUT):
            if column := getattr(self.columns, role):
                try:
                    refuse_nested(column, row.cells[column], self._cells(column))
                except ValueError as error:
                    raise ImportFailure.of(row.where, error) from error

    def _cells(self, column: str) -> Iterator[str]:
        rows = islice(item_rows(self.path, self.form), MOST_COMPARED)
        return (row.cells[column] for row in rows)

    def _source(self, row: TableRow) -> Source:
        columns = self.columns
        texts = {
            name: row.cells[getattr(columns, name)]
            for name in (*ABOUT, "verdict")
            if getattr(columns, name)
        }
        if not any(texts.get(name) for name in ABOUT):
            first = next(getattr(columns, name) for name in ABOUT if getattr(columns, name))
            reason = "empty (write it in every row, also where cells are merged)"
            raise ImportFailure(row.where, first, reason)
        passages = passages_in([row.cells[name] for name in columns.passage_columns])
        key = row.text(columns.source) if columns.source else self._source_key(texts, passages)
        try:
            return Source.model_validate({"key": key, "passages": passages, **texts})
        except ValueError as error:
            raise ImportFailure.of(row.where, error, within="source") from error

    def _source_key(self, texts: dict[str, str], passages: list[dict[str, Any]]) -> str:
        content = json.dumps([texts, passages], sort_keys=True)
        digest = hashlib.sha256(content.encode("utf-8", "replace")).digest()
        return self._named.setdefault(digest, str(len(self._named) + 1))


def _entry_of(rows: Sequence[ReadRow], group: Sequence[ReadRow]) -> MaterialEntry:
    """The outputs of these rows. group: all of the source, which has what is the same in all."""
    first = group[0].source_own
    same = {
        name: value
        for name, value in first.items()
        if all(row.source_own.get(name) == value for row in group)
    }
    own = {row.item.key: {**row.own, **_without(row.source_own, same)} for row in rows}
    items = tuple(row.item for row in rows)
    return MaterialEntry(
        rows[0].where, rows[0].source, items, source_metadata=same, item_metadata=own
    )


def _without(metadata: Metadata, names: Container[str]) -> dict[str, Any]:
    return {name: value for name, value in metadata.items() if name not in names}
