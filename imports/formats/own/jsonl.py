"""Our own records, one per line; see docs/formats.md."""

import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from files.errors import ImportFailure
from files.readers.documents import checked_line
from files.readers.json_values import json_value
from files.readers.streams import RawLine, Watch, lines, opened, unwatched
from files.skipped import SkippedRecords
from imports.formats.contract import AcceptedFiles, Format
from imports.material.records import MaterialEntry, OpeningRecord, Record
from imports.study_file.schema import StudyRecord


class Jsonl(Format):
    """Records of sources, items and units; the first line may describe the study."""

    taken = AcceptedFiles(
        "Our own records",
        "Sources, items and units, a record per line",
        (".jsonl", ".gz"),
        group="",
    )

    def study(self) -> StudyRecord:
        for line in islice(lines(self.input.files[0]), 1):
            if _opens_a_study(line):
                return checked_line(line, OpeningRecord).study
        return StudyRecord()

    def entries(self) -> Iterator[MaterialEntry]:
        for path in self.input.files:
            first = path == self.input.files[0]
            yield from recorded_entries(path, self.skipped, watch=self.input.watch, opening=first)


def recorded_entries(
    path: Path, skipped: SkippedRecords, *, watch: Watch = unwatched, opening: bool = False
) -> Iterator[MaterialEntry]:
    """The entries of a file of records; `opening` allows the study's own record first."""
    return skipped.usable(_record_lines(path, watch, opening=opening), _entry)


def holds_records(path: Path) -> bool:
    """Whether the first line of a file is a record."""
    try:
        first = [json_value(line.text) for line in islice(lines(path), 1)]
    except (ImportFailure, ValueError):
        return False
    return any(isinstance(value, dict) and {"source", "items"} <= value.keys() for value in first)


def is_table(path: Path) -> bool:
    """Whether a file is no file of records: it does not begin with an object of JSON."""
    with opened(path, utf16=True) as stream:
        assert isinstance(stream, io.BufferedReader)
        return stream.peek(64).lstrip()[:1] not in (b"{", b"")


def _record_lines(path: Path, watch: Watch, *, opening: bool) -> Iterator[RawLine]:
    is_empty = True
    for position, line in enumerate(lines(path, watch)):
        if opening and position == 0 and _opens_a_study(line):
            continue
        is_empty = False
        yield line
    if is_empty:
        raise ImportFailure(str(path), "records", "none in this file")


def _opens_a_study(line: RawLine) -> bool:
    return line.raw.lstrip().removeprefix(b"{").lstrip().startswith(b'"study"')


def _entry(line: RawLine) -> MaterialEntry:
    return checked_line(line, Record).entry(line.where)
