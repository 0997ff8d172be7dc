"""Reading spreadsheets: the cells of every sheet as texts."""

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError

from files.errors import ImportFailure
from files.readers.columns import MOST_COLUMNS
from tasktypes.texts.written import trimmed

ZIPPED = b"PK\x03\x04"
_LARGEST = 64 * 1024 * 1024
# Sheets are read one after another: the last file is kept open, unless it takes much memory.
_LARGEST_KEPT = 8 * 1024 * 1024
# Unpacked. A spreadsheet of texts shrinks to a third or a tenth, never to a hundredth.
_LARGEST_UNPACKED = 256 * 1024 * 1024
_MOST_SHRUNK, _SMALL = 100, 16 * 1024 * 1024
# openpyxl checks little: a part that is missing, odd or damaged shows as one of these.
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, ParseError, EOFError, OSError, NotImplementedError),
    *(RuntimeError, LookupError, ValueError, TypeError, AttributeError, OverflowError),
)


def sheet_rows(
    path: Path, stream: IO[bytes], only: str | None = None, most: int | None = None
) -> Iterator[tuple[str, str, list[str]]]:
    """(sheet, FILE (sheet S, row N), texts of the cells) of every row, sheet by sheet. only: of
    that sheet. most: rows of each.

    Formulas count by the value that was saved with them.
    """
    raw = stream.read(_LARGEST + 1)
    if len(raw) > _LARGEST:
        reason = f"a spreadsheet larger than {_LARGEST // 2**20} MiB; save it as CSV"
        raise ImportFailure(str(path), "file", reason)
    for sheet in _sheets(path, raw):
        if only not in (None, sheet.title):
            continue
        # What a sheet says of its size may be far too much.
        sheet.reset_dimensions()
        for number, cells in enumerate(islice(_rows_of(path, sheet), most), start=1):
            where = f"{path} (sheet {sheet.title}, row {number})"
            yield sheet.title, where, _texts(cells)


def _sheets(path: Path, raw: bytes) -> Sequence[Any]:
    from openpyxl.utils.exceptions import InvalidFileException

    _refuse_bomb(path, raw)
    try:
        book = _kept_book(raw) if len(raw) <= _LARGEST_KEPT else _book(raw)
    except (*_DAMAGED, InvalidFileException) as error:
        raise ImportFailure(str(path), "file", "no spreadsheet that can be read") from error
    return book.worksheets  # type: ignore[no-any-return]


def _book(raw: bytes) -> Any:
    import openpyxl

    return openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True)


@lru_cache(maxsize=1)
def _kept_book(raw: bytes) -> Any:
    return _book(raw)


def _rows_of(path: Path, sheet: Any) -> Iterator[tuple[Any, ...]]:
    rows = sheet.iter_rows(values_only=True)
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            return
        except _DAMAGED as error:
            where = f"{path} (sheet {sheet.title})"
            raise ImportFailure(where, "file", "a damaged spreadsheet") from error
        yield cells


def _texts(cells: tuple[Any, ...]) -> list[str]:
    """The texts of a row, with one more than a table may have where it is wider: a row with a
    single cell in the last column is one of 16,384."""
    beyond = cells[MOST_COLUMNS:]
    is_wide = beyond.count(None) < len(beyond)
    texts = ["" if cell is None else _text(cell) for cell in cells[:MOST_COLUMNS]]
    return [*texts, *map(_text, [c for c in beyond if c is not None][:1])] if is_wide else texts


def _refuse_bomb(path: Path, raw: bytes) -> None:
    """ImportFailure for a file that unpacks to far more than a spreadsheet of its size, or that is
    a ZIP file of something else."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            unpacked = sum(member.file_size for member in packed.infolist())
            names = packed.namelist()
            methods = {member.compress_type for member in packed.infolist()}
    except _DAMAGED as error:
        raise ImportFailure(str(path), "file", "no spreadsheet that can be read") from error
    if not any(name.startswith("xl/") for name in names):
        raise ImportFailure(str(path), "file", "a ZIP file, but no spreadsheet; unpack it first")
    if not methods <= {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        # Of others Python may unpack far more than a part says it has.
        raise ImportFailure(str(path), "file", "no spreadsheet that can be read (packed oddly)")
    too_dense = unpacked > _SMALL and unpacked > len(raw) * _MOST_SHRUNK
    if unpacked > _LARGEST_UNPACKED or too_dense:
        size = f"{unpacked // 2**20} MiB"
        raise ImportFailure(str(path), "file", f"unpacks to {size}: refused; save it as CSV")


def _text(cell: object) -> str:
    if isinstance(cell, datetime) and not (cell.hour or cell.minute or cell.second):
        return cell.date().isoformat()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return trimmed(str(cell))
