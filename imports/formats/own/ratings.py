"""Tables of ratings: numbers or labels given to systems' outputs for items."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from files.errors import ImportFailure
from files.findings import Findings
from files.readers.raw_tables import RawTable, raw_tables
from files.reading.doubts import Doubts
from files.reading.evidence.files import groups_of
from files.reading.evidence.samples import Sample, sampled
from files.reading.layouts.own_columns import columns_of, put_own
from files.reading.layouts.sketch import Sketch
from files.reading.model import Holds, Reading, TableReading
from files.reading.records import ReadAnswer, ReadUnit
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, FormatInput
from imports.formats.judged_tables import JudgedTables
from imports.formats.nested_cells import refuse_nested
from imports.formats.own.column_map import ColumnMap, filled_map, read_column_map
from imports.formats.own_columns import KEPT, PERSONAL
from imports.formats.scales import Measure, ObservedValues, measure_of
from imports.material.records import MaterialEntry
from imports.study_file.schema import StudyRecord


class Ratings(JudgedTables):
    """One unit per item and system, one block per criterion."""

    taken = AcceptedFiles(
        "Tables of ratings",
        "CSV, JSON by line, XLSX or Parquet with the columns rater, item and rating, or a map",
        (".csv", ".tsv", ".jsonl", ".json", ".xlsx", ".parquet", ".gz"),
        group="published",
    )

    options = ("columns",)

    def __init__(self, format_input: FormatInput) -> None:
        self._map = read_column_map(format_input.columns)
        tables = raw_tables(format_input.files)
        reading = Reading(
            tables=tuple(
                table_reading
                for sample in sampled(groups_of(tables))
                for table_reading in _read(self._map, sample)
            ),
            answers=self._map.answers(),
            repeated="refused",
        )
        super().__init__(format_input, tables, reading)
        for table in reading.tables:
            _tell(table, self.findings)

    def study(self) -> StudyRecord:
        record = super().study()
        self._refuse_unused("scales", {self._named(name) for name in self.measures.criteria})
        self._refuse_unused("families", self.measures.machines)
        return record

    def entry(self, unit: ReadUnit) -> MaterialEntry:
        try:
            for name, text in (*unit.texts.items(), ("text", unit.outputs[0].text or "")):
                refuse_nested(name, text)
        except ValueError as error:
            raise ImportFailure.of(unit.where, error) from error
        return super().entry(unit)

    def line(self, answer: ReadAnswer) -> AnswerLine:
        family = self._map.families.get(answer.rater, "") if answer.kind == "judge" else ""
        return super().line(answer)._replace(family=family)

    def _named(self, criterion: str) -> str:
        return criterion or self._map.facet

    def facet(self, criterion: str) -> str:
        return super().facet(self._named(criterion))

    def measure(self, criterion: str, observed: ObservedValues) -> Measure:
        facet, scale = self.facet(criterion), self._map.scales.get(self._named(criterion))
        return replace(scale.measure(facet), stated=True) if scale else measure_of(facet, observed)

    def _refuse_unused(self, key: str, used: set[str]) -> None:
        reasons = {
            "scales": "no rating is by this criterion",
            "families": "no judge of that name rates",
        }
        for name in getattr(self._map, key):
            if name not in used:
                raise ImportFailure(str(self.input.columns), f"{key}.{name}", reasons[key])


def _read(column_map: ColumnMap, sample: Sample) -> Iterator[TableReading]:
    """How tables alike are read. ImportFailure where one lacks a column."""
    alike: dict[frozenset[str], list[RawTable]] = {}
    for table in sample.tables:
        alike.setdefault(frozenset(table.names), []).append(table)
    for names, tables in alike.items():
        sheet = f"#{tables[0].sheet}" if tables[0].sheet else ""
        place = Path(f"{tables[0].path}{sheet}")
        named = filled_map(column_map, place, tables[0].names).read()
        sketch = Sketch(sample, Doubts(), holds={column.column: column for column in named})
        put_own(sketch)
        mapped = {column.column for column in named}
        own = [column for column in columns_of(sketch) if column.column in names - mapped]
        yield TableReading(files=tuple(table.name for table in tables), columns=(*named, *own))


def _tell(table: TableReading, findings: Findings) -> None:
    """Say which own columns are kept, and which identify people."""
    kept = [column for column in table.columns if column.holds is Holds.KEPT]
    told = {
        KEPT: [f"{column.column} (of the {column.of or 'answer'})" for column in kept],
        PERSONAL: [c.column for c in table.columns if c.holds is Holds.PERSONAL],
    }
    for finding, names in told.items():
        if names:
            findings.note(finding, f"{table.files[0]}: {', '.join(names)}")
