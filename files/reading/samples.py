"""What somebody who checks a reading sees of the files: first values, first rows, and counts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from files.errors import ImportFailure
from files.reading.first_rows import MOST_ROWS, FirstRows
from files.reading.judgements import ReadTables
from files.reading.model import Holds, Reading, TableReading
from files.reading.proposal_parts import Counts
from files.reading.records import Output, ReadAnswer, ReadUnit
from files.reading.rows.joins import is_named
from files.skipped import Skipped, SkippedRecords

# Cells of answers that are looked at, and rows of a table at least.
CELLS, FEWEST_ROWS = 9_000, 20
# Units that are looked at, at least: a row may hold very many.
UNITS = 2_000
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
    """An answer as it is read; of files without answers, an output. about: what that is about."""

    unit: str
    text: str
    system: str
    rater: str = ""
    criterion: str = ""
    value: str = ""
    about: str = ""


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


def read(tables: Sequence[FirstRows], reading: Reading) -> Read:
    """What the first rows of the tables become."""
    skipped = SkippedRecords(strict=False, folders=False)
    limit = rows_looked_at(tables, reading)
    found = Read()
    try:
        judgements = ReadTables(reading, tables, skipped)
        words = judgements.words(limit).items()
        found = replace(found, words={c: dict(n.most_common(DISTINCT)) for c, n in words})
        units = {unit.key: unit for unit in islice(judgements.units(), max(limit, UNITS))}
        _refuse_two_texts(units.values())
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


def _refuse_two_texts(units: Iterable[ReadUnit]) -> None:
    """ImportFailure where a source has two texts: its import would be refused."""
    first: dict[tuple[str, str], ReadUnit] = {}
    for unit in units:
        for name, text in unit.texts.items():
            before = first.setdefault((unit.source, name), unit)
            if before.texts[name] != text:
                reason = f"{unit.source!r} has another {name} at {before.where}"
                remedy = "say that another column holds its ID, or that none does"
                raise ImportFailure(unit.where, "source", f"{reason}: {remedy}")


def counted(tables: Sequence[FirstRows], reading: Reading) -> Counts | str:
    """What the first rows of the tables hold; or why they cannot be read so."""
    skipped = SkippedRecords(strict=False, folders=False)
    limit = rows_looked_at(tables, reading)
    try:
        return _counts(ReadTables(reading, tables, skipped), tables, limit)
    except ImportFailure as failure:
        return str(failure)


def rows_looked_at(tables: Sequence[FirstRows], reading: Reading) -> int:
    """How many rows of each table are looked at: all, unless these have very many answers."""
    sizes = [(len(t.held), _answers_in(t, reading)) for t in tables]
    limit = MOST_ROWS
    while limit > FEWEST_ROWS and sum(min(limit, rows) * n for rows, n in sizes) > CELLS:
        limit = max(FEWEST_ROWS, limit // 2)
    return limit


def _answers_in(table: FirstRows, reading: Reading) -> float:
    """How many answers a row has: of a form few people answer all columns."""
    parts = (part for part in reading.tables if _is_of(part, table))
    names = [c.column for part in parts for c in part.columns if c.holds is Holds.ANSWER]
    rows = [*_cells(table)]
    filled = sum(bool(cells.get(name)) for cells in rows for name in names)
    return filled / len(rows) if rows else len(names)


def _counts(judgements: ReadTables, tables: Sequence[FirstRows], limit: int) -> Counts:
    counts = judgements.counts(limit)
    has_more = any(table.has_more or len(table.held) > limit for table in tables)
    return counts if has_more else counts.model_copy(update={"sampled": False})


def table_samples(tables: Sequence[FirstRows], reading: Reading) -> tuple[TableSample, ...]:
    """What stands in the first rows of the tables, one for each of the reading."""
    parts = ((part, [t for t in tables if _is_of(part, t)]) for part in reading.tables)
    return tuple(_table_sample(part, own) for part, own in parts)


def _is_of(part: TableReading, table: FirstRows) -> bool:
    return any(is_named(table.name, pattern) for pattern in part.files)


def _rows(units: Mapping[str, ReadUnit], answers: Sequence[ReadAnswer]) -> Iterator[SampleRow]:
    if not answers:
        for unit in islice(units.values(), ROWS):
            about = shortened(next(iter(unit.texts.values()), ""))
            yield SampleRow(unit.key, _texts(unit.outputs), _systems(unit), about=about)
    for answer in answers:
        rated = units.get(answer.unit)
        yield SampleRow(
            answer.unit,
            "" if rated is None else _texts(rated.outputs),
            "" if rated is None else _systems(rated),
            answer.rater,
            answer.criterion,
            _plain(answer.value),
        )


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


def _table_sample(part: TableReading, tables: Sequence[FirstRows]) -> TableSample:
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
        tuple(f"{table.name}: {note}" for table in tables for note in table.notes),
    )


def _cells(table: FirstRows) -> Iterator[Mapping[str, str]]:
    for row in islice(table.rows(), FEWEST_ROWS * VALUES):
        try:
            yield row.cells
        except ImportFailure:
            continue  # listed where it is read


def _note_values(values: Mapping[str, dict[str, None]], cells: Mapping[str, str]) -> None:
    for column, seen in values.items():
        if len(seen) < VALUES and (text := cells.get(column, "")):
            seen[shortened(text)] = None
