"""The labels of tables: who gave which label to which unit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from annotation.queries.group_keys import RATER
from annotation.rater_names import refuse_reserved
from estimates.data.raters import RaterKind
from files.errors import Contradiction, ImportFailure, OpenQuestion
from files.reading.judgements import ReadTables
from files.reading.layouts.raters import People, told_raters
from files.reading.model import AnswersReading, Axis, Level
from files.reading.records import RawValue, ReadAnswer, ReadUnit
from files.reading.rows.repeats import REPEATED
from files.reading.rows.units import UnitPlace
from files.skipped import SkippedRecords
from label_table.columns import JOINED, Columns, answer_columns, columns_of
from label_table.files import ReadFiles, named
from results.reading.wording import counted, listed

HUMAN, JUDGE = RaterKind.HUMAN.value, RaterKind.JUDGE.value
LONGEST_NAME = 200
# Of what is left out so many are named; import_study lists them all.
MOST_SKIPPED = 3
# All are held at once, in 1.7 GB of memory.
MOST_LABELS = 1_000_000
TOO_MANY = (
    f"more than {MOST_LABELS:,}: check a part of the rows, drawn at random; 100,000 of them say "
    "all that a judge is known by"
)
GIVEN_AGAIN = (
    "given by a rater who has answered the same before; name the columns that tell answers apart "
    "(--unit, --system, --rater), or say which counts: --repeated first, last, none, or all"
)
ALONE = (
    "it is unclear who else gave labels: name columns of people and judges (--human, --judge), the "
    "column of raters (--rater), or what the names of the files say (--names rater)"
)
NO_ANSWERS = "none holds answers; name those that do: --column NAME=answer"


class Label(NamedTuple):
    """One label as the reading has it, and where it stands."""

    where: str
    unit: str
    rater: str
    value: RawValue
    replicate: int = 0


class Unit(NamedTuple):
    """What is labelled: its source, and its system or nothing."""

    source: str
    system: str


@dataclass
class LabelTable:
    """All labels of files on one criterion. raters: name -> kind. gaps: judge -> units that it was
    asked about and gave no label to. own: the key of an own column that results are grouped by ->
    what it says of each source, unit or rater. notes: what is to be known of the reading. left_out:
    what it could not use. said: judge -> its labels in people's words, where it has others."""

    read: ReadFiles
    asked: AnswersReading
    columns: Columns
    several: bool = False
    units: dict[str, Unit] = field(default_factory=dict)
    raters: dict[str, str] = field(default_factory=dict)
    labels: list[Label] = field(default_factory=list)
    gaps: dict[str, list[str]] = field(default_factory=dict)
    own: dict[str, dict[str, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    said: dict[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def numbers_raters(self) -> bool:
        """Whether people are numbers within a unit."""
        return any(table.numbered_raters for table in self.read.reading.tables)

    def of_kind(self, kind: str) -> list[str]:
        """The raters of that kind, in the order of the table."""
        return [name for name, its in self.raters.items() if its == kind]

    def said_by(self, rater: str, label: str) -> str:
        """A label in people's words."""
        return self.said.get(rater, {}).get(label, label)

    @property
    def criterion(self) -> str:
        """What it is about, where the files are about several things; else nothing."""
        return (self.asked.title or self.asked.criterion) if self.several else ""

    @property
    def facet(self) -> str:
        """What the labels are called."""
        own = self.asked.criterion
        column = "" if JOINED in self.columns.label else self.columns.label
        return own if self.several else column or own or "label"

    @property
    def level(self) -> Level | None:
        """The level of its scale, where somebody decided it, or labels have no order."""
        level = self.asked.level
        return level if self.read.has_levels or level == "nominal" else None

    @property
    def name(self) -> str:
        """The files, as messages name them."""
        return named(self.read.files)

    @property
    def form(self) -> str:
        """The form of the files."""
        if self.read.tool:
            return f"results of {self.read.tool}"
        return ", ".join(dict.fromkeys(str(table.form) for table in self.read.tables))

    # --- Filling it -------------------------------------------------------------------------

    def add(self, unit: UnitPlace, answer: ReadAnswer) -> None:
        """Take in an answer."""
        if answer.unit not in self.units:
            system = unit.outputs[0].system if len(unit.outputs) == 1 else ""
            self.units[answer.unit] = Unit(unit.outputs[0].source, system)
        kind = HUMAN if answer.kind == HUMAN else JUDGE
        if self.raters.get(answer.rater) != kind:
            self._meet(answer.where, answer.rater, kind)
        self._note(RATER, answer.rater, answer.rater_kept)
        label = Label(answer.where, answer.unit, answer.rater, answer.value, answer.replicate)
        self.labels.append(label)

    def add_own(self, unit: ReadUnit) -> None:
        """Take in what own columns say of a unit, where results are grouped by them."""
        self._note("source", unit.source, unit.source_kept)
        self._note("unit", unit.key, unit.unit_kept)
        if len(unit.outputs) == 1:
            self._note("item", unit.key, unit.outputs[0].kept)

    def _note(self, owner: str, name: str, kept: Mapping[str, str]) -> None:
        for column, value in kept.items():
            if (key := f"{owner}.{column}") in self.read.reading.group_by:
                self.own.setdefault(key, {})[name] = value

    def _meet(self, where: str, name: str, kind: str) -> None:
        """Meet a rater; ImportFailure for a name that reports need, or with two kinds."""
        if self.raters.setdefault(name, kind) != kind:
            raise Contradiction(where, "kind", f"{name!r} is {self.raters[name]}, not {kind}")
        try:
            refuse_reserved(name)
        except ValueError as error:
            raise ImportFailure(where, "rater", str(error)) from error
        if len(name) > LONGEST_NAME:
            raise ImportFailure(where, "rater", f"longer than {LONGEST_NAME} characters")

    def meet_columns(self) -> None:
        """Meet the raters whose columns the reading names, in their order."""
        kinds = {HUMAN: self.columns.humans, JUDGE: self.columns.judges}
        for kind, names in kinds.items():
            for column in answer_columns(self.read.reading, self.asked.criterion):
                if Axis.RATER in column.at and column.column in names:
                    self._meet(self.name, column.at[Axis.RATER], kind)

    def close(self, left_out: Iterable[str] = ()) -> None:
        """Note the gaps of judges with columns, who were asked about every unit. ImportFailure for
        a rater without a label. left_out: cells that are no labels, as lines."""
        labelled: dict[str, set[str]] = {name: set() for name in self.raters}
        for label in self.labels:
            labelled[label.rater].add(label.unit)
        for name, own in labelled.items():
            if not own:
                lost = "".join(f" ({line})" for line in [*left_out][:1])
                raise ImportFailure(self.name, name, f"a rater without a single label{lost}")
        columns = answer_columns(self.read.reading, self.asked.criterion)
        judges = {c.at.get(Axis.RATER) for c in columns} & {*self.of_kind(JUDGE)}
        for name in filter(None, judges):
            if missing := [key for key in self.units if key not in labelled[name]]:
                self.gaps[name] = missing


def read_labels(read: ReadFiles, criterion: str = "") -> list[LabelTable]:
    """The labels of files, of each criterion apart, or of one alone. ImportFailure, in one
    sentence, where they cannot be used."""
    skipped = SkippedRecords(strict=False)
    found = _tables(read, criterion)
    rows = ReadTables(read.reading, read.tables, skipped)
    for number, (unit, answer) in enumerate(rows.judgements()):
        if number >= MOST_LABELS:
            raise ImportFailure(named(read.files), "labels", TOO_MANY)
        if answer.criterion in found:
            found[answer.criterion].add(unit, answer)
    if read.reading.group_by:
        for each in rows.units():
            for table in found.values():
                table.add_own(each)
    again = rows.findings.counts.get(REPEATED, 0)
    if again and not read.may_repeat:
        reason = f"{counted(again, 'answer is', 'answers are')} {GIVEN_AGAIN}"
        raise OpenQuestion(named(read.files), "repeated", reason)
    for table in found.values():
        _tell_raters(table)
        table.close(map(str, skipped.listed))
    _refuse_absent(read, found.values())
    _refuse_alone(read, found.values())
    _refuse_unlabelled(read, found.values())
    for table in found.values():
        table.left_out += _left_out(skipped)
    return list(found.values())


def _tell_raters(table: LabelTable) -> None:
    """Whom rows name: the first rows, which the reading was made of, may lack some."""
    column, stated = table.columns.rater, People(table.read.stated.humans, table.read.stated.judges)
    if not (table.columns.unit or table.columns.source):
        table.notes.append("No column of units: every row is taken for one (--unit).")
    if not column or table.columns.kind or not table.read.is_proposed:
        return
    decided = {*table.read.reading.judges}
    told = told_raters(table.raters.keys() - decided, column, stated)
    judges, left = {*decided, *told.judges}, {*told.left_out}
    named_so = [name for name in table.raters if name in judges - {*stated.judges}]
    table.raters = {
        name: JUDGE if name in judges else HUMAN for name in table.raters if name not in left
    }
    table.labels = (
        [label for label in table.labels if label.rater not in left] if left else table.labels
    )
    gone = [*table.read.left_out, *(name for name in told.left_out)]
    if named_so:
        table.notes.append(f"Taken for judges by their names: {', '.join(named_so)} (--human).")
    if gone:
        said = ", ".join(dict.fromkeys(gone))
        table.notes.append(f"Left out, named neither as people nor as judges: {said}.")


def _refuse_alone(read: ReadFiles, tables: Iterable[LabelTable]) -> None:
    """Nothing is to be compared where one rater was found alone whom nobody named."""
    alone = all(len(table.raters) == 1 for table in tables)
    if alone and read.is_proposed:
        raise OpenQuestion(named(read.files), "raters", ALONE)


def _refuse_unlabelled(read: ReadFiles, tables: Iterable[LabelTable]) -> None:
    """Results of a tool hold its own verdicts alone until somebody labels some outputs."""
    judges = dict.fromkeys(name for table in tables for name in table.of_kind(JUDGE))
    if read.tool and not any(table.of_kind(HUMAN) for table in tables):
        units = len(set[str]().union(*(table.units for table in tables)))
        file = named(read.files)
        reason = (
            f"{counted(units, 'output')} of {read.tool} with verdicts of {listed([*judges])}, and "
            f"no label of a person: give some by `jurybox mark {read.files[0]}`, or name a table "
            f"of them (unit,rater,label) after the file"
        )
        raise OpenQuestion(file, "labels", reason)


def _refuse_absent(read: ReadFiles, tables: Iterable[LabelTable]) -> None:
    met = {name for table in tables for name in table.raters}
    for option, stated in (("--human", read.stated.humans), ("--judge", read.stated.judges)):
        for name in stated:
            if name not in met:
                there = ", ".join(sorted(met)[:20])
                reason = f"no column or rater {name!r} (there are: {there})"
                raise ImportFailure(named(read.files), option, reason)


def _tables(read: ReadFiles, criterion: str) -> dict[str, LabelTable]:
    """Criterion -> its table, still without labels."""
    every = read.reading.answers
    if not every:
        raise ImportFailure(named(read.files), "columns", NO_ANSWERS)
    asked = [each for each in every if criterion in ("", each.criterion, each.title)]
    if not asked:
        reason = f"no criterion {criterion!r} (there are: {', '.join(e.criterion for e in every)})"
        raise ImportFailure(named(read.files), "--criterion", reason)
    found = {}
    for each in asked:
        columns = columns_of(read.reading, each.criterion, read.stated)
        table = LabelTable(read, each, columns, several=len(every) > 1, notes=[*read.notes])
        table.meet_columns()
        found[each.criterion] = table
    return found


def _left_out(skipped: SkippedRecords) -> list[str]:
    """What could not be used, a line for the first ones and one for the others."""
    said = [f"Left out: {each}" for each in skipped.listed[:MOST_SKIPPED]]
    rest = sum(skipped.counts.values()) - len(said)
    return [*said, *([f"Left out: {rest:,} more like these."] if rest > 0 else [])]
