"""Where a second table begins in a file: after a blank row, or right below the first one."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from files.errors import ImportFailure
from files.readers.columns import MISSING, NUMBER, Line, are_distinct, may_be_name, without_end

# Rows below a row that are looked at to say whether it names their columns.
_LOOKED_AT = 5


@dataclass
class _Column:
    """The cells of a column, and how many are numbers and how many something else."""

    cells: set[str] = field(default_factory=set)
    numbers: int = 0
    texts: int = 0

    def add(self, cell: str) -> None:
        self.cells.add(cell)
        if cell.lower() not in MISSING:
            is_number = bool(NUMBER.fullmatch(cell))
            self.numbers += is_number
            self.texts += not is_number

    @property
    def are_numbers(self) -> bool:
        return self.numbers > 0 and not self.texts

    def is_other_than(self, below: "_Column") -> bool:
        """Whether there are numbers in one and texts in the other."""
        was_numbers = self.are_numbers and self.numbers > 1
        was_texts = self.texts > 1 and not self.numbers
        are_texts = below.texts > 0 and not below.numbers
        return (was_numbers and are_texts) or (was_texts and below.are_numbers)


class OneTable:
    """A table by the names of its columns, with what the rows have that were learnt."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = without_end([*names], 0)
        self._columns: defaultdict[int, _Column] = defaultdict(_Column)
        self._n_rows, self._narrowest = 0, 0

    def lines(self, lines: Iterable[Line], *, learns: bool = False) -> Iterator[Line]:
        """Those that are not blank; ImportFailure where a second table begins. learns: whether
        they are taken in, to compare the next ones with."""
        rest, ahead, after_blank = iter(lines), deque[Line](), False
        place, known = self._telling()
        while (line := ahead.popleft() if ahead else next(rest, None)) is not None:
            if (
                len(line.cells) > place
                and line.cells[place] in known
                and line.cells[0] != self._names[0]
            ):
                after_blank = False  # nearly every row
                yield line
                continue
            if not any(line.cells):
                after_blank = True
                continue
            if self._n_rows and self._may_name_columns(line.cells):
                ahead.extend(islice(rest, _LOOKED_AT - len(ahead)))
                below = [each.cells for each in ahead if any(each.cells)]
                self._refuse(line, below, after_blank=after_blank)
            after_blank = False
            if learns:
                self._learn(line.cells)
            yield line

    def _telling(self) -> tuple[int, frozenset[str]]:
        """The column that seldom says something new, and what it says."""
        columns = {p: column.cells for p, column in self._columns.items() if p < self._narrowest}
        place = min(columns, key=lambda place: len(columns[place]), default=0)
        return place, frozenset(columns.get(place, ())) - {""}

    def _learn(self, cells: list[str]) -> None:
        width = len(without_end(cells, 0))
        self._narrowest = min(self._narrowest, width) if self._n_rows else width
        self._n_rows += 1
        for place, cell in enumerate(cells):
            self._columns[place].add(cell)

    def _may_name_columns(self, cells: list[str]) -> bool:
        """Whether a row has the names again, or short texts alone, new ones."""
        if cells[0] == self._names[0] and without_end(cells, 0) == self._names:
            return True
        if any(c and c in self._columns[place].cells for place, c in enumerate(cells)):
            return False
        filled = list(filter(None, cells))
        return len(filled) > 1 and are_distinct(filled) and all(map(may_be_name, filled))

    def _refuse(self, line: Line, below: Sequence[list[str]], *, after_blank: bool) -> None:
        """ImportFailure where the row begins another table."""
        cells = without_end(line.cells, 0)
        begins = cells == self._names or (
            self._ends_before(cells) if after_blank else self._changes_at(cells, below)
        )
        if begins:
            row = "blank row" if after_blank else "row"
            reason = (
                "the file seems to hold two tables, of which the second begins here"
                f"{', after a blank row' if after_blank else ''}: put each into a file or a sheet "
                f"of its own, or remove the {row} where it is one table"
            )
            raise ImportFailure(line.where, "columns", reason)

    def _ends_before(self, cells: list[str]) -> bool:
        """Whether the row stands in numbers, or has more or fewer cells."""
        columns = [self._columns[place] for place, cell in enumerate(cells) if cell]
        return self._has_other_width(cells) or any(
            column.are_numbers and column.numbers > 1 for column in columns
        )

    def _has_other_width(self, cells: list[str]) -> bool:
        """Whether a row has more cells than those above, or ends where all of these go on."""
        width, end = len(cells), len(self._names)
        return width > end if width >= end else self._n_rows > 1 and self._narrowest > width

    def _changes_at(self, cells: list[str], below: Sequence[list[str]]) -> bool:
        """Whether the row stands above numbers, and what is below differs from what is above: in
        what the cells hold, or in how many there are."""
        columns = {place: _Column() for place, cell in enumerate(cells) if cell}
        for row in below:
            for place, column in columns.items():
                column.add(row[place] if place < len(row) else "")
        if not any(column.are_numbers for column in columns.values()):
            return False
        is_narrow = all(len(without_end(row, 0)) <= len(cells) for row in below)
        return (is_narrow and self._has_other_width(cells)) or any(
            self._columns[place].is_other_than(column) for place, column in columns.items()
        )
