"""Tables of outputs: the items of a new study, for people and judges to answer about."""

from collections.abc import Iterator

from annotation.models import Block
from files.errors import ImportFailure
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.formats.item_tables import ItemTable
from imports.material.questions import OpenBlock
from imports.material.records import MaterialEntry
from imports.study_file.blocks import BlockPart
from imports.study_file.item_columns import read_item_columns
from imports.study_file.schema import StudyRecord


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
        try:
            self._block = BlockPart(task_type=format_input.task_type)
        except ValueError as error:
            raise ImportFailure.of("--task-type", error) from error

    def study(self) -> StudyRecord:
        return StudyRecord(blocks=(self._block,))

    def entries(self) -> Iterator[MaterialEntry]:
        columns = read_item_columns(self.input.columns)
        for path in self.input.files:
            table = ItemTable(
                path, columns, _open(self._block), self.skipped, self.findings, self.input.watch
            )
            yield from table.entries()


def _open(part: BlockPart) -> tuple[OpenBlock, ...]:
    """The block before the study stands, to see what it makes of an output."""
    row = Block(task_type_slug=part.task_type, options=part.full_options, key=part.task_type)
    return (OpenBlock.of(row),)
