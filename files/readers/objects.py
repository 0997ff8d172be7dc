"""Records that are objects of JSON: an array, a line each, or the rows of a Parquet file."""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from files.errors import ImportFailure, RecordPlace
from files.readers.documents import array_records
from files.readers.json_values import json_value
from files.readers.parquet import PARQUET, parquet_columns, parquet_rows
from files.readers.streams import RawLine, Watch, lines, opened, refuse_nul, unwatched


class ObjectRecord(Protocol):
    """A record; its value is read where somebody asks for it."""

    @property
    def where(self) -> RecordPlace: ...

    @property
    def value(self) -> Any: ...


@dataclass(frozen=True)
class LineRecord:
    """A record that is a line of JSON. pairs: makes an object of its members; ValueError where they
    are none."""

    line: RawLine
    pairs: Callable[[list[tuple[str, Any]]], dict[str, Any]] | None = None

    @property
    def where(self) -> RecordPlace:
        return self.line.where

    @property
    def value(self) -> Any:
        """Its value; ImportFailure where it is no JSON."""
        try:
            return json_value(self.line.text.rstrip(), object_pairs_hook=self.pairs)
        except json.JSONDecodeError as error:
            reason = f"{error.msg} at column {error.colno}"
            raise ImportFailure(self.where, "JSON", reason) from error
        except ValueError as error:
            raise ImportFailure(self.where, "JSON", str(error)) from error


@dataclass(frozen=True)
class RowRecord:
    """A record that is a row of a table."""

    where: RecordPlace

    @property
    def value(self) -> Any:
        refuse_nul(self.where, json.dumps(self.where.raw, default=str))
        return self.where.raw


def object_records(path: Path, watch: Watch = unwatched) -> Iterator[ObjectRecord]:
    """Every record of a file, whichever of the three it is."""
    with opened(path) as stream:
        assert isinstance(stream, io.BufferedReader)
        head = stream.peek(64).lstrip()
    if head.startswith(b"["):
        yield from array_records(path, watch)
    elif head.startswith(PARQUET):
        yield from row_records(path)
        watch(path.stat().st_size)
    else:
        yield from map(LineRecord, lines(path, watch))


def object_of(record: ObjectRecord) -> Mapping[str, Any]:
    """The value of a record that is to be an object; ImportFailure where it is none."""
    value = record.value
    if not isinstance(value, Mapping):
        raise ImportFailure(record.where, "record", "not an object")
    return value


def row_records(path: Path) -> Iterator[RowRecord]:
    """Every row of a Parquet file."""
    names = parquet_columns(path)
    for number, values in enumerate(parquet_rows(path), start=1):
        row = dict(zip(names, values, strict=True))
        yield RowRecord(RecordPlace(f"{path} (row {number})", file=path, raw=row))
