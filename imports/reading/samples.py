"""What somebody who checks a reading sees of the files: first values, first rows, and counts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from imports.errors import ImportFailure
from imports.readers.raw_tables import RawTable
from imports.reading.judgements import ReadTables
from imports.reading.model import Counts, Holds, Reading, TableReading
from imports.reading.records import Output, ReadAnswer, ReadUnit
from imports.reading.rows.joins import is_named
from imports.skipped import Skipped, SkippedRecords

# Cells of answers that are looked at, and rows of a table at most and at least.
CELLS, MOST_ROWS, FEWEST_ROWS = 10_000, 10_000, 20
# Different values, rows and places that are shown.
VALUES, ROWS, LISTED, DISTINCT = 3, 10, 20, 60
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
    limit = rows_looked_at(tables, reading)
    found = Read()
    try:
        judgements = ReadTables(reading, tables, skipped)
        words = judgements.words(limit).items()
        found = replace(found, words={c: dict(n.most_common(DISTINCT)) for c, n in words})
        units = {unit.key: unit for unit in islice(judgements.units(), limit)}
        outputs = [output for unit in units.values() for output in unit.outputs]
        found = replace(
            found,
            systems=tuple(dict.fromkeys(each.system for each in outputs if each.system)),
            rows=tuple(_rows(units, list(islice(judgements.answers(), ROWS)))),
        )
        found = replace(found, counts=_counts(judgements, tables, limit))
    except ImportFailure as failure:
        found = replace(found, failure=str(failure))
    return replace(found, left_out=tuple(skipped.listed[:LISTED]))


def counted(tables: Sequence[RawTable], reading: Reading) -> Counts | str:
    """What the first rows of the tables hold; or why they cannot be read so."""
    skipped = SkippedRecords(strict=False, folders=False)
    limit = rows_looked_at(tables, reading)
    try:
        return _counts(ReadTables(reading, tables, skipped), tables, limit)
    except ImportFailure as failure:
        return str(failure)


def rows_looked_at(tables: Sequence[RawTable], reading: Reading) -> int:
    """How many rows of each table are looked at."""
    answers = [sum(c.holds is Holds.ANSWER for c in table.columns) for table in reading.tables]
    rows = CELLS // (max(1, *answers) * len(tables))
    return max(FEWEST_ROWS, min(MOST_ROWS, rows))


def _counts(judgements: ReadTables, tables: Sequence[RawTable], limit: int) -> Counts:
    counts = judgements.counts(limit)
    has_more = any(True for table in tables for _row in islice(table.rows(), limit, limit + 1))
    return counts if has_more else counts.model_copy(update={"sampled": False})


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
    for row in islice(table.rows(), FEWEST_ROWS * VALUES):
        try:
            yield row.cells
        except ImportFailure:
            continue  # listed where it is read


def _note_values(values: Mapping[str, dict[str, None]], cells: Mapping[str, str]) -> None:
    for column, seen in values.items():
        if len(seen) < VALUES and (text := cells.get(column, "")):
            seen[shortened(text)] = None
