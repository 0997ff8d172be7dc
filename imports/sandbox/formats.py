"""Files of any format, read in a process of its own and written here."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from files.errors import well_formed
from files.findings import Findings
from files.readers.first_reads import first_reads
from files.readers.streams import unwatched
from files.skipped import SkippedRecords
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.material.records import MaterialEntry
from imports.sandbox.calls import stream_apart
from imports.sandbox.limits import Limits
from imports.sandbox.notes import BytesRead, FirstRead, SentSkips, without_notes
from imports.sandbox.process import Send
from imports.study_file.schema import StudyRecord


@dataclass(frozen=True)
class _End:
    """The end of the entries."""


@dataclass(frozen=True)
class _Rest:
    """What a format tells after all entries and answers."""

    findings: Findings
    published: list[dict[str, Any]]
    told: dict[str, Any]
    summary: list[str]


class FormatApart(Format):
    """A format whose files are read in a process of its own."""

    taken = AcceptedFiles("", "", group="")

    def __init__(self, kind: type[Format], format_input: FormatInput, limits: Limits) -> None:
        super().__init__(format_input)
        plain = SkippedRecords(strict=self.skipped.strict)
        asked = replace(format_input, watch=unwatched, skipped=plain)
        self._process = stream_apart(
            _read, asked.files[0], kind, asked, limits=limits, tick=self.skipped.after_record
        )
        self._told = without_notes(self._process, format_input.watch, self.skipped)

    def study(self) -> StudyRecord:
        described: StudyRecord
        described, self.names_accounts = next(self._told)
        return described

    def entries(self) -> Iterator[MaterialEntry]:
        while not isinstance(entry := next(self._told), _End):
            yield entry

    def answers(self) -> Iterator[AnswerLine]:
        # Those of records that the study could not take are read as well.
        left_out = self.skipped.places
        while not isinstance(answer := next(self._told), _Rest):
            if answer.where not in left_out:
                yield answer
        self._rest = answer
        self.findings.add(answer.findings)
        # The process is told by this that nobody waits for more.
        next(self._told, None)

    def published(self) -> list[dict[str, Any]]:
        return self._rest.published

    def told(self) -> dict[str, Any]:
        return self._rest.told

    def summary(self) -> list[str]:
        return self._rest.summary

    def close(self) -> None:
        self._process.close()


def _read(send: Send, file: Path, kind: type[Format], format_input: FormatInput) -> None:
    """Send the study, its entries, its answers and the rest."""
    skipped = SentSkips(send, strict=format_input.skipped.strict)
    own = replace(format_input, skipped=skipped, watch=lambda n: send(BytesRead(n)))
    with first_reads(lambda n: send(FirstRead(n))), well_formed(file):
        source = kind(own)
        send((source.study(), source.names_accounts))
        for entry in source.entries():
            send(entry)
        send(_End())
        for answer in source.answers():
            send(answer)
        skipped.send_counts()
        send(_Rest(source.findings, source.published(), source.told(), source.summary()))
