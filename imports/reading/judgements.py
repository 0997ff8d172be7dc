"""Rows of tables as units and answers, under a reading."""

from collections.abc import Iterator, Sequence

from imports.readers.raw_tables import RawTable
from imports.readers.streams import Watch, unwatched
from imports.reading.model import Counts, Reading
from imports.reading.records import ReadAnswer, ReadUnit
from imports.skipped import SkippedRecords


class ReadTables:
    """Tables under a reading, read as streams as often as asked. ImportFailure where a column of
    the reading is missing, or a file fits no table of it."""

    def __init__(
        self, reading: Reading, tables: Sequence[RawTable], skipped: SkippedRecords | None = None
    ) -> None:
        raise NotImplementedError

    def units(self, watch: Watch = unwatched) -> Iterator[ReadUnit]:
        """Each unit once, in the order of the files."""
        raise NotImplementedError

    def answers(self, watch: Watch = unwatched) -> Iterator[ReadAnswer]:
        """Every answer, in the order of the files; after the units where both are wanted."""
        raise NotImplementedError

    def counts(self, limit: int | None = None) -> Counts:
        """What the first `limit` rows of each table hold, or all."""
        raise NotImplementedError
