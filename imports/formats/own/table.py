"""Any tables: texts, answers or both, as a reading has them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from files.columns.names import OUTPUTS
from files.errors import ImportFailure, OpenQuestion
from files.readers.raw_tables import RawTable, raw_tables
from files.reading.layouts.unwritten import TEXTS
from files.reading.model import Reading
from files.reading.proposals import Stated, proposed
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, FormatInput, Forwarded
from imports.formats.judged_tables import JudgedTables
from imports.formats.own.outputs_table import ItemsTable, stated_block
from imports.formats.planned_outputs import PlannedOutputs
from imports.material.questions import described_blocks
from imports.material.records import MaterialEntry
from imports.study_file.schema import StudyRecord

# Remarks on what each import lists.
_SAID_ANYWAY = ("table", "off-scale", "left-out")


class Tables(Forwarded):
    """A row, a column or a file for each output, rater or criterion: the files say which, or a
    question is open. With answers they make a study with results, else a draft."""

    taken = AcceptedFiles(
        "Any tables",
        "CSV, TSV, XLSX, Parquet or JSON, also several files, a folder or a ZIP",
        (".csv", ".tsv", ".xlsx", ".parquet", ".jsonl", ".json", ".gz", ".zip"),
        group="",
    )

    options = ("columns", "task_type", "reading")

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        stated = format_input.stated or Stated()
        is_open = format_input.reading is None and stated == Stated()
        self._said: list[str] = []
        if format_input.columns or (
            format_input.task_type
            and is_open
            and all(map(_is_flat, format_input.files))
            and not _lack_outputs(format_input.files)
        ):
            self.read_by(ItemsTable(format_input))
        else:
            tables = raw_tables(format_input.files)
            self.reading = format_input.reading or self._proposed(tables, stated)
            kind = JudgedTables if self.reading.answers else _Drafts
            self.read_by(kind(format_input, tables, self.reading))

    @classmethod
    def files_in(cls, folder: Path) -> Sequence[Path]:
        """The folder itself: its name may say something."""
        return (folder,)

    def _proposed(self, tables: Sequence[RawTable], stated: Stated) -> Reading:
        proposal = proposed(tables, stated)
        proposal.refuse_open(str(self.input.files[0]))
        remarks = [each.text for each in proposal.remarks if each.key not in _SAID_ANYWAY]
        self._said = [proposal.sentence, *remarks]
        return proposal.reading

    def summary(self) -> list[str]:
        return self._said


class _Drafts(JudgedTables):
    """Texts that nobody has answered: a draft with one block."""

    def study(self) -> StudyRecord:
        if not self.input.task_type:
            reason = "the files hold no answers: say what is asked about their texts"
            raise OpenQuestion("--task-type", "option", reason)
        self._block = stated_block(self.input)
        return StudyRecord(blocks=(self._block,), group_by=self.reading.group_by)

    def entries(self) -> Iterator[MaterialEntry]:
        blocks = described_blocks((self._block,))
        return PlannedOutputs(self.read, blocks).entries(self.input.watch)

    def answers(self) -> Iterator[AnswerLine]:
        return iter(())


def _lack_outputs(files: Sequence[Path]) -> bool:
    """Whether claims or queries stand alone in them, or may do so."""
    tables = raw_tables(files)
    if {name for table in tables for name in table.names} & {*OUTPUTS["text"]}:
        return False
    try:
        proposal = proposed(tables)
    except ImportFailure:
        return False
    return proposal.reading.are_sources or any(q.key == TEXTS for q in proposal.questions)


def _is_flat(path: Path) -> bool:
    """Whether it is a file: no folder, no archive, and no JSON with objects in objects."""
    if not path.is_file() or path.suffix.lower() == ".zip":
        return False
    tables = raw_tables([path]) if ".json" in path.name.lower() else ()
    return all(len(parts) < 2 for table in tables for parts in table.paths.values())
