"""What the first part of a file shows, by which the tool that wrote it is told."""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, is_zipfile

import ijson

from files.errors import ImportFailure
from files.readers.streams import opened

# So much of a file is looked at, and so deep.
_HEAD, _DEEPEST = 256 * 1024, 4
_OF_JSON = (b"{", b"[")


@dataclass(frozen=True)
class Signs:
    """keys: the paths of keys met at the beginning of JSON, joined by points, without the places in
    arrays (`results.version`); of other files the names of columns, or of the members of an
    archive."""

    path: Path
    keys: frozenset[str]

    def has(self, *keys: str) -> bool:
        """Whether all of them are there."""
        return self.keys.issuperset(keys)


def signs_of(path: Path) -> Signs:
    """The signs of a file; none where it cannot be read."""
    try:
        return Signs(path, frozenset(_keys(path)))
    except (OSError, ImportFailure, UnicodeDecodeError, BadZipFile):
        return Signs(path, frozenset())


def _keys(path: Path) -> Iterator[str]:
    if path.suffix in (".eval", ".zip") and is_zipfile(path):
        with ZipFile(path) as archive:
            yield from archive.namelist()
        return
    with opened(path) as stream:
        head = stream.read(_HEAD).lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head.startswith(_OF_JSON):
        yield from _columns(head)
        return
    yield from _whole_line(head) or _paths(head)


def _columns(head: bytes) -> Iterator[str]:
    first = head.partition(b"\n")[0].decode("utf-8", "replace")
    delimiter = max(",;\t|", key=first.count)
    yield from (name.strip().strip('"') for name in first.split(delimiter))


def _whole_line(head: bytes) -> list[str]:
    """The paths of keys of the first line, where that is an object by itself."""
    line, _, rest = head.partition(b"\n")
    if not rest.strip().startswith(b"{"):
        return []
    try:
        content = json.loads(line)
    except ValueError:
        return []
    return list(_inside(content, ""))


def _inside(content: Any, at: str) -> Iterator[str]:
    if isinstance(content, dict) and at.count(".") < _DEEPEST:
        for key, value in content.items():
            yield at + key
            yield from _inside(value, f"{at}{key}.")
    elif isinstance(content, list) and content:
        yield from _inside(content[0], at)


def _paths(head: bytes) -> Iterator[str]:
    try:
        for prefix, event, name in ijson.parse(io.BytesIO(head), use_float=True):
            if event == "map_key":
                parts = [part for part in prefix.split(".") if part and part != "item"]
                if len(parts) < _DEEPEST:
                    yield ".".join([*parts, name])
    except (ijson.JSONError, UnicodeDecodeError, ValueError):
        return  # the head ends somewhere in the middle
