"""What somebody who checks a reading sees of the files: first values, first rows, and counts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from imports.errors import ImportFailure
from imports.readers.raw_tables import RawTable
from imports.reading.judgements import ReadTables
from imports.reading.model import Counts, Reading, TableReading
from imports.reading.records import Output, ReadAnswer, ReadUnit
from imports.reading.rows.joins import is_named
from imports.skipped import Skipped, SkippedRecords

# Rows of each table that are looked at; different values, rows and places that are shown.
LOOKED_AT, VALUES, ROWS, LISTED, DISTINCT = 2000, 3, 10, 20, 60
_LONGEST = 80


@dataclass(frozen=True)
class ColumnSample:
    """A column with its first different values. question: what a row below its name says."""

    column: str
    values: tuple[str, ...]
    question: str = ""


@dataclass(frozen=True)
class TableSample:
    """The tables that one part of a reading is about, and their columns."""

    names: tuple[str, ...]
    columns: tuple[ColumnSample, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class SampleRow:
    """An answer as it is read; of files without answers, an output."""

    unit: str
    text: str
    system: str
    rater: str = ""
    criterion: str = ""
    value: str = ""


@dataclass(frozen=True)
class Read:
    """What the first rows become. words: what the cells of a criterion say, and how often.
    left_out: what does not fit. failure: why nothing can be read."""

    rows: tuple[SampleRow, ...] = ()
    systems: tuple[str, ...] = ()
    words: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    left_out: tuple[Skipped, ...] = ()
    counts: Counts = field(default_factory=Counts)
    failure: str = ""


def read(tables: Sequence[RawTable], reading: Reading) -> Read:
    """What the first rows of the tables become."""
    skipped = SkippedRecords(strict=False, folders=False)
    words: dict[str, dict[str, int]] = {}
    try:
        judgements = ReadTables(reading, tables, skipped)
        words = {c: dict(n.most_common(DISTINCT)) for c, n in judgements.words(LOOKED_AT).items()}
        units = {unit.key: unit for unit in islice(judgements.units(), LOOKED_AT)}
        answers = list(islice(judgements.answers(), ROWS))
        counts = judgements.counts(LOOKED_AT)
        if not any(_has_more(table) for table in tables):
            counts = counts.model_copy(update={"sampled": False})
    except ImportFailure as failure:
        left_out = tuple(skipped.listed[:LISTED])
        return Read(words=words, left_out=left_out, failure=str(failure))
    outputs = [output for unit in units.values() for output in unit.outputs]
    return Read(
        rows=tuple(_rows(units, answers)),
        systems=tuple(dict.fromkeys(each.system for each in outputs if each.system)),
        words=words,
        left_out=tuple(skipped.listed[:LISTED]),
        counts=counts,
    )


def _has_more(table: RawTable) -> bool:
    return any(True for _row in islice(table.rows(), LOOKED_AT, LOOKED_AT + 1))


def table_samples(tables: Sequence[RawTable], reading: Reading) -> tuple[TableSample, ...]:
    """What stands in the first rows of the tables, one for each of the reading."""
    parts = ((part, [t for t in tables if _is_of(part, t)]) for part in reading.tables)
    return tuple(_table_sample(part, own) for part, own in parts)


def _is_of(part: TableReading, table: RawTable) -> bool:
    return any(is_named(table.name, pattern) for pattern in part.files)


def _rows(units: Mapping[str, ReadUnit], answers: Sequence[ReadAnswer]) -> Iterator[SampleRow]:
    if not answers:
        yield from (SampleRow(u.key, _texts(u.outputs), _systems(u)) for u in _first(units))
    for answer in answers:
        unit = units.get(answer.unit)
        yield SampleRow(
            answer.unit,
            "" if unit is None else _texts(unit.outputs),
            "" if unit is None else _systems(unit),
            answer.rater,
            answer.criterion,
            _plain(answer.value),
        )


def _first(units: Mapping[str, ReadUnit]) -> Iterator[ReadUnit]:
    return islice(units.values(), ROWS)


def _texts(outputs: Iterable[Output]) -> str:
    return " | ".join(shortened(output.text) for output in outputs if output.text)


def _systems(unit: ReadUnit) -> str:
    return " | ".join(output.system for output in unit.outputs if output.system)


def _plain(value: float | str) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def shortened(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text[: _LONGEST * 4].split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} …"


def _table_sample(part: TableReading, tables: Sequence[RawTable]) -> TableSample:
    columns = [each.column for each in part.columns]
    values: dict[str, dict[str, None]] = {column: {} for column in columns}
    questions: dict[str, str] = {}
    for table in tables:
        questions |= table.questions
        for cells in _cells(table):
            _note_values(values, cells)
    return TableSample(
        tuple(table.name for table in tables),
        tuple(ColumnSample(c, tuple(values[c]), questions.get(c, "")) for c in columns),
        tuple(note for table in tables for note in table.notes),
    )


def _cells(table: RawTable) -> Iterator[Mapping[str, str]]:
    for row in islice(table.rows(), LOOKED_AT):
        try:
            yield row.cells
        except ImportFailure:
            continue  # listed where it is read


def _note_values(values: Mapping[str, dict[str, None]], cells: Mapping[str, str]) -> None:
    for column, seen in values.items():
        if len(seen) < VALUES and (text := cells.get(column, "")):
            seen[shortened(text)] = None
