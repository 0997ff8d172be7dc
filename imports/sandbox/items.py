"""The entries of a file of items, read here or in a process of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from files.findings import Findings
from files.readers.streams import Watch, unwatched
from files.skipped import SkippedRecords
from imports.formats.item_tables import ItemTable
from imports.formats.own.jsonl import is_table, recorded_entries
from imports.material.questions import OpenBlock
from imports.material.records import MaterialEntry
from imports.sandbox.calls import stream_apart
from imports.sandbox.limits import Limits
from imports.sandbox.notes import BytesRead, SentSkips, without_notes
from imports.sandbox.process import Send
from imports.study_file.item_columns import ItemColumns


@dataclass(frozen=True)
class ItemFile:
    """A file of items and how it is read. columns: None for records, or a table with customary
    names. blocks, seed: of the study."""

    path: Path
    columns: ItemColumns | None
    blocks: Sequence[OpenBlock]
    seed: int

    def entries(
        self, skipped: SkippedRecords, findings: Findings, watch: Watch = unwatched
    ) -> Iterator[MaterialEntry]:
        """Every entry that can be used."""
        if self.columns is None and not is_table(self.path):
            return recorded_entries(self.path, skipped, watch=watch)
        table = ItemTable(self.path, self.columns or ItemColumns(), self.blocks, self.seed)
        return table.entries(skipped, findings, watch)

    def entries_apart(
        self, limits: Limits, skipped: SkippedRecords, findings: Findings, watch: Watch
    ) -> Iterator[MaterialEntry]:
        """The same, read in a process of its own."""
        told = stream_apart(
            _read, self.path, self, skipped.strict, limits=limits, tick=skipped.after_record
        )
        for value in without_notes(told, watch, skipped):
            if isinstance(value, Findings):
                findings.add(value)
            else:
                yield value


def _read(send: Send, _path: Path, file: ItemFile, strict: bool) -> None:
    """Send the entries, and what is odd about the file."""
    skipped, findings = SentSkips(send, strict=strict), Findings()
    for entry in file.entries(skipped, findings, lambda n: send(BytesRead(n))):
        send(entry)
    skipped.send_counts()
    send(findings)
