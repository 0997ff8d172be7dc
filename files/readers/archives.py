"""Members of zip archives, unpacked up to the size that they say they have and no further."""

import bz2
import io
import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from files.errors import ImportFailure
from files.readers.streams import LARGEST_DOCUMENT
from files.readers.zstandard import zstandard_text

# The number that the zip format has for Zstandard.
_ZSTANDARD = 93
_LOCAL_HEADER = 30
MOST_MEMBERS = 10_000
# Texts shrink to a third or a tenth, monotonous ones to a fiftieth.
_MOST_SHRUNK, _SMALL = 200, 64 * 1024 * 1024
# What file managers add to an archive.
_ADDED = ("__MACOSX", ".DS_Store", "Thumbs.db")
# Methods by which Python unpacks no more at once than it is asked for. By others it unpacks all
# that it reads of the archive, 4 KiB at least, of which some thousand times as much may come.
_STEADY = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_PIECE, _LITTLE = 2**20, 4096


def json_members(path: Path) -> dict[str, zipfile.ZipInfo]:
    """The members whose names end in `.json`, by name; ImportFailure where it is no archive."""
    with _undamaged(str(path)), zipfile.ZipFile(path) as archive:
        return {m.filename: m for m in archive.infolist() if m.filename.endswith(".json")}


def json_text(path: Path, member: zipfile.ZipInfo) -> str:
    """The text of a member that is JSON."""
    where = f"{path} ({member.filename})"
    if member.file_size > LARGEST_DOCUMENT:
        reason = f"unpacks to more than {LARGEST_DOCUMENT // 2**20} MiB: refused"
        raise ImportFailure(where, "zip", reason)
    with _undamaged(where):
        return _unpacked(_packed(path, member), member).decode("utf-8")


def _packed(path: Path, member: zipfile.ZipInfo) -> bytes:
    """A member as it lies in the archive."""
    with path.open("rb") as stream:
        stream.seek(member.header_offset)
        name, extra = struct.unpack("<HH", stream.read(_LOCAL_HEADER)[26:30])
        stream.seek(name + extra, io.SEEK_CUR)
        return stream.read(min(member.compress_size, path.stat().st_size))


def _unpacked(packed: bytes, member: zipfile.ZipInfo) -> bytes:
    """A member unpacked, as far as it has as many bytes as it says; ValueError where it has
    others."""
    # One byte more than it says shows that there are more, without unpacking them.
    most, method = member.file_size + 1, member.compress_type
    if member.flag_bits & 1:
        raise ValueError("it needs a password: unpack it first")
    if method == _ZSTANDARD:
        return zstandard_text(packed, member.file_size)
    if method == zipfile.ZIP_STORED:
        content = packed
    elif method == zipfile.ZIP_DEFLATED:
        content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, most)
    elif method == zipfile.ZIP_BZIP2:
        content = bz2.BZ2Decompressor().decompress(packed, most)
    else:
        raise NotImplementedError(f"packed by method {method}")
    if len(content) != member.file_size or zlib.crc32(content) != member.CRC:
        raise ValueError("not the bytes that it says")
    return content


def _pieces(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """The bytes of a member, which are as many as it says."""
    if member.compress_type == zipfile.ZIP_BZIP2:
        yield from _bzip2_pieces(_packed(path, member), member.file_size)
        return
    at_once = _PIECE if member.compress_type in _STEADY else _LITTLE
    size = 0
    with archive.open(member) as packed:
        while piece := packed.read(at_once):
            size += len(piece)
            yield piece
    if size != member.file_size:
        raise zipfile.BadZipFile("not of the size that it says")


def _bzip2_pieces(packed: bytes, size: int) -> Iterator[bytes]:
    """Of this method 4 KiB may stand for gigabytes, which Python's archives unpack at once."""
    unpacker, left = bz2.BZ2Decompressor(), size
    while left >= 0 and not unpacker.eof:
        piece = unpacker.decompress(packed, _PIECE)
        if not piece and unpacker.needs_input:
            break
        packed, left = b"", left - len(piece)
        yield piece
    if left:
        raise zipfile.BadZipFile("not of the size that it says")


@contextmanager
def _undamaged(where: str) -> Iterator[None]:
    """ImportFailure for whatever damaged archives make the libraries say."""
    try:
        yield
    except FileExistsError as error:
        raise ImportFailure(where, "zip", "two files of one name") from error
    except (zlib.error, lzma.LZMAError, EOFError, OSError, struct.error) as error:
        raise ImportFailure(where, "zip", f"damaged ({error})") from error
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError) as error:
        raise ImportFailure(where, "zip", f"cannot be unpacked ({error})") from error


def unpacked_size(path: Path, *, most: int) -> int:
    """The bytes that an archive unpacks to. ImportFailure where these are more than `most` or far
    more than its own, where it has very many members, or is none."""
    return sum(member.file_size for _, member in _plain_members(path, most))


def unpack(path: Path, folder: Path, *, most: int) -> None:
    """Write the files of an archive to a folder, no more than `most` bytes. ImportFailure as for
    `unpacked_size`, and for links, members with a password, names that lead out of the folder, and
    whatever is damaged."""
    with _undamaged(str(path)), zipfile.ZipFile(path) as archive:
        for name, member in _plain_members(path, most):
            target = folder.joinpath(*name.parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as unpacked:
                unpacked.writelines(_pieces(path, archive, member))


def _plain_members(path: Path, most: int) -> list[tuple[PurePosixPath, zipfile.ZipInfo]]:
    """The files of an archive with their names; ImportFailure where it is not to be unpacked."""
    if not zipfile.is_zipfile(path):
        raise ImportFailure(str(path), "zip", "no ZIP file that can be read")
    with _undamaged(str(path)), zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
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
