"""What the tests of rows share: tables written to files, and read under a reading in YAML."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from files.readers.raw_tables import raw_tables
from files.reading.judgements import ReadTables
from files.reading.model import Reading
from files.skipped import SkippedRecords


@dataclass
class Files:
    """A folder for the files of one test."""

    folder: Path

    def read(self, reading: str, files: Mapping[str, str], *, strict: bool = False) -> ReadTables:
        """The tables of these files under the reading."""
        paths = []
        for name, text in files.items():
            path = self.folder / name
            path.write_text(text.strip() + "\n", encoding="utf-8")
            paths.append(path)
        value = Reading.model_validate(yaml.safe_load(reading))
        return ReadTables(value, raw_tables(paths), SkippedRecords(strict=strict, folders=False))


def given(tables: ReadTables) -> list[tuple[str, str, str, object]]:
    """(unit, rater, criterion, value) of every answer."""
    return [(a.unit, a.rater, a.criterion, a.value) for a in tables.answers()]


def listed(tables: ReadTables) -> list[str]:
    """What was left out, when all was read."""
    list(tables.answers())
    return list(map(str, tables.skipped.listed))
