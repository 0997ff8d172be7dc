"""Reading tables (CSV and spreadsheets): rows of text cells under the names in the first row."""

import csv
import io
import math
import re
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, groupby, islice
from pathlib import Path
from typing import IO

from files.errors import ImportFailure, RecordPlace
from files.readers.columns import MOST_COLUMNS, Line
from files.readers.detection import TableForm, detected_form
from files.readers.headings import FirstRows, Heading, refuse_unreadable
from files.readers.quotation import Records
from files.readers.streams import Watch, opened, unwatched
from files.readers.workbooks import ZIPPED, sheet_rows
from tasktypes.texts.written import trimmed

_COMMA = re.compile(r"[+-]?\d{0,12},\d{1,12}")
# The rows that tell what the columns are, and how many characters of them.
_FIRST_ROWS, _FIRST_TEXT = 1000, 4 * 1024 * 1024


@dataclass(frozen=True)
class TableRow:
    """One row below the names; `where` is FILE:LINE, or names the sheet and row. heading: None
    where each text stands under a name."""

    where: RecordPlace
    names: tuple[str, ...]
    texts: list[str]
    sheet: str = ""
    heading: Heading | None = field(default=None, repr=False, compare=False)
    _cells: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def cells(self) -> dict[str, str]:
        """The texts by column; ImportFailure where they do not fit under the names."""
        # Without `cached_property`, which takes a lock each time: there are millions of rows.
        if not self._cells:
            refuse_unreadable(self.where, self.texts)
            fitted = self.heading.fitted(self.where, self.texts) if self.heading else self.texts
            self._cells.update(zip(self.names, fitted, strict=True))
        return self._cells

    def __contains__(self, column: str) -> bool:
        """Whether there is anything in that cell."""
        return bool(self.cells[column])

    def text(self, column: str) -> str:
        """The text of the cell; ImportFailure where it is empty."""
        if not (text := self.cells[column]):
            raise ImportFailure(self.where, column, "empty")
        return text

    def number(self, column: str) -> float:
        """The number in the cell; ImportFailure where there is none."""
        text = self.text(column)
        try:
            return as_number(text)
        except ValueError as error:
            raise ImportFailure(self.where, column, str(error)) from error


@dataclass(frozen=True, kw_only=True)
class UnreadRow(TableRow):
    """A row that cannot be read, which is told where somebody asks for its cells."""

    failure: ImportFailure

    @property
    def cells(self) -> dict[str, str]:
        raise self.failure


def as_number(text: str) -> float:
    """The number that a text is; ValueError where it is none. A comma may stand for thousands as
    well as for decimals, so that it is not guessed at."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        hint = f" (write {text.replace(',', '.')}, with a point)" if _COMMA.fullmatch(text) else ""
        raise ValueError(f"{text[:40]!r} is not a number{hint}")
    return number


def table_rows(
    path: Path, watch: Watch = unwatched, *, form: TableForm | None = None, sheet: str | None = None
) -> Iterator[TableRow]:
    """Every row that is not blank: of one sheet, or of all where the file is a spreadsheet.
    ImportFailure for a sheet with other names than the first. form: detected where it is None."""
    form = form or detected_form(path)
    first_names: set[str] = set()
    for first, rest in _tables(_lines(path, watch, form, sheet), form):
        heading, where = first.heading(), first.lines[0].where
        first_names = first_names or set(heading.names)
        if set(heading.names) != first_names:
            reason = "others than in the first sheet: save each sheet as a file of its own"
            raise ImportFailure(where, "columns", reason)
        for line in chain(first.body, first.one_table.lines(rest)):
            cells = line.cells
            raw = cells if len(cells) <= MOST_COLUMNS else list(filter(None, cells))
            place = RecordPlace(line.where, file=path, raw=raw)
            yield TableRow(place, heading.names, cells, line.sheet, heading)


def headings(path: Path, *, form: TableForm | None = None) -> dict[str, Heading]:
    """The columns of the table that a file is, or of each sheet with anything in it, by name."""
    form = form or detected_form(path)
    lines = _lines(path, unwatched, form, most=_FIRST_ROWS)
    with closing(lines):
        return {first.lines[0].sheet: first.heading() for first, _ in _tables(lines, form)}


def column_names(path: Path, *, form: TableForm | None = None) -> tuple[str, ...]:
    """The names of the columns, in a spreadsheet those of the first sheet."""
    form = form or detected_form(path)
    lines = _lines(path, unwatched, form, most=_FIRST_ROWS)
    with closing(lines):
        for first, _ in _tables(lines, form):
            return first.heading().names
    raise ImportFailure(str(path), "columns", "the file is empty: export it again, or leave it out")


def require_columns(path: Path, names: Collection[str], wanted: Collection[str]) -> None:
    """ImportFailure naming the first column that the file lacks."""
    for column in wanted:
        if column not in names:
            existing = ", ".join(names)
            raise ImportFailure(f"{path}:1", column, f"no such column (the file has: {existing})")


def _tables(lines: Iterable[Line], form: TableForm) -> Iterator[tuple[FirstRows, Iterator[Line]]]:
    """(the first rows, the others) of each sheet with anything in it."""
    for _, sheet in groupby(lines, key=lambda line: line.sheet):
        rest: Iterator[Line] = sheet
        taken: list[Line] = []
        try:
            taken.extend(_first_lines(rest))
        except ImportFailure as failure:
            rest = _failing(failure)
        first = FirstRows(taken, has_commas=form.delimiter == ",")
        if first.lines:
            yield first, rest


def _first_lines(lines: Iterator[Line]) -> Iterator[Line]:
    n_chars = 0
    for line in islice(lines, _FIRST_ROWS):
        yield line
        n_chars += sum(map(len, line.cells))
        if n_chars > _FIRST_TEXT:
            return


def _failing(failure: ImportFailure) -> Iterator[Line]:
    """No further line: ImportFailure where one is asked for."""
    yield from ()
    raise failure


def _lines(
    path: Path, watch: Watch, form: TableForm, sheet: str | None = None, most: int | None = None
) -> Generator[Line, None, None]:
    """Every line; a file that is no spreadsheet has one sheet, "". most: lines of each sheet."""
    with opened(path, watch, utf16=form.encoding.startswith("utf-16")) as stream:
        assert isinstance(stream, io.BufferedReader)
        if stream.peek(4)[:4] == ZIPPED:
            for row in sheet_rows(path, stream, sheet, most):
                yield Line(*row)
        else:
            yield from islice(_csv_lines(path, stream, form), most)


def _csv_lines(path: Path, stream: IO[bytes], form: TableForm) -> Iterator[Line]:
    # Bytes that are no UTF-8 become surrogates, so that only their own row cannot be read.
    encoding = form.encoding
    errors = "strict" if encoding.startswith("utf-16") else "surrogateescape"
    with io.TextIOWrapper(stream, encoding=encoding, errors=errors, newline="") as text:
        records = Records(text, form.delimiter)
        try:
            for cells, is_stray in records:
                where = f"{path}:{records.line}"
                yield Line("", where, [trimmed(cell) for cell in cells], is_stray)
        except csv.Error as error:
            raise ImportFailure(f"{path}:{records.line}", "CSV", str(error)) from error
        except UnicodeError as error:
            where = f"{path}:{records.line + 1}"  # the line that could not be read any more
            raise ImportFailure(where, "encoding", f"not {encoding.upper()}") from error
