"""Any tables: texts, answers or both, as a reading has them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from files.columns.names import holds_accounts
from files.errors import ImportFailure
from files.readers.raw_tables import RawTable, raw_tables
from files.reading.judgements import ReadTables
from files.reading.model import AnswersReading, Holds, Reading
from files.reading.proposals import Stated, proposed
from files.reading.records import ReadAnswer
from files.reading.rows.values import NO, YES, AnswerWords
from imports.answer_lines import AnswerLine
from imports.formats.contract import AcceptedFiles, Format, FormatInput
from imports.formats.criteria import CriterionMeasures
from imports.formats.facet_names import FacetNames, question
from imports.formats.own.outputs_table import ItemsTable
from imports.formats.read_units import planned_entries, unit_entry
from imports.formats.scales import (
    Measure,
    ObservedValues,
    RawRating,
    between,
    measure_of,
    nominal,
    preference,
)
from imports.material.metadata import typed_cells
from imports.material.questions import described_blocks
from imports.material.records import MaterialEntry
from imports.study_file.blocks import BlockPart
from imports.study_file.schema import StudyRecord

# Beside the only label that occurs, so that there is something to choose.
_ANOTHER = "another"
READ_AS = "tables_read"
# Remarks on what each import lists.
_SAID_ANYWAY = ("table", "off-scale", "left-out")


class Tables(Format):
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
        if format_input.columns or (
            format_input.task_type and is_open and all(map(_is_flat, format_input.files))
        ):
            self._outputs: ItemsTable | None = ItemsTable(format_input)
            self.findings = self._outputs.findings
            return
        self._outputs = None
        tables = raw_tables(format_input.files)
        self._said: list[str] = []
        self.reading = format_input.reading or self._proposed(tables, stated)
        self._read = ReadTables(self.reading, tables, self.skipped)
        self.findings = self._read.findings
        self._tell(tables)
        self._facets = FacetNames()
        self._measures = CriterionMeasures(str(format_input.files[0]), self._facet, self._measure)
        self._known: set[tuple[str, str]] = set()

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

    def _tell(self, tables: Sequence[RawTable]) -> None:
        for table in tables:
            for note in table.notes:
                self.findings.note(READ_AS, f"{table.name}: {note}")

    @cached_property
    def _drafts(self) -> BlockPart | None:
        """What is asked about texts that nobody has answered."""
        if self.reading.answers:
            return None
        if not self.input.task_type:
            reason = "the files hold no answers: say what is asked about their texts"
            raise ImportFailure("--task-type", "option", reason)
        try:
            return BlockPart(task_type=self.input.task_type)
        except ValueError as error:
            raise ImportFailure.of("--task-type", error) from error

    def study(self) -> StudyRecord:
        if self._outputs:
            return self._outputs.study()
        if self._drafts:
            return StudyRecord(blocks=(self._drafts,))
        sizes: dict[int, ReadAnswer] = {}
        for unit, answer in self._read.judgements():
            sizes.setdefault(len(unit.outputs), answer)
            self._refuse_names(answer)
            self._measures.observe(answer.criterion, _machine(answer), answer.value)
        self._refuse_mixed(sizes)
        if not self._measures.criteria:
            raise ImportFailure(str(self.input.files[0]), "answers", "none in these files")
        self.names_accounts = self._are_accounts()
        return StudyRecord(blocks=self._measures.blocks())

    def entries(self) -> Iterator[MaterialEntry]:
        if self._outputs:
            yield from self._outputs.entries()
            return
        if self._drafts:
            yield from planned_entries(
                self._read, described_blocks((self._drafts,)), self.input.watch
            )
            return
        units = self._read.units(self.input.watch)
        yield from self.skipped.usable(units, lambda unit: unit_entry(unit, self._is_turned))

    def answers(self) -> Iterator[AnswerLine]:
        if self._outputs or self._drafts:
            return iter(())
        return map(self._line, self._read.answers())

    def told(self) -> dict[str, Any]:
        if self._outputs:
            return {}
        return {"reading": self.reading.model_dump(mode="json", exclude_defaults=True)}

    def summary(self) -> list[str]:
        return [] if self._outputs else self._said

    def _is_turned(self, unit: str) -> bool:
        return unit in self._read.shown_both_ways

    def _line(self, answer: ReadAnswer) -> AnswerLine:
        measure = self._measures.of(answer.criterion, _machine(answer))
        return AnswerLine(  # of fields that `_refuse_names` has looked at
            answer.where,
            unit=answer.unit,
            block=measure.block.key or measure.block.task_type,
            rater=answer.rater,
            kind=answer.kind,
            answer=measure.answer(_written(answer.value, measure)),
            replicate=answer.replicate,
            reasons=(answer.reason,) if answer.reason else (),
            metadata=typed_cells(answer.kept),
            rater_metadata=typed_cells(answer.rater_kept) if answer.kind == "human" else {},
        )

    def _refuse_names(self, answer: ReadAnswer) -> None:
        """ImportFailure where a rater's name could not be reported."""
        if (answer.rater, answer.kind) not in self._known:
            AnswerLine.of(answer.where, unit="-", rater=answer.rater, kind=answer.kind, answer={})
            self._known.add((answer.rater, answer.kind))

    def _refuse_mixed(self, sizes: Mapping[int, ReadAnswer]) -> None:
        """ImportFailure where some answers compare two outputs, and others are about one."""
        if len(sizes) > 1 and any(each.form == "choice" for each in self.reading.answers):
            (_, first), (_, second) = sorted(sizes.items())[:2]
            reason = f"about one output, and those to {second.criterion!r} compare several: import "
            where, field = first.where, first.criterion or "answers"
            raise ImportFailure(where, field, f"{reason}them as two studies")

    def _are_accounts(self) -> bool:
        people = [name for name, kind in self._known if kind == "human"]
        columns = [c for table in self.reading.tables for c in table.columns]
        named = [column.column for column in columns if column.holds is Holds.RATER]
        return any(holds_accounts(name, people) for name in named)

    # --- Scales ------------------------------------------------------------------------------

    def _rules(self, criterion: str) -> AnswersReading | None:
        """How answers to a criterion, or to one label of it, are read."""
        sets = (each for each in self.reading.answers if each.form == "set")
        of_label = (each for each in sets if criterion.startswith(each.criterion))
        return self.reading.answers_of(criterion) or next(of_label, None)

    def _facet(self, criterion: str) -> str:
        return self._facets.name(criterion, self._rules(criterion))

    def _measure(self, criterion: str, observed: ObservedValues) -> Measure:
        """The block of a criterion; ValueError where its values make none."""
        rules = self._rules(criterion) or AnswersReading(criterion=criterion)
        asked, facet = question(criterion, rules), self._facet(criterion)
        if rules.form == "choice":
            alone = not criterion and len(self.reading.answers) == 1
            return preference("" if alone and not rules.title else facet, asked)
        if rules.form == "set":
            return nominal(facet, [YES, NO], question=asked)
        return _scale(facet, observed, rules).worded(asked)


def _is_flat(path: Path) -> bool:
    """Whether it is a file: no folder, no archive, and no JSON with objects in objects."""
    if not path.is_file() or path.suffix.lower() == ".zip":
        return False
    tables = raw_tables([path]) if ".json" in path.name.lower() else ()
    return all(len(parts) < 2 for table in tables for parts in table.paths.values())


def _scale(facet: str, observed: ObservedValues, rules: AnswersReading) -> Measure:
    for value in AnswerWords(rules).on_scale:
        observed.add(value)
    if observed.labels:
        if len(observed.labels) == 1 and not observed.numbers:
            observed.add(_ANOTHER)
        return measure_of(facet, observed)
    if rules.low is not None and rules.high is not None:
        return replace(between(facet, rules.low, rules.high, rules.level), stated=True)
    return measure_of(facet, observed, rules.level)


def _written(value: RawRating, measure: Measure) -> RawRating:
    """The value as its scale has it: one of labels is a label, also where it is a number."""
    return f"{value:g}" if measure.is_named and isinstance(value, float) else value


def _machine(answer: ReadAnswer) -> str:
    return answer.rater if answer.kind == "judge" else ""
