"""Our own records, one per line; see docs/formats.md."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from annotation.importing.errors import ImportFailure
from annotation.importing.files.streams import Watch, lines, unwatched
from annotation.importing.formats.contract import Format
from annotation.importing.material.records import Entry, OpeningRecord, Record
from annotation.importing.study_file.schema import StudyRecord

R = TypeVar("R", bound=BaseModel)


class Jsonl(Format):
    """Records of sources, items and units; the first line may describe the study."""

    def study(self) -> StudyRecord:
        for where, line in islice(lines(self.input.files[0]), 1):
            if _opens_a_study(line):
                return _read(where, line, OpeningRecord).study
        return StudyRecord()

    def entries(self) -> Iterator[Entry]:
        for path in self.input.files:
            first = path == self.input.files[0]
            yield from recorded_entries(path, watch=self.input.watch, opening=first)


def recorded_entries(
    path: Path, *, watch: Watch = unwatched, opening: bool = False
) -> Iterator[Entry]:
    """The entries of a file of records; `opening` allows the study's own record first."""
    read = 0
    for position, (where, line) in enumerate(lines(path, watch)):
        if opening and position == 0 and _opens_a_study(line):
            continue
        read += 1
        yield _read(where, line, Record).entry(where)
    if not read:
        raise ImportFailure(str(path), "records", "none in this file")


def _opens_a_study(line: str) -> bool:
    return line.lstrip().removeprefix("{").lstrip().startswith('"study"')


def _read(where: str, line: str, schema: type[R]) -> R:
    try:
        return schema.model_validate_json(line)
    except ValueError as error:
        raise ImportFailure.of(where, error) from error
