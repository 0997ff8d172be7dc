"""Reading tables (CSV and spreadsheets): rows of text cells under the names in the first row."""

import csv
import io
import math
import re
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from imports.errors import ImportFailure, RecordPlace
from imports.readers.columns import MOST_COLUMNS, refuse_many_columns
from imports.readers.streams import Watch, opened, refuse_nul, unwatched
from imports.readers.workbooks import ZIPPED, sheet_rows

_LONGEST_CELL = 16 * 1024 * 1024
_COMMA = re.compile(r"[+-]?\d{0,12},\d{1,12}")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class TableRow:
    """One row below the names; `where` is FILE:LINE, or names the sheet and row."""

    where: RecordPlace
    names: tuple[str, ...]
    texts: list[str]
    sheet: str = ""
    _cells: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def cells(self) -> dict[str, str]:
        """The texts by column; ImportFailure where they do not fit under the names."""
        # Without `cached_property`, which takes a lock each time: there are millions of rows.
        if not self._cells:
            refuse_unreadable(self.where, self.texts)
            fitted = _fitted(self.where, self.texts, self.names, self.sheet)
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


# What Python's reader of CSV cannot make sense of.
_STRAY = "a stray quotation mark: write it twice, or put quotes around the whole cell"


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
    path: Path, watch: Watch = unwatched, *, delimiter: str = ",", encoding: str = "utf-8"
) -> Iterator[TableRow]:
    """Every row that is not blank, of every sheet where the file is a spreadsheet; ImportFailure
    for a sheet with other names than the first."""
    names: dict[str, tuple[str, ...]] = {}
    for sheet, where, cells in _lines(path, watch, delimiter, encoding):
        if not any(cells):
            continue
        if sheet not in names:
            names[sheet] = _checked_names(where, cells)
            if set(names[sheet]) != set(next(iter(names.values()))):
                raise ImportFailure(where, "columns", "others than in the first sheet")
        else:
            raw = cells if len(cells) <= MOST_COLUMNS else list(filter(None, cells))
            place = RecordPlace(where, file=path, raw=raw)
            yield TableRow(place, names[sheet], cells, sheet)


def column_names(path: Path, *, delimiter: str = ",", encoding: str = "utf-8") -> tuple[str, ...]:
    """The names in the first row."""
    with closing(_lines(path, unwatched, delimiter, encoding)) as lines:
        for _, where, cells in lines:
            if any(cells):
                return _checked_names(where, cells)
    raise ImportFailure(str(path), "columns", "the file is empty")


def require_columns(path: Path, names: Collection[str], wanted: Collection[str]) -> None:
    """ImportFailure naming the first column that the file lacks."""
    for column in wanted:
        if column not in names:
            existing = ", ".join(names)
            raise ImportFailure(f"{path}:1", column, f"no such column (the file has: {existing})")


def _lines(
    path: Path, watch: Watch, delimiter: str, encoding: str
) -> Generator[tuple[str, str, list[str]], None, None]:
    """(sheet, where, texts) of every line; a file that is no spreadsheet has one sheet, ""."""
    with opened(path, watch, utf16=encoding.startswith("utf-16")) as stream:
        assert isinstance(stream, io.BufferedReader)
        if stream.peek(4)[:4] == ZIPPED:
            yield from sheet_rows(path, stream)
        else:
            yield from _csv_lines(path, stream, delimiter, encoding)


def _csv_lines(
    path: Path, stream: IO[bytes], delimiter: str, encoding: str
) -> Iterator[tuple[str, str, list[str]]]:
    csv.field_size_limit(_LONGEST_CELL)
    # Bytes that are no UTF-8 become surrogates, so that only their own row cannot be read.
    errors = "strict" if encoding.startswith("utf-16") else "surrogateescape"
    with io.TextIOWrapper(stream, encoding=encoding, errors=errors, newline="") as text:
        reader = csv.reader(text, delimiter=delimiter, strict=True)
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                where, reason = f"{path}:{reader.line_num}", str(error)
                if "expected after" in reason or "unexpected end" in reason:
                    reason = f"{_STRAY} ({reason})"
                raise ImportFailure(where, "CSV", reason) from error
            except UnicodeError as error:
                where = f"{path}:{reader.line_num + 1}"  # the line that could not be read any more
                raise ImportFailure(where, "encoding", f"not {encoding.upper()}") from error
            yield "", f"{path}:{reader.line_num}", [cell.strip() for cell in cells]


def _fitted(where: str, cells: list[str], names: Sequence[str], sheet: str) -> list[str]:
    """As many cells as names. In a sheet empty ones at the end are not there."""
    while sheet and len(cells) > len(names) and not cells[-1]:
        cells = cells[:-1]
    if sheet and len(cells) < len(names):
        cells = cells + [""] * (len(names) - len(cells))
    if len(cells) != len(names):
        number = f"more than {MOST_COLUMNS:,}" if len(cells) > MOST_COLUMNS else len(cells)
        raise ImportFailure(where, "columns", f"{number} cells under {len(names)} names")
    return cells


def refuse_unreadable(where: str, texts: Sequence[str]) -> None:
    """ImportFailure for texts that no database could store."""
    if (joined := "".join(texts)).isascii() and "\0" not in joined and "\\" not in joined:
        return  # nearly every row
    for text in texts:
        if not text.isascii() and _SURROGATE.search(text):
            raise ImportFailure(where, "encoding", "not UTF-8")
        refuse_nul(where, text)


def _checked_names(where: str, cells: Sequence[str]) -> tuple[str, ...]:
    refuse_unreadable(where, cells)
    names = list(cells)
    while not names[-1]:
        names.pop()
    refuse_many_columns(where, len(names))
    met: set[str] = set()
    for position, name in enumerate(names):
        if not name:
            raise ImportFailure(where, "columns", f"column {position + 1} has no name")
        if name in met:
            raise ImportFailure(where, name, "two columns have this name")
        met.add(name)
    return tuple(names)
