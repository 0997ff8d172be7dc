"""Records of JSON as it is published: a line each, an array, or one object of records, of columns
or of both beside what is said about them."""

import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

import ijson

from files.errors import ImportFailure, RecordPlace
from files.readers.documents import array_records, whole_object
from files.readers.json_values import json_value
from files.readers.objects import LineRecord, ObjectRecord
from files.readers.streams import (
    LONGEST_LINE,
    Watch,
    keyed_records,
    lines,
    opened,
    unwatched,
)

# A document up to this size is read as a whole, which is faster, and knows NaN.
_SMALL = 64 * 1024 * 1024
# The members that tell what an object is.
_FIRST_MEMBERS = 3

# A single object of more plain values holds them by their keys.
_MOST_PLAIN = 30
_LINES = {".jsonl", ".ndjson"}
_OWN_RECORD = {"source", "items"}

KEY, VALUE = "key", "value"


class Keyed(dict[str, Any]):
    """A record with the key under which it stands, beside each other."""


@dataclass(frozen=True)
class PlainRecord:
    """A record of a document that was read as a whole."""

    where: RecordPlace
    value: Any


@dataclass(frozen=True)
class KeyedRecord:
    """A record of an object that has them by their keys."""

    record: ObjectRecord
    key: str

    @property
    def where(self) -> RecordPlace:
        return self.record.where

    @property
    def value(self) -> Any:
        return _with_key(self.key, self.record.value)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise ValueError(f"{counts.most_common(1)[0][0]!r} is given twice")
    return values


def _with_key(key: str, value: Any) -> Keyed:
    return Keyed({KEY: key, VALUE: value})


def is_document(path: Path) -> bool:
    """Whether a file that begins with an object is this object, and not a record on each line."""
    with opened(path) as stream:
        line, following = _next_line(stream), _next_line(stream)
    if following.lstrip().startswith(b"{"):
        return False
    try:
        value = json_value(line)
    except ValueError:
        return True
    return not (following or _LINES & set(path.suffixes) or _is_record(value))


def _is_record(value: Any) -> bool:
    """Whether the only object of a file is one record: one of ours, or of plain values."""
    if value.keys() >= _OWN_RECORD:
        return True
    return len(value) <= _MOST_PLAIN and all(_kind(each) == "plain" for each in value.values())


def _next_line(stream: IO[bytes]) -> bytes:
    """The next line that is not blank, or its beginning."""
    while (line := stream.readline(LONGEST_LINE)) and not line.strip():
        pass
    return line


def line_records(path: Path, watch: Watch = unwatched) -> Iterator[ObjectRecord]:
    """The record on each line, which names no member twice."""
    return (LineRecord(line, _unique) for line in lines(path, watch))


def document_tables(path: Path, watch: Watch = unwatched) -> dict[str, Iterator[ObjectRecord]]:
    """The records of the one value that a file is, by the member that holds them where several do,
    else under "". ImportFailure where it is no JSON."""
    with opened(path) as stream:
        assert isinstance(stream, io.BufferedReader)
        is_array = stream.peek(64).lstrip()[:1] == b"["
    if is_array:
        return {"": _array(path, watch)}
    if _holds_records(path):
        return {"": (KeyedRecord(each, each.key) for each in keyed_records(path, watch))}
    parts = _parts(whole_object(path, watch, with_nan=True))
    return {name: _plain(path, records) for name, records in parts.items()}


def _plain(path: Path, records: Sequence[Any]) -> Iterator[ObjectRecord]:
    for number, value in enumerate(records):
        yield PlainRecord(RecordPlace(f"{path} (record {number})", file=path, raw=value), value)


def _array(path: Path, watch: Watch) -> Iterator[ObjectRecord]:
    with opened(path) as stream:
        text = stream.read(_SMALL + 1)
    if len(text) > _SMALL:
        yield from array_records(path, watch)
        return
    watch(path.stat().st_size)
    try:
        values = json_value(text)
    except json.JSONDecodeError as error:
        raise ImportFailure(f"{path}:{error.lineno}", "JSON", error.msg) from error
    except UnicodeDecodeError as error:
        raise ImportFailure(str(path), "encoding", "not UTF-8") from error
    except ValueError as error:
        raise ImportFailure(str(path), "JSON", str(error)) from error
    yield from _plain(path, values)


