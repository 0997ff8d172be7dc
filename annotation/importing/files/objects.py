"""Records that are objects of JSON: an array, a line each, or the rows of a Parquet file."""

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from annotation.importing.errors import ImportFailure, RecordPlace
from annotation.importing.files.documents import array_records
from annotation.importing.files.first_reads import note_read
from annotation.importing.files.streams import Line, Watch, lines, opened, refuse_nul, unwatched

_PARQUET, _AT_ONCE = b"PAR1", 1000


class ObjectRecord(Protocol):
    """A record; its value is read where somebody asks for it."""

    @property
    def where(self) -> RecordPlace: ...

    @property
    def value(self) -> Any: ...


@dataclass(frozen=True)
class LineRecord:
    """A record that is a line of JSON."""

    line: Line

    @property
    def where(self) -> RecordPlace:
        return self.line.where

    @property
    def value(self) -> Any:
        """Its value; ImportFailure where it is no JSON."""
        try:
            return json.loads(self.line.text)
        except json.JSONDecodeError as error:
            reason = f"{error.msg} at column {error.colno}"
            raise ImportFailure(self.where, "JSON", reason) from error


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
    elif head.startswith(_PARQUET):
        yield from _rows(path)
        watch(path.stat().st_size)
    else:
        yield from map(LineRecord, lines(path, watch))


def object_of(record: ObjectRecord) -> Mapping[str, Any]:
    """The value of a record that is to be an object; ImportFailure where it is none."""
    value = record.value
    if not isinstance(value, Mapping):
        raise ImportFailure(record.where, "record", "not an object")
    return value


def _rows(path: Path) -> Iterator[RowRecord]:
    import polars

    try:
        frame, number, size = polars.scan_parquet(path), 0, path.stat().st_size
        n_rows = int(frame.select(polars.len()).collect().item())
        while True:
            rows = frame.slice(number, _AT_ONCE).collect().to_dicts()
            for row in rows:
                number += 1
                yield RowRecord(RecordPlace(f"{path} (row {number})", file=path, raw=row))
            note_read(path, size * number // max(n_rows, 1))
            if len(rows) < _AT_ONCE:
                return
    except (polars.exceptions.PolarsError, OSError) as error:
        raise ImportFailure(str(path), "file", "no Parquet file that can be read") from error
