"""Tables of outputs: the items of a new study, for people and judges to answer about."""

from collections.abc import Iterator

from files.errors import ImportFailure
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.formats.item_tables import ItemTable
from imports.material.questions import described_blocks
from imports.material.records import MaterialEntry
from imports.study_file.blocks import BlockPart
from imports.study_file.item_columns import read_item_columns
from imports.study_file.schema import StudyRecord


def stated_block(format_input: FormatInput) -> BlockPart:
    """What is asked about texts without answers; ImportFailure where there is no such kind."""
    try:
        return BlockPart(task_type=format_input.task_type)
    except ValueError as error:
        raise ImportFailure.of("--task-type", error) from error


class ItemsTable(Format):
    """One source per document, claim or query, one item per row; the units are planned"""

    taken = AcceptedFiles(
        "Table of outputs",
        "CSV, TSV, XLSX, Parquet or JSON lines, a row for each output",
        (".csv", ".tsv", ".xlsx", ".parquet", ".jsonl"),
        group="",
    )

    options = ("columns", "task_type")
    needs = ("task_type",)

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        self._block = stated_block(format_input)

    def study(self) -> StudyRecord:
        return StudyRecord(blocks=(self._block,))

    def entries(self) -> Iterator[MaterialEntry]:
        columns, blocks = read_item_columns(self.input.columns), described_blocks((self._block,))
        for path in self.input.files:
            table = ItemTable(path, columns, blocks)
            yield from table.entries(self.skipped, self.findings, self.input.watch)
