"""Tables of ratings: numbers or labels given to systems' outputs for items."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from imports.answer_lines import AnswerLine
from imports.errors import ImportFailure, RecordPlace
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.formats.nested_cells import refuse_nested
from imports.formats.own.column_map import ColumnMap, read_column_map
from imports.formats.scales import (
    Measure,
    ObservedValues,
    RawRating,
    facet_name,
    line_through,
    measure_of,
)
from imports.formats.stand_ins import item_named, source_named
from imports.material.records import MaterialEntry, UnitSpec
from imports.readers.detection import TableForm
from imports.readers.heads import form_and_names
from imports.readers.item_rows import item_rows
from imports.readers.streams import Watch, unwatched
from imports.readers.tables import TableRow
from imports.study_file.schema import StudyRecord
from tasktypes.texts.material import Item, Source

KINDS = ("human", "judge", "simulated")


class MappedRow(NamedTuple):
    """A row of a table and what its columns mean."""

    row: TableRow
    columns: ColumnMap

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
    def by_machine(self) -> bool:
        return self.kind == "judge"

    @property
    def scale(self) -> tuple[str, str]:
        """The criterion, and the machine; every machine may have a scale of its own."""
        return self.criterion, self.rater if self.by_machine else ""


class Ratings(Format):
    """One unit per item and system, one block per criterion.

    The scores of a machine that are not on the people's scale go to a block for such scores, whose
    numbers are compared with those of the criterion, or of every criterion where they name none.
    """

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
            form, names = form_and_names(path)
            columns = read_column_map(format_input.columns, path, names)
            self._tables.append((path, form, columns))
        self._first = self._tables[0][2]
        # The block of each scale: (criterion, machine), of people (criterion, "").
        self._measures: dict[tuple[str, str], Measure] = {}
        self._seen: set[str] = set()
        # Material, units and raters that were looked at: most rows are about known ones.
        self._known: set[tuple[str, ...]] = set()
        self._criteria: set[str] = set()

    def study(self) -> StudyRecord:
        people: dict[str, ObservedValues] = {}
        machines: dict[tuple[str, str], ObservedValues] = {}
        for rated in self._ratings():
            if rated.by_machine:
                machines.setdefault(rated.scale, ObservedValues()).add(rated.value)
            else:
                people.setdefault(rated.criterion, ObservedValues()).add(rated.value)
        if not people and not machines:
            raise ImportFailure(str(self.input.files[0]), "ratings", "none in this file")
        self._refuse_unused_scales({*people, *(criterion for criterion, _ in machines)})
        self._refuse_unused_families({rater for _, rater in machines})
        for criterion, observed in people.items():
            self._measures[criterion, ""] = self._measure(criterion, observed)
        self._measure_machines(machines, people)
        blocks = dict.fromkeys(measure.block.key for measure in self._measures.values())
        of_key = {measure.block.key: measure.block for measure in self._measures.values()}
        return StudyRecord(blocks=tuple(of_key[key] for key in blocks))

    def entries(self) -> Iterator[MaterialEntry]:
        for entry in self.skipped.usable(self._rows(self.input.watch), self._entry):
            if entry is not None:
                yield entry

    def answers(self) -> Iterator[AnswerLine]:
        return chain.from_iterable(self.skipped.usable(self._rows(), self._answers))

    def _entry(self, mapped: MappedRow) -> MaterialEntry | None:
        """What the row is about, at its first row."""
        key, _, _ = _unit(*mapped)
        if key in self._seen:
            return None
        source, output = _material(mapped)
        self._seen.add(key)
        return MaterialEntry(mapped.where, source, (output,), (UnitSpec(key=key, items=(output,)),))

    def _answers(self, mapped: MappedRow) -> list[AnswerLine]:
        return [self._answer(rated) for rated in self._rated(mapped)]

    def _answer(self, rated: TableRating) -> AnswerLine:
        measure = self._measures[rated.scale]
        return AnswerLine(  # of fields that `_usable_ratings` has looked at
            rated.where,
            unit=rated.unit,
            block=measure.block.key,
            rater=rated.rater,
            kind=rated.kind,
            family=self._first.families.get(rated.rater, "") if rated.by_machine else "",
            answer=measure.answer(rated.value),
        )

    # --- Scales ------------------------------------------------------------------------------

    def _facet(self, criterion: str) -> str:
        return facet_name(str(self.input.files[0]), criterion or self._first.facet)

    def _measure(self, criterion: str, observed: ObservedValues) -> Measure:
        facet = self._facet(criterion)
        scale = self._first.scales.get(criterion or self._first.facet)
        try:
            if scale:
                return replace(scale.measure(facet), stated=True)
            return measure_of(facet, observed)
        except ValueError as error:
            raise ImportFailure.of(str(self.input.files[0]), error, within=facet) from error

    def _measure_machines(
        self, machines: dict[tuple[str, str], ObservedValues], people: dict[str, ObservedValues]
    ) -> None:
        """The people's block for each machine whose scores are on its scale; for the others of a
        criterion, one of their own."""
        apart: dict[str, ObservedValues] = {}
        for (criterion, rater), observed in machines.items():
            standing = self._measures.get((criterion, ""))
            if standing is not None and (observed.labels or standing.takes(observed)):
                self._measures[criterion, rater] = standing
            else:
                apart.setdefault(criterion, ObservedValues()).include(observed)
        for criterion, observed in apart.items():
            measure = self._score_measure(criterion, observed, people)
            for scale in machines.keys() - self._measures.keys():
                if scale[0] == criterion:
                    self._measures[scale] = measure

    def _score_measure(
        self, criterion: str, observed: ObservedValues, people: dict[str, ObservedValues]
    ) -> Measure:
        if not people:
            return self._measure(criterion, observed)
        if observed.labels:
            raise ImportFailure(
                str(self.input.files[0]), "rating", "labels without a criterion of the people"
            )
        facets = [self._facet(name) for name in people if criterion in ("", name)]
        stem = self._facet(criterion) if criterion else ""
        name = f"{stem}_score" if stem else "score"
        return line_through(name, observed, compared_with=facets)

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
                yield MappedRow(row, columns)

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
        row, columns = mapped
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


def _about(mapped: MappedRow) -> tuple[str, ...]:
    """The cells that say what the row is about."""
    cells, columns = mapped.row.cells, mapped.columns
    names = (columns.item, columns.system, columns.claim, columns.document, columns.query)
    return tuple(cells[name] if name else "" for name in (*names, columns.text))


def _material(mapped: MappedRow) -> tuple[Source, Item]:
    """What the row is about."""
    row, columns = mapped
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
