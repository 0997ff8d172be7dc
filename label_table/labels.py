"""The labels of a table: who gave which label to which unit."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from annotation.rater_names import refuse_reserved
from estimates.data.records import RaterKind
from imports.columns.labels import Columns, told_columns
from imports.columns.names import Role, rater_role
from imports.columns.proposals import proposed_raters
from imports.columns.sheet import is_missing
from imports.errors import Contradiction, ImportFailure
from imports.readers.detection import TableForm
from imports.readers.heads import form_and_names
from imports.readers.item_rows import item_rows
from imports.readers.tables import TableRow

HUMAN, JUDGE = RaterKind.HUMAN.value, RaterKind.JUDGE.value
# How tables call kinds of raters.
SPOKEN = {
    **dict.fromkeys(("human", "person", "people", "annotator", "expert", "crowd", "worker"), HUMAN),
    **dict.fromkeys(("judge", "machine", "model", "llm", "ai", "auto", "automatic"), JUDGE),
    "simulated": RaterKind.SIMULATED.value,
}
LONGEST_NAME = 200


class Label(NamedTuple):
    """One label as the table has it, and where."""

    where: str
    unit: str
    rater: str
    value: str


class Unit(NamedTuple):
    """What is labelled: its source (itself where none is named), and its system or nothing."""

    source: str
    system: str


@dataclass
class LabelTable:
    """All labels of a file. raters: name -> kind, also of raters without a label. gaps: rater ->
    units for which the table says that there is no label. notes: how columns were told."""

    path: Path
    form: TableForm
    columns: Columns
    names: Sequence[str]
    units: dict[str, Unit] = field(default_factory=dict)
    raters: dict[str, str] = field(default_factory=dict)
    labels: list[Label] = field(default_factory=list)
    gaps: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _first: dict[tuple[str, str], str] = field(default_factory=dict)

    def of_kind(self, kind: str) -> list[str]:
        """The raters of that kind, in the order of the table."""
        return [name for name, its in self.raters.items() if its == kind]

    def by_rater(self) -> Mapping[str, list[Label]]:
        """Rater -> labels."""
        own: dict[str, list[Label]] = {name: [] for name in self.raters}
        for label in self.labels:
            own[label.rater].append(label)
        return own

    @property
    def facet(self) -> str:
        """What the labels are called."""
        return self.columns.label or "label"

    # --- Filling it -------------------------------------------------------------------------

    def add_rater(self, where: str, name: str, kind: str) -> None:
        """Meet a rater; ImportFailure for a name that reports need, or with two kinds."""
        if self.raters.setdefault(name, kind) != kind:
            raise Contradiction(where, "kind", f"{name!r} is {self.raters[name]}, not {kind}")
        try:
            refuse_reserved(name)
        except ValueError as error:
            raise ImportFailure(where, "rater", str(error)) from error
        if len(name) > LONGEST_NAME:
            raise ImportFailure(where, "rater", f"longer than {LONGEST_NAME} characters")

    def add(self, label: Label, unit: Unit) -> None:
        """Take in a label or, where it is missing, a gap."""
        if self.units.setdefault(label.unit, unit) != unit:
            raise Contradiction(label.where, "unit", f"{label.unit!r} has two sources or systems")
        key = (label.unit, label.rater)
        if key in self._first:
            reason = f"{label.rater!r} has labelled {label.unit!r} before, at {self._first[key]}"
            raise Contradiction(label.where, "unit", reason)
        self._first[key] = label.where
        if is_missing(label.value):
            self.gaps.setdefault(label.rater, []).append(label.unit)
        else:
            self.labels.append(label._replace(value=label.value.strip()))


def read_labels(path: Path, stated: Columns) -> LabelTable:
    """The labels of a file, whatever its form. ImportFailure in one sentence where they cannot be
    used."""
    form, names = form_and_names(path)
    rows = list(item_rows(path, form))
    if not rows:
        raise ImportFailure(str(path), "rows", "none below the names of the columns")
    columns = told_columns(path, names, [row.cells for row in rows], stated)
    table = LabelTable(path, form, columns, names)
    if columns.is_long:
        _read_long(table, rows)
    else:
        _read_wide(table, rows)
    _refuse_empty(table)
    return table


def _read_long(table: LabelTable, rows: Sequence[TableRow]) -> None:
    columns = table.columns
    kinds = _kinds_by_name(table, rows)
    for row in rows:
        name = row.text(columns.rater)
        if kinds and name not in kinds:
            continue
        key, unit = _unit(columns, row, row.text(columns.unit))
        if columns.kind:
            spoken = row.text(columns.kind)
            if spoken.casefold() not in SPOKEN:
                reason = f"{spoken[:40]!r} is none of human, judge, simulated"
                raise ImportFailure(row.where, columns.kind, reason)
            kind = SPOKEN[spoken.casefold()]
        else:
            kind = kinds[name]
        table.add_rater(row.where, name, kind)
        table.add(Label(str(row.where), key, name, row.cells[columns.label]), unit)


def _kinds_by_name(table: LabelTable, rows: Sequence[TableRow]) -> Mapping[str, str]:
    """Kinds of raters as stated. Of a kind that is not stated are those whose names say so, and
    people also those whose names say nothing, as the column says who labelled. Who is of neither
    kind is left out."""
    columns = table.columns
    if columns.kind:
        return {}
    names = dict.fromkeys(row.text(columns.rater) for row in rows)
    _refuse_absent(table, names)
    free = {
        name: rater_role(name) for name in names if name not in (*columns.humans, *columns.judges)
    }
    judges = [name for name, role in free.items() if role is Role.JUDGE and not columns.judges]
    people = [name for name in free if free[name] not in (Role.JUDGE, Role.EITHER)]
    if not columns.humans and _asks(columns, free.values()):
        either = [name for name in free if free[name] is Role.EITHER]
        raise proposed_raters(str(table.path), columns.rater, [*people, *either], judges)
    if judges:
        table.notes.append(f"Taken for judges by their names: {', '.join(judges)} (--human).")
    kinds = {
        **dict.fromkeys(columns.humans or people, HUMAN),
        **dict.fromkeys(columns.judges or judges, JUDGE),
    }
    if left := [name for name in names if name not in kinds]:
        table.notes.append(f"Left out, named neither as people nor as judges: {', '.join(left)}.")
    return kinds


def _asks(columns: Columns, roles: Collection[Role]) -> bool:
    """Whether names leave open who is a person: one may be either, or the column is of judges."""
    of_judges = rater_role(columns.rater) is Role.JUDGE and not columns.judges
    return Role.EITHER in roles or (of_judges and Role.UNTOLD in roles)


def _refuse_absent(table: LabelTable, names: Mapping[str, None]) -> None:
    columns = table.columns
    for option, stated in (("--human", columns.humans), ("--judge", columns.judges)):
        for name in stated:
            if name not in names:
                reason = f"no rater {name!r} (there are: {', '.join(list(names)[:20])})"
                raise ImportFailure(str(table.path), option, reason)


def _read_wide(table: LabelTable, rows: Sequence[TableRow]) -> None:
    columns = table.columns
    for name in (*columns.humans, *columns.judges):
        table.add_rater(f"{table.path}:1", name, HUMAN if name in columns.humans else JUDGE)
    met: dict[str, str] = {}
    for number, row in enumerate(rows, start=1):
        key, unit = _unit(columns, row, row.text(columns.unit) if columns.unit else str(number))
        if key in met:
            hint = "" if columns.system else "; where rows are of several systems, name --system"
            reason = f"{key!r} stands at {met[key]} already{hint}"
            raise Contradiction(row.where, columns.unit, reason)
        met[key] = str(row.where)
        for name in (*columns.humans, *columns.judges):
            table.add(Label(str(row.where), key, name, row.cells[name]), unit)
    if not columns.unit:
        table.notes.append("No column of units: every row is taken for one (--unit).")


def _unit(columns: Columns, row: TableRow, key: str) -> tuple[str, Unit]:
    """The unit's key and what it belongs to. With a system, rows of one unit share its source."""
    system = row.text(columns.system) if columns.system else ""
    source = row.text(columns.source) if columns.source else key
    return (f"{key}/{system}" if system else key), Unit(source, system)


def _refuse_empty(table: LabelTable) -> None:
    for name, labels in table.by_rater().items():
        if not labels:
            raise ImportFailure(str(table.path), name, "a rater without a single label")
