"""Members of zip archives, also those compressed by Zstandard, which Python reads from 3.14 on."""

import io
import lzma
import stat
import struct
import zipfile
import zlib
from pathlib import Path, PurePosixPath

import polars as pl

from annotation.importing.errors import ImportFailure

# The number that the zip format has for Zstandard.
_ZSTANDARD = 93
_LOCAL_HEADER = 30
LARGEST_MEMBER = 512 * 1024 * 1024
MOST_MEMBERS = 10_000
# Texts shrink to a third or a tenth, monotonous ones to a fiftieth.
_MOST_SHRUNK, _SMALL = 200, 64 * 1024 * 1024
# What file managers add to an archive.
_ADDED = ("__MACOSX", ".DS_Store", "Thumbs.db")
_PIECE = 2**20


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


def unpacked_size(path: Path, *, most: int) -> int:
    """The bytes that an archive unpacks to. ImportFailure where these are more than `most` or far
    more than its own, where it has very many members, or is none."""
    return sum(member.file_size for _, member in _plain_members(path, most))


def unpack(path: Path, folder: Path, *, most: int) -> None:
    """Write the files of an archive to a folder, no more than `most` bytes. ImportFailure as for
    `unpacked_size`, and for links, members with a password, names that lead out of the folder, and
    whatever is damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            for name, member in _plain_members(path, most):
                target = folder.joinpath(*name.parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as packed, target.open("xb") as unpacked:
                    while piece := packed.read(_PIECE):
                        unpacked.write(piece)
    except FileExistsError as error:
        raise ImportFailure(str(path), "zip", "two files of one name") from error
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError) as error:
        raise ImportFailure(str(path), "zip", f"cannot be unpacked ({error})") from error
    except (zlib.error, lzma.LZMAError) as error:
        raise ImportFailure(str(path), "zip", f"damaged ({error})") from error


def _plain_members(path: Path, most: int) -> list[tuple[PurePosixPath, zipfile.ZipInfo]]:
    """The files of an archive with their names; ImportFailure where it is not to be unpacked."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
    except (zipfile.BadZipFile, OSError) as error:
        raise ImportFailure(str(path), "zip", f"no ZIP file that can be read ({error})") from error
    # Programs on Windows separate by the other stroke.
    named = [(PurePosixPath(m.filename.replace("\\", "/")), m) for m in members]
    named = [(name, member) for name, member in named if not set(_ADDED) & set(name.parts)]
    size = sum(member.file_size for _, member in named)
    if len(named) > MOST_MEMBERS:
        raise ImportFailure(str(path), "zip", f"more than {MOST_MEMBERS} files")
    if size > most:
        raise ImportFailure(str(path), "zip", f"unpacks to more than {most // 2**20} MiB: refused")
    if size > _SMALL and size > path.stat().st_size * _MOST_SHRUNK:
        reason = f"unpacks to more than {_MOST_SHRUNK} times its size: refused"
        raise ImportFailure(str(path), "zip", reason)
    for name, member in named:
        _refuse_unsafe(path, name, member)
    return named


def _refuse_unsafe(path: Path, name: PurePosixPath, member: zipfile.ZipInfo) -> None:
    where = f"{path} ({member.filename})"
    if name.is_absolute() or ".." in name.parts or not name.parts:
        raise ImportFailure(where, "zip", "leads out of its folder: refused")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise ImportFailure(where, "zip", "a link: put the file itself into the ZIP file")
    if member.flag_bits & 1:
        raise ImportFailure(where, "zip", "needs a password: unpack it first")
