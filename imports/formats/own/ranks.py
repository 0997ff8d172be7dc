"""Tables of ranks: one row per item, one column per candidate, 1 the best.

Columns `rater` and `criterion` say whose ranks these are and by what; without the first, each file,
or each sheet of a spreadsheet, is one rater's and called after it.
"""

from collections.abc import Iterator
from pathlib import Path

from files.errors import ImportFailure
from files.readers.streams import Watch, unwatched
from files.readers.tables import TableRow, headings, require_columns, table_rows
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.formats.scales import facet_name
from imports.formats.stand_ins import item_named, source_named
from imports.material.records import MaterialEntry, UnitSpec
from imports.study_file.blocks import BlockPart
from imports.study_file.schema import StudyRecord
from tasktypes.pages.candidates import ORDER_KNOWN
from tasktypes.ranking import RANKING

ITEM, CRITERION = "item", "criterion"
RATER = ("rater", "worker", "annotator")
FACET = "rank"


class Ranks(Format):
    """One source and unit per item; its items are the candidates, in the order of the columns."""

    taken = AcceptedFiles(
        "Ranks",
        "Tables of ranks, a row per item and a column per candidate",
        (".csv", ".xlsx", ".gz"),
        group="published",
    )

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        names = [_names(path) for path in format_input.files]
        for path, columns in zip(format_input.files, names, strict=True):
            require_columns(path, columns, (ITEM,))
            if set(columns) != set(names[0]):
                raise ImportFailure(
                    f"{path}:1", "columns", f"others than in {format_input.files[0]}"
                )
        self._rater = next((name for name in RATER if name in names[0]), "")
        self._criterion = CRITERION if CRITERION in names[0] else ""
        about = (ITEM, self._rater, self._criterion)
        self._candidates = tuple(name for name in names[0] if name not in about)
        if len(self._candidates) < 2:
            raise ImportFailure(
                f"{format_input.files[0]}:1", "columns", "fewer than two candidates"
            )
        self._facets: dict[str, str] = {}

    def study(self) -> StudyRecord:
        """One block per criterion: a person may have ranked an item by one of them only."""
        for criterion, facet in self.skipped.usable(self._rows(), self._facet):
            self._facets.setdefault(criterion, facet)
        if not self._facets:
            raise ImportFailure(str(self.input.files[0]), "ranks", "none in this file")
        # As they were entered: what was published of such tables rests on that.
        blocks = tuple(
            BlockPart(
                task_type=RANKING.slug,
                key=facet,
                options={
                    "criteria": [{"key": facet, "question": f"{criterion.capitalize()}?"}],
                    "numbering": "as_entered",
                },
            )
            for criterion, facet in self._facets.items()
        )
        return StudyRecord(blocks=blocks)

    def entries(self) -> Iterator[MaterialEntry]:
        seen: set[str] = set()
        for entry in self.skipped.usable(self._rows(self.input.watch), self._entry):
            if entry.source.key not in seen:
                seen.add(entry.source.key)
                yield entry

    def answers(self) -> Iterator[AnswerLine]:
        return self.skipped.usable(self._rows(), self._answer)

    def _entry(self, row: TableRow) -> MaterialEntry:
        self._answer(row)
        key = row.text(ITEM)
        items = tuple(item_named(f"{key}/{name}", system=name) for name in self._candidates)
        # The columns stand as somebody wrote them, not as they were shown.
        unit = UnitSpec(key=key, items=items, focus={ORDER_KNOWN: False})
        return MaterialEntry(row.where, source_named(key), items, (unit,))

    def _answer(self, row: TableRow) -> AnswerLine:
        _, facet = self._facet(row)
        return AnswerLine.of(
            row.where,
            unit=row.text(ITEM),
            block=facet,
            rater=self._rater_of(row),
            kind="human",
            answer={"ranks": {facet: [self._rank(row, name) for name in self._candidates]}},
        )

    def _facet(self, row: TableRow) -> tuple[str, str]:
        """The criterion of a row, and the facet named after it."""
        criterion = row.text(self._criterion) if self._criterion else FACET
        return criterion, facet_name(row.where, criterion)

    def _rater_of(self, row: TableRow) -> str:
        if self._rater:
            return row.text(self._rater)
        return row.sheet or row.where.file.name.split(".")[0]

    def _rank(self, row: TableRow, candidate: str) -> int:
        rank, most = row.number(candidate), len(self._candidates)
        if not rank.is_integer() or not 1 <= rank <= most:
            raise ImportFailure(row.where, candidate, f"{rank:g} is not a rank from 1 to {most}")
        return int(rank)

    def _rows(self, watch: Watch = unwatched) -> Iterator[TableRow]:
        for path in self.input.files:
            yield from table_rows(path, watch)


def _names(path: Path) -> tuple[str, ...]:
    """The names of the columns; ImportFailure where a candidate would have none of its own."""
    first, *_ = headings(path).values()
    if first.made_up:
        raise ImportFailure(f"{path}:1", "columns", f"{first.made_up[0]}: give it another name")
    return first.names
