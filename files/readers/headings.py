"""The names of the columns of a table, as its first rows tell them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile, pairwise, zip_longest

from files.errors import ImportFailure
from files.readers.columns import (
    MOST_COLUMNS,
    Line,
    are_distinct,
    are_numbers,
    distinct,
    may_be_name,
    refuse_many_columns,
    without_end,
)
from files.readers.second_tables import OneTable
from files.readers.streams import refuse_nul

_SURROGATE = re.compile("[\ud800-\udfff]")
# What pandas calls a column without a name where it reads a table and writes it again.
_UNNAMED = re.compile(r"Unnamed: \d+(_level_\d+)?")
_TOLD = 3

# Survey programs write ids, then the questions, then where the columns come from.
_ORIGIN = re.compile(r'\{\s*"ImportId"')
_SITTING = {"StartDate", "EndDate", "Progress", "Finished", "RecordedDate", "ResponseId"}


@dataclass(frozen=True)
class Heading:
    """The columns of a table, each with the place of its cells in a row of so many (width).

    rows: how many rows name the columns. paths: what two rows made names of. made_up: names that
    are not in the file. empty: places of columns that are left out since nothing is in them.
    """

    names: tuple[str, ...]
    places: tuple[int, ...]
    width: int
    is_sheet: bool = False
    rows: int = 1
    questions: Mapping[str, str] = field(default_factory=dict)
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    made_up: tuple[str, ...] = ()
    empty: tuple[int, ...] = ()

    def fitted(self, where: str, cells: list[str]) -> list[str]:
        """The cells of the columns. Empty ones at the end of a row are not there, and in a sheet
        may be missing."""
        width = self.width
        if len(cells) != width:
            cells = without_end(cells, width)
            if self.is_sheet and len(cells) < width:
                cells = cells + [""] * (width - len(cells))
            if len(cells) != width:
                number = f"more than {MOST_COLUMNS:,}" if len(cells) > MOST_COLUMNS else len(cells)
                raise ImportFailure(where, "columns", f"{number} cells under {width} names")
        if len(self.places) == width:
            return cells
        for place in self.empty:
            if cells[place]:
                reason = f"column {place + 1} has no name, and was empty above; name it"
                raise ImportFailure(where, "columns", reason)
        return [cells[place] for place in self.places]


def refuse_unreadable(where: str, texts: Sequence[str]) -> None:
    """ImportFailure for texts that no database could store."""
    if (joined := "".join(texts)).isascii() and "\0" not in joined and "\\" not in joined:
        return  # nearly every row
    for text in texts:
        if not text.isascii() and _SURROGATE.search(text):
            raise ImportFailure(where, "encoding", "not UTF-8")
        refuse_nul(where, text)


class FirstRows:
    """The first rows of a table, with what they tell of it. has_commas: whether commas are between
    the cells, which somebody may have forgotten to put into quotation marks."""

    def __init__(self, lines: Iterable[Line], *, has_commas: bool) -> None:
        self._all, self._has_commas = list(lines), has_commas
        self.lines = [line for line in self._all if any(line.cells)]
        self._is_sheet = any(line.sheet for line in self.lines[:1])
        self._is_grouped = _are_grouped([line.cells for line in self.lines])
        self._named = 2 if self._is_grouped else _naming_rows(self.lines) if self.lines else 0
        self.body = self.lines[self._named :]
        self.one_table = OneTable(self.lines[0].cells if self.lines else ())

    def heading(self) -> Heading:
        """The columns; ImportFailure where there are too many, or those of two tables."""
        where, cells = self.lines[0].where, self.lines[0].cells
        refuse_unreadable(where, cells)
        refuse_many_columns(where, len(without_end(cells, 0)))
        for _ in self.one_table.lines(self._below(), learns=True):
            pass  # refused where another one begins
        given = self._given()
        names, empty, notes = self._names(given)
        if not names:
            raise ImportFailure(where, "columns", "none has a name")
        unique = distinct(list(names.values()))
        places, width = tuple(names), max(names) + 1
        return Heading(
            names=tuple(unique),
            places=places,
            width=width,
            is_sheet=self._is_sheet,
            rows=self._named,
            questions=self._questions(dict(zip(unique, places, strict=True))),
            paths={".".join(path): path for path in self._paths()},
            notes=(*notes, *_equal_names(names.values(), unique), *self._stray_marks()),
            made_up=tuple(name for name, p in zip(unique, places, strict=True) if name != given[p]),
            empty=tuple(place for place in empty if place < width),
        )

    def _below(self) -> Iterator[Line]:
        """The rows below the names, with blank ones between."""
        return dropwhile(lambda line: line is not self.body[0], self._all if self.body else ())

    def _names(self, given: Sequence[str]) -> tuple[dict[int, str], list[int], list[str]]:
        """(names by place, places of columns without anything in them, what is odd)."""
        names: dict[int, str] = {}
        empty: list[int] = []
        notes: list[str] = []
        for place, name in enumerate(given):
            if name:
                names[place] = name
            elif not any(column := self._column(place)):
                empty.append(place)
            elif place == 0 and self._counts_rows(column):
                notes.append("The first column has no name and numbers the rows: it is left out.")
            else:
                names[place] = f"column {place + 1}"
                notes.append(f"Column {place + 1} has no name: it is called `{names[place]}`.")
        if empty:
            told = _listed([str(place + 1) for place in empty])
            notes.append(f"Columns without a name and without cells are left out: {told}.")
        return names, empty, notes

    def _given(self) -> list[str]:
        """The names as they lie, with an empty one for each column that has none."""
        if self._is_grouped:
            return [".".join(path) for path in self._paths()]
        cells = self.lines[0].cells
        given = ["" if _UNNAMED.fullmatch(cell) else cell for cell in cells]
        lengths = {len(line.cells) for line in self.body}
        if self._is_sheet:
            widest = min(max(lengths, default=0), MOST_COLUMNS)
            return given + [""] * (widest - len(given))
        return ["", *given] if self._has_row_names(given, lengths) else given

    def _has_row_names(self, given: Sequence[str], lengths: set[int]) -> bool:
        """Whether each row begins with its own name, above which R writes none."""
        if self._has_commas or len(self.body) < 2 or lengths != {len(given) + 1}:
            return False
        return all(given) and any(self._column(len(given))) and are_distinct(self._column(0))

    def _paths(self) -> list[tuple[str, ...]]:
        """Under a name that stands for several columns, each with its own."""
        paths: list[tuple[str, ...]] = []
        group = ""
        if self._is_grouped:
            for top, own in zip_longest(self.lines[0].cells, self.lines[1].cells, fillvalue=""):
                group = top or group
                paths.append((group, own) if group and own else (group or own,))
        return paths

    def _column(self, place: int) -> list[str]:
        return [line.cells[place] for line in self.body if place < len(line.cells)]

    def _counts_rows(self, column: list[str]) -> bool:
        """Whether cells are numbers of rows, which may begin again where tables were put together
        as long as something else tells more rows apart."""
        if not all(cell.isascii() and cell.isdigit() and len(cell) < 10 for cell in column):
            return False
        numbers = [int(cell) for cell in column]
        pairs = list(pairwise(numbers))
        if all(before < after for before, after in pairs):
            return True
        begins = numbers[0] in (0, 1)
        if not begins or not all(b + 1 == a or a == numbers[0] for b, a in pairs):
            return False
        others = range(1, max(len(line.cells) for line in self.body))
        return any(len(set(self._column(place))) > len(set(numbers)) for place in others)

    def _questions(self, places: Mapping[str, int]) -> dict[str, str]:
        if self._named == 1 or self._is_grouped:
            return {}
        texts = self.lines[1].cells
        asked = {name: " ".join(texts[p].split()) for name, p in places.items() if p < len(texts)}
        return {name: text for name, text in asked.items() if text}

    def _stray_marks(self) -> list[str]:
        lines = [line.where.rpartition(":")[2] for line in self.lines if line.is_stray]
        told = "Quotation marks that enclose nothing are read as they stand, in line"
        return [f"{told} {_listed(lines)}."] if lines else []


def _naming_rows(lines: Sequence[Line]) -> int:
    """How many rows name the columns: in exports of survey programs two or three."""
    for number, line in enumerate(lines[1:3], start=2):
        filled = list(filter(None, line.cells))
        if filled and 2 * sum(bool(_ORIGIN.match(cell)) for cell in filled) > len(filled):
            return number
    sitting = [place for place, name in enumerate(lines[0].cells) if name in _SITTING]
    if len(sitting) < 3 or len(lines) < 2:
        return 1
    second = [cell for place, cell in enumerate(lines[1].cells) if place in sitting]
    return 1 if any(char.isdigit() for cell in second for char in cell) else 2


def _are_grouped(rows: Sequence[list[str]]) -> bool:
    """Whether a name of the first row stands for several columns, which the second row names, with
    numbers below."""
    if len(rows) < 4:
        return False
    top, own = rows[:2]
    places = [p for p in range(1, len(own)) if not "".join(top[p : p + 1]) or top[p] in top[:p]]
    columns = [[row[p] for row in rows[2:] if p < len(row)] for p in places]
    return bool(places) and all(
        may_be_name(own[place]) and are_numbers(column)
        for place, column in zip(places, columns, strict=True)
    )


def _equal_names(names: Iterable[str], unique: Iterable[str]) -> list[str]:
    return [
        f"Several columns are called `{name}`: another one is `{new}` here."
        for name, new in zip(names, unique, strict=True)
        if name != new
    ]


def _listed(words: Sequence[str]) -> str:
    more = len(words) - _TOLD
    return ", ".join(words[:_TOLD]) + (f" and {more} more" if more > 0 else "")
