"""Reading files as streams, compressed or plain, by line or by JSON member."""

import gzip
import hashlib
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import ijson

from files.errors import ImportFailure, RecordPlace
from files.readers.first_reads import note_read
from files.readers.json_values import NestedTooDeeply, refuse_deep

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    Peekable = io.BufferedReader[Any]

Watch = Callable[[int], object]

LONGEST_LINE = 64 * 1024 * 1024
# Of a document that is read as a whole, unpacked. As objects it takes up to ten times as much.
LARGEST_DOCUMENT = 512 * 1024 * 1024
_GZIP = b"\x1f\x8b"
_PIECE = 2**20
# Texts shrink to a third or a tenth, monotonous ones to a fiftieth.
_MOST_SHRUNK, _SMALL = 200, 64 * 1024 * 1024
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# PostgreSQL stores no such character, in text or in JSON.
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000|\x00")


def unwatched(_: int) -> None:
    """A Watch for callers that show no progress."""


class _WatchedFile(io.FileIO):
    """A file that reports the bytes read, as they are on disk (compressed)."""

    def __init__(self, path: Path, watch: Watch) -> None:
        super().__init__(path)
        self._path, self._watch = path, watch

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        read: int = super().readinto(buffer)
        self._watch(read)
        note_read(self._path, self.tell())
        return read


@contextmanager
def opened(path: Path, watch: Watch = unwatched, *, utf16: bool = False) -> Iterator[IO[bytes]]:
    """The unpacked bytes of a file after any UTF-8 mark; what cannot be read names the file.
    utf16: for a caller that reads this encoding too, by the mark that it begins with."""
    try:
        with io.BufferedReader(_WatchedFile(path, watch)) as packed:
            yield _after_mark(_unpacked(path, packed), path, utf16)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ImportFailure(str(path), "gzip", f"damaged ({error})") from error
    except OSError as error:
        raise ImportFailure(str(path), "file", error.strerror or str(error)) from error


class _Unpacked(gzip.GzipFile):
    """Unpacks, unless the file says little at great length."""

    def __init__(self, path: Path, packed: "Peekable") -> None:
        super().__init__(fileobj=packed)
        self._path, self._packed_size, self._out = path, path.stat().st_size, 0

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        read: int = super().readinto(buffer)
        self._out += read
        if self._out > _SMALL and self._out > self._packed_size * _MOST_SHRUNK:
            reason = f"unpacks to more than {_MOST_SHRUNK} times its size: refused"
            raise ImportFailure(str(self._path), "gzip", reason)
        return read


def _unpacked(path: Path, packed: "Peekable") -> "Peekable":
    if packed.peek(2)[:2] == _GZIP:
        return io.BufferedReader(_Unpacked(path, packed))
    if path.suffix == ".gz":
        raise ImportFailure(str(path), "gzip", "the name ends in .gz but this is no gzip file")
    return packed


def _after_mark(stream: "Peekable", path: Path, utf16: bool) -> "Peekable":
    head = stream.peek(3)[:3]
    if head.startswith(_UTF16_MARKS) and not utf16:
        raise ImportFailure(str(path), "encoding", "UTF-16; save the file as UTF-8")
    if head == _UTF8_MARK:
        stream.read(3)
    return stream


def whole(stream: IO[bytes], where: str, most: int) -> bytes:
    """Everything in a stream; ImportFailure where that is more than so many bytes. By pieces, since
    Python would set aside at once what it is asked for."""
    content = bytearray()
    while piece := stream.read(_PIECE):
        content += piece
        if len(content) > most:
            raise ImportFailure(where, "file", f"unpacks to more than {most // 2**20} MiB: refused")
    return bytes(content)


@dataclass(frozen=True)
class RawLine:
    """A line of a file, as bytes until somebody reads it."""

    where: RecordPlace
    raw: bytes

    @property
    def text(self) -> str:
        """Its text; ImportFailure where it has none that could be stored."""
        if len(self.raw) > LONGEST_LINE:
            raise ImportFailure(self.where, "line", f"longer than {LONGEST_LINE // 2**20} MiB")
        try:
            text = self.raw.decode("utf-8")
        except UnicodeDecodeError as error:
            reason = f"not UTF-8 (byte {self.raw[error.start]:#04x} at {error.start})"
            raise ImportFailure(self.where, "encoding", reason) from error
        refuse_nul(self.where, text)
        return text


@dataclass(frozen=True)
class Member:
    """A member of the JSON document that a file is: `key` is its name, or its number."""

    where: RecordPlace
    key: str

    @property
    def value(self) -> Any:
        """Its value; ImportFailure where it could not be stored."""
        try:
            refuse_deep(self.where.raw)
        except NestedTooDeeply as error:
            raise ImportFailure(self.where, "JSON", str(error)) from error
        refuse_nul(self.where, json.dumps([self.key, self.where.raw]))
        return self.where.raw


def lines(path: Path, watch: Watch = unwatched) -> Iterator[RawLine]:
    """Every line that is not blank."""
    with opened(path, watch) as stream:
        number = 0
        while raw := stream.readline(LONGEST_LINE + 1):
            number += 1
            if len(raw) > LONGEST_LINE:
                _pass_line(stream)
            if raw.strip():
                yield RawLine(RecordPlace(f"{path}:{number}", file=path, raw=raw), raw)


def _pass_line(stream: IO[bytes]) -> None:
    """Go on to the end of a line, without keeping it."""
    while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass


def refuse_nul(where: str, text: str) -> None:
    """A NUL character fits into no database text."""
    # The regular expression is slow, and nearly every text passes the quick test.
    if ("\\u0000" in text or "\0" in text) and _NUL.search(text):
        raise ImportFailure(where, "text", "holds a NUL character")


def keyed_records(path: Path, watch: Watch = unwatched) -> Iterator[Member]:
    """Each member of the one JSON object that a file is."""
    key = ""
    with opened(path, watch) as stream:
        if _first_mark(stream) != b"{":
            raise ImportFailure(str(path), "JSON", "not an object of records")
        try:
            for key, value in ijson.kvitems(stream, "", use_float=True):
                yield Member(RecordPlace(f"{path} (record {key})", file=path, raw=value), key)
        except (ijson.JSONError, UnicodeDecodeError) as error:
            after = f"after record {key}" if key else "in the first record"
            reason = str(error).splitlines()[0]
            raise ImportFailure(f"{path} ({after})", "JSON", reason) from error


def _first_mark(stream: IO[bytes]) -> bytes:
    """The first byte that is not white space, left in the stream."""
    assert isinstance(stream, io.BufferedReader)
    return stream.peek(64).lstrip()[:1]


def fingerprint(path: Path) -> str:
    """SHA-256 of the file as it lies on disk."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while block := stream.read(2**20):
                digest.update(block)
    except OSError as error:
        raise ImportFailure(str(path), "file", error.strerror or str(error)) from error
    return digest.hexdigest()
