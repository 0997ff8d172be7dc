"""Reading files as streams, compressed or plain, by line or by JSON member."""

import gzip
import hashlib
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import ijson

from annotation.importing.errors import ImportFailure

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    Peekable = io.BufferedReader[Any]

Watch = Callable[[int], object]

LONGEST_LINE = 64 * 1024 * 1024
_GZIP = b"\x1f\x8b"
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
        self._watch = watch

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        read: int = super().readinto(buffer)
        self._watch(read)
        return read


@contextmanager
def opened(path: Path, watch: Watch = unwatched) -> Iterator[IO[bytes]]:
    """The unpacked bytes of a file after any UTF-8 mark; what cannot be read names the file."""
    try:
        with io.BufferedReader(_WatchedFile(path, watch)) as packed:
            yield _after_mark(_unpacked(path, packed), path)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ImportFailure(str(path), "gzip", f"damaged ({error})") from error
    except OSError as error:
        raise ImportFailure(str(path), "file", error.strerror or str(error)) from error


def _unpacked(path: Path, packed: "Peekable") -> "Peekable":
    if packed.peek(2)[:2] == _GZIP:
        return io.BufferedReader(gzip.GzipFile(fileobj=packed))
    if path.suffix == ".gz":
        raise ImportFailure(str(path), "gzip", "the name ends in .gz but this is no gzip file")
    return packed


def _after_mark(stream: "Peekable", path: Path) -> "Peekable":
    head = stream.peek(3)[:3]
    if head.startswith(_UTF16_MARKS):
        raise ImportFailure(str(path), "encoding", "UTF-16; save the file as UTF-8")
    if head == _UTF8_MARK:
        stream.read(3)
    return stream


def lines(path: Path, watch: Watch = unwatched) -> Iterator[tuple[str, str]]:
    """Every line that is not blank, with where it stands (`FILE:LINE`)."""
    with opened(path, watch) as stream:
        number = 0
        while raw := stream.readline(LONGEST_LINE + 1):
            number += 1
            text = _line(f"{path}:{number}", raw)
            if text.strip():
                yield f"{path}:{number}", text


def _line(where: str, raw: bytes) -> str:
    if len(raw) > LONGEST_LINE:
        raise ImportFailure(where, "line", f"longer than {LONGEST_LINE // 2**20} MiB")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ImportFailure(
            where, "encoding", f"not UTF-8 (byte {raw[error.start]:#04x} at {error.start})"
        ) from error
    refuse_nul(where, text)
    return text


def refuse_nul(where: str, text: str) -> None:
    """A NUL character fits into no database text."""
    # The regular expression is slow, and nearly every text passes the quick test.
    if ("\\u0000" in text or "\0" in text) and _NUL.search(text):
        raise ImportFailure(where, "text", "holds a NUL character")


def keyed_records(path: Path, watch: Watch = unwatched) -> Iterator[tuple[str, str, Any]]:
    """(where, key, value) of each member of the one JSON object that a file is."""
    key = ""
    with opened(path, watch) as stream:
        if _first_mark(stream) != b"{":
            raise ImportFailure(str(path), "JSON", "not an object of records")
        try:
            for key, value in ijson.kvitems(stream, "", use_float=True):
                where = f"{path} (record {key})"
                refuse_nul(where, json.dumps(value))
                yield where, key, value
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
