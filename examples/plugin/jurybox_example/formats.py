"""A table with one score of a person for a summary in each row."""

from collections.abc import Iterator

from files.readers.tables import TableRow, table_rows
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, Format
from imports.material.records import MaterialEntry, UnitSpec
from imports.study_file.blocks import BlockPart
from imports.study_file.schema import StudyRecord
from tasktypes.slider import SLIDER
from tasktypes.texts.material import Item, Sentence, Source


class ScoredSummaries(Format):
    """One source for each document; one item and one unit for each of its summaries."""

    taken = AcceptedFiles(
        "Scored summaries", "A table: document, system, summary, rater, score", (".csv",)
    )

    def study(self) -> StudyRecord:
        question = {"question": "How good is the summary?", "low": 0, "high": 100}
        return StudyRecord(blocks=(BlockPart(task_type=SLIDER.slug, options=question),))

    def entries(self) -> Iterator[MaterialEntry]:
        seen = set()
        for entry in self.skipped.usable(self._rows(), self._entry):
            if entry.items[0].key not in seen:
                seen.add(entry.items[0].key)
                yield entry

    def answers(self) -> Iterator[AnswerLine]:
        return self.skipped.usable(self._rows(), self._answer)

    def _entry(self, row: TableRow) -> MaterialEntry:
        self._answer(row)  # a record is used whole or not at all
        source = Source(key=row.text("document")[:100], document=row.text("document"))
        sentences = (Sentence(text=row.text("summary")),)
        item = Item(key=self._key(row), system=row.text("system"), sentences=sentences)
        return MaterialEntry(row.where, source, (item,), (UnitSpec(key=item.key, items=(item,)),))

    def _answer(self, row: TableRow) -> AnswerLine:
        return AnswerLine.of(
            row.where,
            unit=self._key(row),
            rater=row.text("rater"),
            kind="human",
            answer={"value": row.number("score")},
        )

    def _key(self, row: TableRow) -> str:
        return f"{row.text('document')[:100]}/{row.text('system')}"

    def _rows(self) -> Iterator[TableRow]:
        for path in self.input.files:
            yield from table_rows(path, self.input.watch)
