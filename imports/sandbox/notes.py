"""What a process that reads a file tells beside the records: bytes read, and records left out."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from files.errors import ImportFailure
from files.readers.first_reads import note_first_read
from files.readers.streams import Watch
from files.skipped import SkippedRecords
from imports.sandbox.process import Send


class Note(Protocol):
    """Something that is told again where the process was asked."""

    def tell(self, watch: Watch, skipped: SkippedRecords) -> None: ...


@dataclass(frozen=True)
class BytesRead:
    """So many more bytes were read."""

    number: int

    def tell(self, watch: Watch, skipped: SkippedRecords) -> None:
        watch(self.number)


@dataclass(frozen=True)
class FirstRead:
    """So many of them for the first time."""

    number: int

    def tell(self, watch: Watch, skipped: SkippedRecords) -> None:
        note_first_read(self.number)


@dataclass(frozen=True)
class LeftOut:
    """A record, a part of one or an answer that cannot be used. of: where the record stands."""

    what: str
    failure: ImportFailure
    of: str = ""

    def tell(self, watch: Watch, skipped: SkippedRecords) -> None:
        if self.what == "part":
            skipped.skip_part(self.failure)
        elif self.what == "answer":
            skipped.skip_answer(self.failure)
        else:
            skipped.skip(self.failure, of=self.of)


@dataclass(frozen=True)
class RecordsRead:
    """How many records there were, by file."""

    numbers: Counter[Path]

    def tell(self, watch: Watch, skipped: SkippedRecords) -> None:
        skipped.read.update(self.numbers)


class SentSkips(SkippedRecords):
    """Sends what it leaves out to where the process was asked."""

    def __init__(self, send: Send, *, strict: bool) -> None:
        super().__init__(strict=strict)
        self._send = send

    def skip(self, failure: ImportFailure, *, of: str = "") -> None:
        super().skip(failure, of=of)
        self._send(LeftOut("record", failure, of))

    def skip_part(self, failure: ImportFailure) -> None:
        super().skip_part(failure)
        self._send(LeftOut("part", failure))

    def skip_answer(self, failure: ImportFailure) -> None:
        super().skip_answer(failure)
        self._send(LeftOut("answer", failure))

    def send_counts(self) -> None:
        """Send how many records were read, after all of them."""
        self._send(RecordsRead(self.read))


NOTES = (BytesRead, FirstRead, LeftOut, RecordsRead)


def without_notes(told: Iterable[Any], watch: Watch, skipped: SkippedRecords) -> Iterator[Any]:
    """The values that are no notes; these are told on."""
    for value in told:
        if isinstance(value, NOTES):
            value.tell(watch, skipped)
        else:
            yield value
