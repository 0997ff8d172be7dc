"""Members of zip archives, also those compressed by Zstandard, which Python reads from 3.14 on."""

import io
import struct
import zipfile
from pathlib import Path

import polars as pl

from annotation.importing.errors import ImportFailure

# The number that the zip format has for Zstandard.
_ZSTANDARD = 93
_LOCAL_HEADER = 30
LARGEST_MEMBER = 512 * 1024 * 1024


def json_members(path: Path) -> dict[str, zipfile.ZipInfo]:
    """The members whose names end in `.json`, by name; ImportFailure where it is no archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {m.filename: m for m in archive.infolist() if m.filename.endswith(".json")}
    except (zipfile.BadZipFile, OSError) as error:
        raise ImportFailure(str(path), "file", f"no zip archive that can be read ({error})") from (
            error
        )


def json_text(path: Path, member: zipfile.ZipInfo) -> str:
    """The text of a member that is JSON."""
    where = f"{path} ({member.filename})"
    if member.file_size > LARGEST_MEMBER:
        reason = f"unpacks to more than {LARGEST_MEMBER // 2**20} MiB: refused"
        raise ImportFailure(where, "zip", reason)
    try:
        if member.compress_type == _ZSTANDARD:
            return _unpacked(path, member)
        with zipfile.ZipFile(path) as archive:
            return archive.read(member).decode("utf-8")
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise ImportFailure(where, "zip", f"damaged ({error})") from error
    except pl.exceptions.PolarsError as error:
        raise ImportFailure(where, "zip", "damaged") from error


def _unpacked(path: Path, member: zipfile.ZipInfo) -> str:
    """Polars unpacks tables of lines. Valid JSON has control characters nowhere but between its
    parts, so that a table of one column has all of its text."""
    with path.open("rb") as stream:
        stream.seek(member.header_offset)
        name, extra = struct.unpack("<HH", stream.read(_LOCAL_HEADER)[26:30])
        stream.seek(name + extra, io.SEEK_CUR)
        packed = stream.read(member.compress_size)
    table = pl.read_csv(
        io.BytesIO(packed), has_header=False, separator="\x01", quote_char=None, infer_schema=False
    )
    return "\n".join(line or "" for line in table.to_series(0))
