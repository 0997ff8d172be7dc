"""Tables of ratings: numbers or labels given to systems' outputs for items."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from files.errors import ImportFailure, RecordPlace
from files.readers.detection import TableForm, detected_form
from files.readers.item_rows import item_column_names, item_rows
from files.readers.streams import Watch, unwatched
from files.readers.tables import TableRow
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.formats.criteria import CriterionMeasures
from imports.formats.nested_cells import refuse_nested
from imports.formats.own.column_map import ColumnMap, read_column_map
from imports.formats.own_columns import NO_COLUMNS, OwnColumns, RowKeys
from imports.formats.scales import (
    Measure,
    ObservedValues,
    RawRating,
    facet_name,
    measure_of,
)
from imports.formats.stand_ins import item_named, source_named
from imports.material.metadata import Metadata
from imports.material.records import MaterialEntry, UnitSpec
from imports.study_file.schema import StudyRecord
from tasktypes.texts.material import Item, Source

KINDS = ("human", "judge", "simulated")


class MappedRow(NamedTuple):
    """A row of a table and what its columns mean."""

    row: TableRow
    columns: ColumnMap
    own: OwnColumns = NO_COLUMNS

    @property
    def where(self) -> RecordPlace:
        return self.row.where


@dataclass(frozen=True)
class TableRating:
    """One rating of a table; `criterion` may be empty."""

    where: str
    unit: str
    rater: str
    kind: str
    criterion: str
    value: RawRating

    @property
    def machine(self) -> str:
        """The judge that gave it; empty for a person."""
        return self.rater if self.kind == "judge" else ""


class Ratings(Format):
    """One unit per item and system, one block per criterion."""

    taken = AcceptedFiles(
        "Tables of ratings",
        "CSV, JSON by line, XLSX or Parquet with the columns rater, item and rating, or a map",
        (".csv", ".tsv", ".jsonl", ".json", ".xlsx", ".parquet", ".gz"),
        group="published",
    )

    options = ("columns",)

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._tables: list[tuple[Path, TableForm, ColumnMap]] = []
        for path in format_input.files:
            form = detected_form(path)
            names = item_column_names(path, form)
            columns = read_column_map(format_input.columns, path, names)
            self._tables.append((path, form, columns))
        self._first = self._tables[0][2]
        self._measures = CriterionMeasures(str(self.input.files[0]), self._facet, self._measure)
        self._seen: set[str] = set()
        self._own: dict[Path, OwnColumns] = {}
        # Material, units and raters that were looked at: most rows are about known ones.
        self._known: set[tuple[str, ...]] = set()
        self._criteria: set[str] = set()

    def study(self) -> StudyRecord:
        for rated in self._ratings():
            self._measures.observe(rated.criterion, rated.machine, rated.value)
        if not self._measures.criteria:
            raise ImportFailure(str(self.input.files[0]), "ratings", "none in this file")
        self._refuse_unused_scales(self._measures.criteria)
        self._refuse_unused_families(self._measures.machines)
        return StudyRecord(blocks=self._measures.blocks())

    def entries(self) -> Iterator[MaterialEntry]:
        for path, form, columns in self._tables:
            self._own[path] = _own_columns(path, form, columns)
            self._own[path].tell(self.findings, answers=True)
        for entry in self.skipped.usable(self._rows(self.input.watch), self._entry):
            if entry is not None:
                yield entry

    def answers(self) -> Iterator[AnswerLine]:
        return chain.from_iterable(self.skipped.usable(self._rows(), self._answers))

    def _entry(self, mapped: MappedRow) -> MaterialEntry | None:
        """What the row is about, at its first row."""
        key, _, _ = _unit(mapped.row, mapped.columns)
        if key in self._seen:
            return None
        source, output = _material(mapped)
        self._seen.add(key)
        row, own = mapped.row, mapped.own
        return MaterialEntry(
            mapped.where,
            source,
            (output,),
            (UnitSpec(key=key, items=(output,)),),
            source_metadata=own.cells(row, "source"),
            item_metadata={output.key: own.cells(row, "output")},
        )

    def _answers(self, mapped: MappedRow) -> list[AnswerLine]:
        own = mapped.own.cells(mapped.row, "answer"), mapped.own.cells(mapped.row, "rater")
        return [self._answer(rated, *own) for rated in self._rated(mapped)]

    def _answer(self, rated: TableRating, own: Metadata, of_rater: Metadata) -> AnswerLine:
        measure = self._measures.of(rated.criterion, rated.machine)
        return AnswerLine(  # of fields that `_usable_ratings` has looked at
            rated.where,
            unit=rated.unit,
            block=measure.block.key,
            rater=rated.rater,
            kind=rated.kind,
            family=self._first.families.get(rated.machine, ""),
            answer=measure.answer(rated.value),
            metadata=own,
            rater_metadata=of_rater,
        )

    # --- Scales ------------------------------------------------------------------------------

    def _facet(self, criterion: str) -> str:
        return facet_name(str(self.input.files[0]), criterion or self._first.facet)

    def _measure(self, criterion: str, observed: ObservedValues) -> Measure:
        facet = self._facet(criterion)
        scale = self._first.scales.get(criterion or self._first.facet)
        return replace(scale.measure(facet), stated=True) if scale else measure_of(facet, observed)

    def _refuse_unused_scales(self, criteria: set[str]) -> None:
        used = {criterion or self._first.facet for criterion in criteria}
        for name in self._first.scales:
            if name not in used:
                raise ImportFailure(
                    str(self.input.columns), f"scales.{name}", "no rating is by this criterion"
                )

    def _refuse_unused_families(self, judges: set[str]) -> None:
        for name in self._first.families:
            if name not in judges:
                raise ImportFailure(
                    str(self.input.columns), f"families.{name}", "no judge of that name rates"
                )

    # --- Rows --------------------------------------------------------------------------------

    def _rows(self, watch: Watch = unwatched) -> Iterator[MappedRow]:
        for path, form, columns in self._tables:
            for row in item_rows(path, form, watch):
                yield MappedRow(row, columns, self._own.get(path, NO_COLUMNS))

    def _ratings(self) -> Iterator[TableRating]:
        return chain.from_iterable(self.skipped.usable(self._rows(), self._usable_ratings))

    def _usable_ratings(self, mapped: MappedRow) -> list[TableRating]:
        """The ratings of a row that can be used whole, so that no other row shapes a scale."""
        about = _about(mapped)
        if about not in self._known:
            _material(mapped)
            self._known.add(about)
        ratings = self._rated(mapped)
        for rated in ratings:
            who = ("", rated.rater, rated.kind)
            if who not in self._known or (rated.unit,) not in self._known:
                named = {"unit": rated.unit, "rater": rated.rater, "kind": rated.kind}
                AnswerLine.of(rated.where, **named, answer={})
                self._known |= {who, (rated.unit,)}
        return ratings

    def _rated(self, mapped: MappedRow) -> list[TableRating]:
        row, columns, _ = mapped
        key, _, _ = _unit(row, columns)
        if not columns.wide:
            return [self._rating(row, columns, key)]
        return [
            TableRating(row.where, key, rater, kind, criterion, self._value(row, criterion, column))
            for rater, kind, criterion, column in columns.columns()
            if column in row
        ]

    def _rating(self, row: TableRow, columns: ColumnMap, key: str) -> TableRating:
        kind = row.text(columns.kind) if columns.kind else "human"
        if kind not in KINDS:
            raise ImportFailure(row.where, columns.kind, f"{kind!r} is none of {', '.join(KINDS)}")
        # A machine's score may go without a criterion where people's ratings have one.
        criterion = row.cells[columns.criterion] if columns.criterion else ""
        if criterion not in self._criteria:
            facet_name(row.where, criterion or self._first.facet)
            self._criteria.add(criterion)
        value = self._value(row, criterion, columns.rating)
        return TableRating(row.where, key, row.text(columns.rater), kind, criterion, value)

    def _value(self, row: TableRow, criterion: str, column: str) -> RawRating:
        scale = self._first.scales.get(criterion or self._first.facet)
        if scale is not None and scale.labels is not None:
            return row.text(column)
        return row.number(column)


def _own_columns(path: Path, form: TableForm, columns: ColumnMap) -> OwnColumns:
    rater = columns.rater

    def keys(row: TableRow) -> RowKeys:
        key, source, _ = _unit(row, columns)
        return RowKeys(source, key, row.cells[rater] if rater else None)

    return OwnColumns.of_table(
        path,
        item_column_names(path, form),
        taken=columns.named_columns(),
        rows=item_rows(path, form),
        keys=keys,
    )


def _about(mapped: MappedRow) -> tuple[str, ...]:
    """The cells that say what the row is about."""
    cells, columns = mapped.row.cells, mapped.columns
    names = (columns.item, columns.system, columns.claim, columns.document, columns.query)
    return tuple(cells[name] if name else "" for name in (*names, columns.text))


def _material(mapped: MappedRow) -> tuple[Source, Item]:
    """What the row is about."""
    row, columns, _ = mapped
    key, item, system = _unit(row, columns)
    names = ("claim", "document", "query")
    texts = {name: row.cells[getattr(columns, name)] for name in names if getattr(columns, name)}
    text = row.cells[columns.text] if columns.text else ""
    try:
        for name in (columns.text, *(getattr(columns, name) for name in names)):
            refuse_nested(name, row.cells[name] if name else "")
        return source_named(item, **texts), item_named(key, system=system, text=text)
    except ValueError as error:
        raise ImportFailure.of(row.where, error, within=columns.item) from error


def _unit(row: TableRow, columns: ColumnMap) -> tuple[str, str, str]:
    """(the unit's key, the source's, the system)."""
    item = row.text(columns.item)
    system = row.text(columns.system) if columns.system else ""
    return f"{item}/{system}" if system else item, item, system