def _holds_records(path: Path) -> bool:
    """Whether the first members of the object that a file is are records of one kind."""
    with opened(path) as stream:
        try:
            first = list(islice(ijson.kvitems(stream, "", use_float=True), _FIRST_MEMBERS))
        except (ijson.JSONError, UnicodeDecodeError):
            return False  # told where the whole is read
    values = [value for _, value in first]
    return len(values) > 1 and _are_alike(values) and not all(map(_is_numbered, values))


def _are_alike(values: Sequence[Any]) -> bool:
    """Whether values are objects with the same keys, or with values of the same kind."""
    if not all(isinstance(value, dict) and value for value in values):
        return False
    kinds = {_kind(part) for value in values for part in value.values()}
    return len(kinds) == 1 or _share_keys(values)


def _share_keys(values: Sequence[Mapping[str, Any]]) -> bool:
    shared, every = set.intersection(*map(set, values)), set.union(*map(set, values))
    return len(shared) * 2 >= len(every)


def _kind(value: Any) -> str:
    return "object" if isinstance(value, dict) else "list" if isinstance(value, list) else "plain"


def _is_numbered(value: Any) -> bool:
    """Whether the keys of an object are the numbers of rows: pandas writes columns so."""
    return isinstance(value, dict) and all(key == str(n) for n, key in enumerate(value))


def _parts(value: Mapping[str, Any]) -> Mapping[str, Sequence[Any]]:
    """The records of an object by the member that holds them."""
    if columns := _columns(value):
        return {
            "": [
                dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
            ]
        }
    are_plain = all(_kind(each) == "plain" for each in value.values())
    if are_plain or len(value) > max(_lengths(value), default=len(value)):
        return {"": [_with_key(name, each) for name, each in value.items()]}
    members = {name: rows for name, each in value.items() if (rows := _records_in(each))}
    nested = {name for name, each in value.items() if isinstance(each, dict)}
    about = {name: each for name, each in value.items() if name not in members}
    if not members and len(nested) == 1:
        (name,) = nested
        rest = {other: each for other, each in value.items() if other != name}
        inner = _parts(value[name])
        return {part: [_beside(rest, row) for row in rows] for part, rows in inner.items()}
    if len(members) == 1:
        return {"": [_beside(about, row) for rows in members.values() for row in rows]}
    if members and _share_keys([rows[0] for rows in members.values()]):
        keyed = [_with_key(name, row) for name, rows in members.items() for row in rows]
        return {"": [_beside(about, row) for row in keyed]}
    return members or {"": [value]}


def _columns(value: Mapping[str, Any]) -> dict[str, Sequence[Any]]:
    """The columns that an object holds by their names; none where it holds something else."""
    names, rows = value.get("columns"), value.get("data")
    if isinstance(names, list) and isinstance(rows, list):  # as pandas splits a table
        if all(isinstance(row, list) and len(row) == len(names) for row in rows):
            return dict(zip(map(str, names), zip(*rows, strict=True), strict=False))
        return {}
    columns = {
        name: list(each.values()) if _is_numbered(each) else each for name, each in value.items()
    }
    lengths = _lengths(columns)
    return columns if len(set(lengths)) == 1 and lengths[0] >= len(columns) > 1 else {}


def _lengths(value: Mapping[str, Any]) -> list[int]:
    """The lengths of members all of which are lists; else none."""
    are_lists = all(isinstance(each, list) for each in value.values())
    return [len(each) for each in value.values()] if are_lists else []


def _records_in(value: Any) -> list[Any]:
    """The records that a member holds; none where it holds something else."""
    if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        return value
    is_of_objects = isinstance(value, dict) and len(value) > 1 and _are_alike(list(value.values()))
    return [_with_key(key, each) for key, each in value.items()] if is_of_objects else []


def _beside(about: Mapping[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    rest = {f"{name} (2)" if name in row else name: each for name, each in about.items()}
    return type(row)({**rest, **row})
