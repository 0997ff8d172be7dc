"""Records of a file that is JSON of one form or another, or a table in CSV."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from files.errors import ImportFailure, RecordPlace
from files.readers.documents import array_records, whole_object
from files.readers.json_values import json_value
from files.readers.streams import Member, RawLine, Watch, lines, opened, refuse_nul, unwatched
from files.readers.tables import TableRow, table_rows
from imports.formats.traces.exchanges import value_of

# How much of a file is looked at to see what it is.
_HEAD = 64 * 1024


@dataclass(frozen=True)
class PartRecord:
    """A record within a line or a document that holds several."""

    where: RecordPlace
    value: Any


Record = RawLine | Member | TableRow | PartRecord


def records_of(path: Path, watch: Watch = unwatched) -> Iterator[Record]:
    """Every record: members of an array, the whole of an object, lines of JSON, or rows of CSV."""
    with opened(path) as stream:
        head = stream.read(_HEAD).lstrip()
    if head[:1] == b"[":
        yield from array_records(path, watch)
    elif head[:1] != b"{":
        yield from table_rows(path, watch)
    elif _is_whole(head.partition(b"\n")[0]):
        yield from lines(path, watch)
    else:
        yield PartRecord(RecordPlace(str(path), file=path, raw=None), whole_object(path, watch))


def _is_whole(line: bytes) -> bool:
    """Whether a line is an object by itself; a very long one is taken for one."""
    if len(line) >= _HEAD - 1:
        return True
    try:
        return isinstance(json_value(line), dict)
    except ValueError:
        return line.rstrip()[-1:] == b"}"


def content_of(record: Record) -> Mapping[str, Any]:
    """The object that a record is; ImportFailure where it is none."""
    if isinstance(record, TableRow):
        return {name: value_of(text) for name, text in record.cells.items() if text}
    if isinstance(record, RawLine):
        try:
            value = json_value(record.text)
        except ValueError as error:
            raise ImportFailure(record.where, "JSON", str(error)) from error
    else:
        value = record.value
        if isinstance(record, PartRecord):
            refuse_nul(record.where, json.dumps(value))
    if not isinstance(value, Mapping):
        raise ImportFailure(record.where, "JSON", "not an object")
    return value
