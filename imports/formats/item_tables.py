"""Tables of outputs by the columns of a study file: a row is an output."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from files.errors import ImportFailure
from files.findings import Findings
from files.readers.detection import detected_form
from files.readers.raw_tables import RawTable, flat_table
from files.readers.streams import Watch, unwatched
from files.reading.judgements import ReadTables
from files.reading.model import Reading, TableReading
from files.skipped import SkippedRecords
from imports.formats.own_columns import OwnColumns
from imports.formats.planned_outputs import PlannedOutputs
from imports.material.questions import OpenBlock, shown_together
from imports.material.records import MaterialEntry
from imports.study_file.item_columns import ItemColumns, filled_columns, refuse_second_text

# The finding that tells how a table was read.
READ_AS = "tables_read"


@dataclass
class ItemTable:
    """One file of outputs, read once.

    columns: what the columns hold, as far as somebody said so. blocks, seed: those of the study,
    which say whether a unit shows one output or several. limit: rows that are read at most, to look
    at the first units.
    """

    path: Path
    columns: ItemColumns
    blocks: Sequence[OpenBlock]
    seed: int = 0
    limit: int | None = None

    def entries(
        self, skipped: SkippedRecords, findings: Findings, watch: Watch = unwatched
    ) -> Iterator[MaterialEntry]:
        """Every entry that can be used: of an output, or of the outputs of a source where units
        show several."""
        table = self._table()
        columns = filled_columns(self.columns, table.names, self.path)
        if shown_together(self.blocks[0], seed=self.seed):
            refuse_second_text(columns.text, table.names, self.path)
        if next(table.rows(), None) is None:
            raise ImportFailure(str(self.path), "rows", "none below the names of the columns")
        own = OwnColumns.of_table(table, columns, self.limit)
        findings.note(READ_AS, f"{self.path.name}: {table.form}")
        read = ReadTables(_reading(table, columns, own), [table], skipped)
        planned = PlannedOutputs(read, self.blocks, self.seed, self.limit)
        yield from planned.entries(watch)
        findings.add(read.findings)
        own.tell(findings)

    def _table(self) -> RawTable:
        stated = {"encoding": self.columns.encoding, "delimiter": self.columns.delimiter}
        form = detected_form(self.path, **stated, head_alone=self.limit is not None)
        return flat_table(self.path, form)


def _reading(table: RawTable, columns: ItemColumns, own: OwnColumns) -> Reading:
    part = TableReading(files=(table.name,), columns=(*columns.readings(), *own.readings()))
    return Reading(tables=(part,), repeated="refused")
