"""Tables whose cells are answers, under a reading: what every format of such tables shares."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from files.columns.names import holds_accounts
from files.errors import ImportFailure
from files.readers.raw_tables import RawTable
from files.reading.judgements import ReadTables
from files.reading.model import AnswersReading, Holds, Reading
from files.reading.records import ReadAnswer, ReadUnit
from files.reading.rows.values import NO, YES, AnswerWords
from imports.answer_lines import AnswerLine
from imports.formats.contract import Format, FormatInput
from imports.formats.criteria import CriterionMeasures
from imports.formats.facet_names import FacetNames, question
from imports.formats.read_units import unit_entry
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
from imports.material.records import MaterialEntry
from imports.study_file.schema import StudyRecord

READ_AS = "tables_read"
# Beside the only label that occurs, so that there is something to choose.
_ANOTHER = "another"


class JudgedTables(Format):
    """One unit per output or pair that was answered about, one block per criterion."""

    def __init__(
        self, format_input: FormatInput, tables: Sequence[RawTable], reading: Reading
    ) -> None:
        super().__init__(format_input)
        self.reading = reading
        self.read = ReadTables(reading, tables, self.skipped)
        self.findings = self.read.findings
        self._facets = FacetNames()
        self.measures = CriterionMeasures(str(format_input.files[0]), self.facet, self.measure)
        self._known: set[tuple[str, str]] = set()
        for table in tables:
            for note in table.notes:
                self.findings.note(READ_AS, f"{table.name}: {note}")

    def study(self) -> StudyRecord:
        sizes: dict[int, ReadAnswer] = {}
        for unit, answer in self.read.judgements():
            try:
                self._refuse_name(answer)
            except ImportFailure as failure:
                self.skipped.skip(failure, of=answer.where)
                continue
            sizes.setdefault(len(unit.outputs), answer)
            self.measures.observe(answer.criterion, _machine(answer), answer.value)
        self._refuse_mixed(sizes)
        if not self.measures.criteria:
            raise ImportFailure(str(self.input.files[0]), "answers", "none in these files")
        self.names_accounts = self._are_accounts()
        return StudyRecord(blocks=self.measures.blocks(), group_by=self.reading.group_by)

    def entries(self) -> Iterator[MaterialEntry]:
        units = self.read.units(self.input.watch)
        return self.skipped.usable(units, self.entry)

    def entry(self, unit: ReadUnit) -> MaterialEntry:
        """The unit as the study has it."""
        return unit_entry(unit, self._is_turned)

    def answers(self) -> Iterator[AnswerLine]:
        return map(self.line, self.read.answers())

    def told(self) -> dict[str, Any]:
        return {"reading": self.reading.model_dump(mode="json", exclude_defaults=True)}

    def _is_turned(self, unit: str) -> bool:
        return unit in self.read.shown_both_ways

    def line(self, answer: ReadAnswer) -> AnswerLine:
        """The answer as the study has it."""
        measure = self.measures.of(answer.criterion, _machine(answer))
        return AnswerLine(  # of fields that `_refuse_name` has looked at
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

    def _refuse_name(self, answer: ReadAnswer) -> None:
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

    def facet(self, criterion: str) -> str:
        """The name of a criterion's facet."""
        return self._facets.name(criterion, self._rules(criterion))

    def measure(self, criterion: str, observed: ObservedValues) -> Measure:
        """The block of a criterion; ValueError where its values make none."""
        rules = self._rules(criterion) or AnswersReading(criterion=criterion)
        asked, facet = question(criterion, rules), self.facet(criterion)
        if rules.form == "choice":
            alone = not criterion and len(self.reading.answers) == 1
            return preference("" if alone and not rules.title else facet, asked)
        if rules.form == "set":
            return nominal(facet, [YES, NO], question=asked)
        return _scale(facet, observed, rules).worded(asked)


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
