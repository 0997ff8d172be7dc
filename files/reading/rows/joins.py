"""Rows of the tables of a reading, with those of other tables that belong to them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from pathlib import PurePosixPath
from typing import NamedTuple

from files.errors import ImportFailure, RecordPlace
from files.readers.raw_tables import RawTable
from files.readers.streams import Watch, unwatched
from files.readers.tables import TableRow
from files.reading.model import Axis, Holds, NameReading, Reading, TableReading
from files.reading.rows.joined_rows import JoinedRow, RowPart
from files.reading.rows.layout import Layout
from files.skipped import SkippedRecords

# Characters of joined tables that are held in memory.
MOST_HELD = 256 * 1024 * 1024
_UNREAD = frozenset({Holds.LEFT_OUT, Holds.PERSONAL})
_OPTIONAL = _UNREAD | {Holds.KEPT, Holds.REASON, Holds.KIND}

Key = tuple[str, ...]


class _NumberedRow(NamedTuple):
    where: RecordPlace
    number: int
    row: TableRow


@dataclass(frozen=True)
class NamedTable:
    """A table under its reading, with what its names say."""

    raw: RawTable
    reading: TableReading
    names: Mapping[Axis, str]

    @classmethod
    def of(cls, raw: RawTable, reading: TableReading) -> "NamedTable":
        """The table; ImportFailure where a column of the reading is missing or a name says
        nothing."""
        wanted = {each.column for each in reading.columns if each.holds not in _OPTIONAL}
        for column in (*reading.left_out, *(each.column for each in reading.columns)):
            if column in wanted | reading.left_out.keys() and column not in raw.names:
                existing = ", ".join(raw.names[:30]) + (", …" if len(raw.names) > 30 else "")
                reason = f"no such column (the table has: {existing})"
                raise ImportFailure(f"{raw.name}:1", column, reason)
        return cls(raw, reading, {name.says: _said(raw, name) for name in reading.names})

    def parts(
        self, skipped: SkippedRecords, watch: Watch = unwatched, limit: int | None = None
    ) -> Iterator[RowPart]:
        """Every row that is data, of the first `limit` rows or all."""
        without = {name: frozenset(values) for name, values in self.reading.left_out.items()}
        for part in skipped.usable(islice(self._numbered(watch), limit), self._part):
            if not without or not any(
                part.cells.get(column, "") in values for column, values in without.items()
            ):
                yield part

    def _numbered(self, watch: Watch) -> Iterator[_NumberedRow]:
        # Before any is skipped: rows keep their numbers whenever the file is read again.
        for number, row in enumerate(self.raw.rows(watch), start=1):
            yield _NumberedRow(row.where, number, row)

    def _part(self, numbered: _NumberedRow) -> RowPart:
        cells = numbered.row.cells
        for column in self.required:
            if not cells[column]:
                raise ImportFailure(numbered.where, column, "empty")
        return RowPart(numbered.where, cells, self.names, numbered.number)

    @property
    def has_answers(self) -> bool:
        return any(column.holds is Holds.ANSWER for column in self.reading.columns)

    @cached_property
    def required(self) -> Sequence[str]:
        """The columns that no row leaves empty."""
        return [c.column for c in self.reading.columns if c.required and c.column in self.raw.names]


@dataclass
class HeldTable:
    """The rows of a joined table by what joins them, held in memory."""

    reading: TableReading
    tables: Sequence[NamedTable]
    rows: dict[Key, list[RowPart]] = field(default_factory=dict)
    used: set[Key] = field(default_factory=set)

    def __post_init__(self) -> None:
        join = self.reading.join
        assert join is not None
        self._own = tuple(own for _, own in join.columns)
        self._first = tuple(first for first, _ in join.columns)
        self.has_answers = any(column.holds is Holds.ANSWER for column in self.reading.columns)

    def hold(self, skipped: SkippedRecords) -> None:
        """Read the rows; ImportFailure where they are too large to be held."""
        read = {c.column for c in self.reading.columns if c.holds not in _UNREAD} | set(self._own)
        size = 0
        for table in self.tables:
            for part in table.parts(skipped):
                cells = {name: text for name, text in part.cells.items() if name in read and text}
                size += sum(map(len, cells.values()))
                if size > MOST_HELD:
                    reason = "too large to be joined to another: join the files beforehand"
                    raise ImportFailure(table.raw.name, "file", reason)
                held = RowPart(part.where, cells, part.names, part.number)
                if key := self._key(part, self._own):
                    self.rows.setdefault(key, []).append(held)

    def matches(self, part: RowPart) -> list[RowPart]:
        """The rows that belong to one of the first table."""
        key = self._key(part, self._first)
        self.used.add(key)
        return self.rows.get(key, [])

    def _key(self, part: RowPart, columns: Sequence[str]) -> Key:
        assert self.reading.join is not None
        if self.reading.join.by == "order":
            return (str(part.number),)
        texts = tuple(part.cells.get(column, "") for column in columns)
        if self.reading.join.by == "text":
            texts = tuple(" ".join(text.split()) for text in texts)
        return texts if any(texts) else ()

    def tell_unused(self, skipped: SkippedRecords, first: str) -> None:
        """List the rows that belong to none of the first table."""
        for key, parts in self.rows.items():
            if key not in self.used:
                for part in parts:
                    reason = f"{_shown(key)} is in no row of {first}: add it there, or leave it out"
                    skipped.skip_part(ImportFailure(part.where, self._named, reason))

    def refuse_missing(self, part: RowPart) -> None:
        """ImportFailure for a row of the first table that has none here."""
        key, name = self._key(part, self._first), self.tables[0].raw.name
        reason = f"{_shown(key)} is in no row of {name}: add a row there, or leave this one out"
        raise ImportFailure(part.where, ", ".join(self._first) or "row", reason)

    @property
    def _named(self) -> str:
        return ", ".join(self._own) or "row"


@dataclass
class TableGroup:
    """A table with those that are joined to it, read as one."""

    tables: Sequence[NamedTable]
    reading: TableReading
    joined: Sequence[HeldTable] = ()

    def __post_init__(self) -> None:
        self.layout = Layout((self.reading, *(held.reading for held in self.joined)))
        self.has_answers = any(
            column.holds is Holds.ANSWER for table in self.layout.tables for column in table.columns
        )
        self._is_held = False

    def rows(
        self, skipped: SkippedRecords, watch: Watch = unwatched, limit: int | None = None
    ) -> Iterator[JoinedRow]:
        """Every row whose answers or texts are read, once for each table that has any; of the
        first `limit` rows of each table, or all."""
        if not self._is_held:
            for held in self.joined:
                held.hold(skipped)
        self._is_held = True
        for table in self.tables:
            parts = table.parts(skipped, watch, limit)
            if not self.joined:
                yield from (JoinedRow((part,), 0) for part in parts)
                continue
            for rows in skipped.usable(parts, self._joined):
                yield from rows

    def tell_unused(self, skipped: SkippedRecords) -> None:
        """List the rows of joined tables that belong to none of the first; after all its rows."""
        for held in self.joined:
            held.tell_unused(skipped, self.tables[0].raw.name)

    def _joined(self, part: RowPart) -> list[JoinedRow]:
        found = [held.matches(part) for held in self.joined]
        for held, rows in zip(self.joined, found, strict=True):
            if not rows and not held.has_answers:
                held.refuse_missing(part)
        if not self.has_answers:
            beside_it: list[list[RowPart | None]] = [[*rows] or [None] for rows in found]
            return [JoinedRow((part, *others), 0) for others in product(*beside_it)]
        pairs = list(zip(self.joined, found, strict=True))
        beside = [self._beside(part, held, rows) for held, rows in pairs]
        made = [JoinedRow((part, *beside), 0)] if self.layout.asked(0) else []
        for number, (held, rows) in enumerate(pairs):
            if held.has_answers:
                for row in rows:
                    others = (*beside[:number], row, *beside[number + 1 :])
                    made.append(JoinedRow((part, *others), number + 1))
        return made

    @staticmethod
    def _beside(part: RowPart, held: HeldTable, rows: list[RowPart]) -> RowPart | None:
        if len(rows) > 1 and not held.has_answers and any(r.cells != rows[0].cells for r in rows):
            name = held.tables[0].raw.name
            reason = f"{len(rows)} rows of {name} belong to this one: join by more columns"
            raise ImportFailure(part.where, ", ".join(held._first) or "row", reason)
        return rows[0] if rows else None


def table_groups(reading: Reading, tables: Sequence[RawTable]) -> list[TableGroup]:
    """The tables by how they are read: the first with those joined to it, then the others. Those
    with texts come first, so that a unit is met with its texts. ImportFailure where a file fits no
    table of the reading, or one of the reading has no file."""
    found: dict[int, list[NamedTable]] = {number: [] for number in range(len(reading.tables))}
    for raw in tables:
        number = _number_of(raw, reading)
        found[number].append(NamedTable.of(raw, reading.tables[number]))
    for number, named in found.items():
        if not named:
            files = ", ".join(reading.tables[number].files)
            raise ImportFailure(tables[0].name, "file", f"{files} is missing beside it")
    joined = [
        HeldTable(table, found[number])
        for number, table in enumerate(reading.tables)
        if number and table.join is not None
    ]
    groups = [TableGroup(found[0], reading.tables[0], joined)]
    for number, table in enumerate(reading.tables):
        if number and table.join is None:
            groups.append(TableGroup(found[number], table))
    return sorted(groups, key=lambda group: not _has_texts(group))


def _number_of(raw: RawTable, reading: Reading) -> int:
    for number, table in enumerate(reading.tables):
        if any(is_named(raw.name, pattern) for pattern in table.files):
            return number
    fitting = [
        number
        for number, table in enumerate(reading.tables)
        if all(c.column in raw.names for c in table.columns if c.holds not in _OPTIONAL)
    ]
    if len(fitting) != 1:
        expected = "; ".join(", ".join(table.files) for table in reading.tables)
        reason = f"fits no table of the reading, which are: {expected}"
        raise ImportFailure(raw.name, "file", reason)
    return fitting[0]


def is_named(name: str, pattern: str) -> bool:
    """Whether a name is of that pattern, in which `*` stands for any part."""
    first, *others = pattern.split("*")
    if not others:
        return name == pattern
    if not name.startswith(first) or len(name) < len(pattern) - len(others):
        return False
    rest, last = name[len(first) :], others.pop()
    for part in others:
        _, found, rest = rest.partition(part)
        if not found and part:
            return False
    return rest.endswith(last)


def _has_texts(group: TableGroup) -> bool:
    return any(c.holds is Holds.TEXT for table in group.layout.tables for c in table.columns)


def _said(raw: RawTable, name: NameReading) -> str:
    of_file = raw.name.removesuffix(f"#{raw.sheet}") if raw.sheet else raw.name
    names = {"file": PurePosixPath(of_file).name, "folder": raw.folder, "sheet": raw.sheet}
    try:
        match = re.search(name.pattern, names[name.of][:300])
    except re.error as error:
        raise ImportFailure(raw.name, "pattern", f"{name.pattern[:60]!r}: {error}") from error
    said = next(filter(None, match.groups()), "") if match and match.groups() else ""
    if not said:
        reason = f"the name of the {name.of} says no {name.says} (by {name.pattern[:60]!r})"
        raise ImportFailure(raw.name, name.of, reason)
    return said


def _shown(key: Key) -> str:
    return ", ".join(text[:60] for text in key) if key else "nothing"
