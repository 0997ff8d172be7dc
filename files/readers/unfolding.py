"""Records of JSON as rows of flat columns, whatever is nested in them."""

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

from files.errors import ImportFailure, RecordPlace
from files.readers.columns import MOST_COLUMNS, distinct, refuse_many_columns
from files.readers.headings import refuse_unreadable
from files.readers.json_tables import KEY, VALUE, Keyed
from files.readers.objects import ObjectRecord
from tasktypes.texts.written import trimmed

# How many values of the first records are looked at for what there is, and of a single one.
_SAMPLE, _MOST_VALUES = 200_000, 2_000_000
# Lists up to this length become columns, also where their lengths differ.
_SHORT = 20
# The place of what is too much to be columns.
_BEYOND = -1

Names = tuple[str, ...]


def text_of(value: Any) -> str:
    """A value as the text of a cell; lists and objects as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return trimmed(value)
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, (bool, list, tuple, dict)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


class Part:
    """What stands at one place of the records: plain values, objects, lists, or all of these.

    lengths: the fewest and the most elements of its lists. inner: what its members or elements are
    where each is a row. is_text: whether all of it is one cell. column, key_column: the places of
    its plain values and of its keys among the columns; -1 where there is none.
    """

    def __init__(self) -> None:
        self.members: dict[str | int, Part] = {}
        self.lengths: tuple[int, int] | None = None
        self.is_plain = self.is_text = False
        self.inner: Part | None = None
        self.column = self.key_column = -1

    def add(self, value: Any) -> int:
        """Take note of a value; how many there are in it."""
        if not isinstance(value, (dict, list, tuple)):
            self.is_plain = self.is_plain or text_of(value) != ""
            return 1
        if not isinstance(value, dict):
            self._note_lengths(len(value), len(value))
        number = 1
        for key, each in _pairs(value):
            number += self._member(key).add(each)
            if number > _MOST_VALUES:
                raise OverflowError
        return number

    def _member(self, key: str | int) -> "Part":
        if key not in self.members and len(self.members) > MOST_COLUMNS:
            key = _BEYOND
        return self.members.setdefault(key, Part())

    def _note_lengths(self, fewest: int, most: int) -> None:
        before = self.lengths or (fewest, most)
        self.lengths = min(before[0], fewest), max(before[1], most)

    def element(self) -> "Part":
        """What its members or elements are, taken together."""
        together = Part()
        for each in self.members.values():
            together._merge(each)
        return together

    def _merge(self, other: "Part") -> None:
        self.is_plain = self.is_plain or other.is_plain
        if other.lengths:
            self._note_lengths(*other.lengths)
        for key, each in other.members.items():
            self._member(key)._merge(each)

    @property
    def is_series(self) -> bool:
        """Whether it is a list, or an object with more keys than a table has columns."""
        return self.lengths is not None or len(self.members) > MOST_COLUMNS

    @property
    def is_long(self) -> bool:
        """Whether it is a list that is long, and not as long in each record."""
        return self.lengths is not None and self.lengths[1] > max(_SHORT, self.lengths[0])

    @property
    def has_parts(self) -> bool:
        """Whether its members or elements have parts themselves."""
        return any(each.members for each in self.members.values())

    def needs_rows(self) -> bool:
        """Whether it is, or holds, a long list of records."""
        if self.is_long and self.has_parts:
            return True
        return any(each.needs_rows() for each in self.members.values())

    def width(self) -> int:
        """How many columns it makes."""
        if self.is_text:
            return 1
        return self.is_plain + sum(each.width() for each in self.members.values())


def _pairs(value: Any) -> Iterable[tuple[str | int, Any]]:
    return value.items() if isinstance(value, dict) else enumerate(value)


class Unfolding:
    """The columns that records become, as their first ones tell, and the rows of each record."""

    def __init__(self, where: str, records: Iterable[ObjectRecord]) -> None:
        self._root, self._notes, self._is_keyed = Part(), dict[str, None](), False
        self._look(records)
        self._settle(self._root, ())
        self.paths: list[Names] = []
        self._lay(self._root, ())
        refuse_many_columns(where, len(self.paths))
        self.names = tuple(distinct([".".join(path) for path in self.paths]))

    @property
    def notes(self) -> tuple[str, ...]:
        """What became rows of their own, or was left folded."""
        return tuple(self._notes)

    def _look(self, records: Iterable[ObjectRecord]) -> None:
        left = _SAMPLE
        for record in records:
            try:
                value = record.value
                left -= self._root.add(value)
                self._is_keyed = isinstance(value, Keyed)
            except ImportFailure:
                continue  # told where its rows are read
            except OverflowError:
                reason = f"a record of more than {_MOST_VALUES:,} values: too many for a table"
                raise ImportFailure(record.where, "JSON", reason) from None
            if left < 0:
                return

    def _settle(self, root: Part, path: Names) -> None:
        """Decide what is not unfolded into columns: the records of one list become rows, and other
        lists that are too long are left as they are."""
        series = dict(_series(root, path))
        rows = next((names for names, part in series.items() if part.needs_rows()), None)
        for names, part in series.items():
            if names != rows:
                self._fold_long(part, names)
        widths = {names: part.width() for names, part in series.items()}
        width = root.width() - (widths.pop(rows) if rows is not None else 0)
        while width > MOST_COLUMNS and widths:
            names = max(widths, key=lambda each: widths[each])
            width -= widths.pop(names)
            if rows is None and (series[names].has_parts or series[names].lengths is None):
                rows = names
            else:
                self._fold(series[names], names)
        if rows is not None:
            self._notes[f"Each part of {_told(rows)} is a row of its own."] = None
            series[rows].inner = inner = series[rows].element()
            self._settle(inner, rows)

    def _fold_long(self, part: Part, names: Names) -> None:
        if part.is_long:
            self._fold(part, names)
            return
        for key, each in part.members.items():
            self._fold_long(each, (*names, _name(key)))

    def _fold(self, part: Part, names: Names) -> None:
        part.is_text = True
        self._notes[f"{_told(names)} is left as JSON in one cell."] = None

    def _lay(self, part: Part, path: Names) -> None:
        """Give each part its columns, in the order of the records."""
        if part.inner and part.lengths is None:
            part.key_column = self._column((*path, KEY))
        if part.is_plain or part.is_text or not (part.members or part.lengths):
            part.column = self._column(path or (VALUE,))
        if part.inner:
            self._lay(part.inner, path)
        elif not part.is_text:
            for key, each in part.members.items():
                self._lay(each, (*path, _name(key)))

    def _column(self, path: Names) -> int:
        # An object that stands under a key is told by its own members.
        is_inside = self._is_keyed and len(path) > 1 and path[0] == VALUE
        is_object = is_inside and self._root.members[VALUE].lengths is None
        self.paths.append(path[1:] if is_object else path)
        return len(self.paths) - 1

    def rows(self, record: ObjectRecord) -> Iterator[tuple[RecordPlace, list[str]]]:
        """(where, texts) of the rows that a record becomes; ImportFailure where it cannot be read,
        or has something that the first records lack."""
        where = record.where
        cells = [""] * len(self.paths)
        rows = self._filled(where, self._root, record.value, cells)
        for number, cells in enumerate(rows, start=1):
            refuse_unreadable(where, cells)
            yield (where if number == 1 else _within(where, number)), cells

    def _filled(self, where: str, part: Part, value: Any, cells: list[str]) -> Iterator[list[str]]:
        series: list[tuple[Part, Any]] = []
        self._fill(where, part, value, cells, series)
        if not any(found for _, found in series):
            yield cells
        for of, found in series:
            for key, each in _pairs(found):
                row = cells.copy()
                if of.key_column >= 0:
                    row[of.key_column] = str(key)
                assert of.inner
                yield from self._filled(where, of.inner, each, row)

    def _fill(
        self, where: str, part: Part, value: Any, cells: list[str], series: list[tuple[Part, Any]]
    ) -> None:
        """Write the texts of a value into their cells; put off what becomes rows."""
        if part.is_text or not isinstance(value, (dict, list, tuple)):
            if text := text_of(value):
                if part.column < 0:
                    raise _unexpected(where, text)
                cells[part.column] = text
        elif part.inner:
            series.append((part, value))
        else:
            for key, each in _pairs(value):
                if known := part.members.get(key):
                    self._fill(where, known, each, cells, series)
                elif text := text_of(each if each not in ([], {}) else None):
                    raise _unexpected(where, f"{_name(key)}: {text}")


def _series(part: Part, path: Names) -> Iterator[tuple[Names, Part]]:
    """The lists, and the objects with very many keys, that are in no other one."""
    if part.is_series:
        yield path, part
    else:
        for key, each in part.members.items():
            yield from _series(each, (*path, _name(key)))


def _name(key: str | int) -> str:
    return str(key + 1) if isinstance(key, int) else key


def _told(names: Names) -> str:
    return f"`{'.'.join(names)}`" if names else "a record"


def _within(where: RecordPlace, number: int) -> RecordPlace:
    return RecordPlace(f"{where}, row {number}", file=where.file, raw=where.raw)


def _unexpected(where: str, text: str) -> ImportFailure:
    reason = f"something that the first records lack ({text[:40]}): move this record to the front"
    return ImportFailure(where, "JSON", reason)
