"""Reading spreadsheets: the cells of every sheet as texts."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import ParseError

from annotation.importing.errors import ImportFailure

ZIPPED = b"PK\x03\x04"
_LARGEST = 64 * 1024 * 1024
# Unpacked. A spreadsheet of texts shrinks to a third or a tenth, never to a hundredth.
_LARGEST_UNPACKED = 256 * 1024 * 1024
_MOST_SHRUNK, _SMALL = 100, 16 * 1024 * 1024


def sheet_rows(path: Path, stream: IO[bytes]) -> Iterator[tuple[str, str, list[str]]]:
    """(sheet, FILE (sheet S, row N), texts of the cells) of every row, sheet by sheet.

    Formulas count by the value that was saved with them.
    """
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    raw = stream.read(_LARGEST + 1)
    if len(raw) > _LARGEST:
        raise ImportFailure(str(path), "file", f"larger than {_LARGEST // 2**20} MiB")
    _refuse_bomb(path, raw)
    try:
        book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
    except (zipfile.BadZipFile, InvalidFileException, KeyError, ValueError) as error:
        raise ImportFailure(str(path), "file", "no spreadsheet that can be read") from error
    try:
        for sheet in book.worksheets:
            for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
                where = f"{path} (sheet {sheet.title}, row {number})"
                yield sheet.title, where, [_text(cell) for cell in cells]
    except (zipfile.BadZipFile, zlib.error, ParseError) as error:
        raise ImportFailure(str(path), "file", f"a damaged spreadsheet ({error})") from error


def _refuse_bomb(path: Path, raw: bytes) -> None:
    """ImportFailure for a file that unpacks to far more than a spreadsheet of its size."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            unpacked = sum(member.file_size for member in packed.infolist())
    except zipfile.BadZipFile as error:
        raise ImportFailure(str(path), "file", "no spreadsheet that can be read") from error
    too_dense = unpacked > _SMALL and unpacked > len(raw) * _MOST_SHRUNK
    if unpacked > _LARGEST_UNPACKED or too_dense:
        size = f"{unpacked // 2**20} MiB"
        raise ImportFailure(str(path), "file", f"unpacks to {size}: refused; save it as CSV")


def _text(cell: object) -> str:
    if isinstance(cell, datetime) and not (cell.hour or cell.minute or cell.second):
        return cell.date().isoformat()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell).strip()
