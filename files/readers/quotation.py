"""Records of CSV, also where quotation marks stand in them that enclose nothing."""

import csv
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _csv import Reader

# How often lines may be read again, in characters: a mark that is never closed takes in what
# follows, and each line may hold one.
_MOST_AGAIN = 64 * 1024 * 1024
_LONGEST_CELL = 16 * 1024 * 1024


class Records:
    """The records of a text, as (cells, whether its marks were read as they stand).

    A record that is no proper CSV is one line, whose quotation marks are characters like others.
    So is one that goes over several lines each of which is a record by itself.
    """

    def __init__(self, text: Iterable[str], delimiter: str) -> None:
        csv.field_size_limit(_LONGEST_CELL)
        self._text, self._delimiter = iter(text), delimiter
        self._again: deque[str] = deque()
        self._taken: list[str] = []
        self._most_again, self._width, self._before = _MOST_AGAIN, 0, 0
        self._reader = self._read_on()

    @property
    def line(self) -> int:
        """The number of the last line that was taken."""
        return self._before + int(self._reader.line_num)

    def __iter__(self) -> Iterator[tuple[list[str], bool]]:
        taken = self._taken
        while True:
            taken.clear()
            try:
                cells = next(self._reader)
            except StopIteration:
                return
            except csv.Error as error:
                if not _is_of_marks(error, taken):
                    raise
                as_it_stands = True
            else:
                as_it_stands = len(taken) > 1 and self._are_records(taken)
            if as_it_stands:
                self._give_back()
                cells = self._as_it_stands(taken[0])
            if not self._width:
                self._width = len(cells)
            yield cells, as_it_stands

    def _read_on(self) -> "Reader":
        return csv.reader(self._lines(), delimiter=self._delimiter, strict=True)

    def _lines(self) -> Iterator[str]:
        again, take = self._again, self._taken.append
        while again:
            take(line := again.popleft())
            yield line
        for line in self._text:
            take(line)
            yield line

    def _give_back(self) -> None:
        """Let all lines of the record but the first be read again."""
        back = self._taken[1:]
        self._most_again -= sum(map(len, back))
        if self._most_again < 0:
            raise csv.Error("stray quotation marks in very many lines")
        self._before = self.line - len(back)
        self._again.extendleft(reversed(back))
        self._reader = self._read_on()

    def _are_records(self, lines: list[str]) -> bool:
        """Whether each line has all cells: of two that may be chance, but for tabs."""
        if self._width < (2 if self._delimiter == "\t" else 3):
            return False
        return all(len(self._as_it_stands(line)) == self._width for line in lines)

    def _as_it_stands(self, line: str) -> list[str]:
        return next(csv.reader([line], delimiter=self._delimiter, quoting=csv.QUOTE_NONE))


def _is_of_marks(error: csv.Error, taken: list[str]) -> bool:
    """Whether quotation marks are what is wrong, and not a cell that is too long by itself."""
    if "field larger" in str(error):
        return len(taken) > 1 and len(taken[0]) < _LONGEST_CELL
    return "expected after" in str(error) or "unexpected end" in str(error)
