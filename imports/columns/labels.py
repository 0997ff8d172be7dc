"""What the columns of a table of labels hold: as stated, or as their names say it.

Contents are looked at for a proposal only. Where names do not tell who is a person, the question
is open, and the file is refused with the options that decide it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from imports.columns.names import (
    CRITERION,
    LABELS,
    MODEL,
    Role,
    column_role,
    customary,
    plain,
    rest_of,
    words_of,
)
from imports.columns.proposals import MOST_NAMED, proposed_long, proposed_wide
from imports.columns.sheet import Cells, Sheet
from imports.errors import ImportFailure

WHO = "it is unclear which raters are people"
ALONE = "it is unclear who else gave labels"
SEVERAL = "columns seem to be of several criteria, of which one can be checked at a time"


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns by what they hold; empty: none does. In a long table `rater` and `label` are
    columns, and humans and judges names of raters; in a wide one these are columns. Without a unit
    column every row is a unit of its own."""

    unit: str = ""
    source: str = ""
    system: str = ""
    rater: str = ""
    label: str = ""
    kind: str = ""
    humans: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether a row is one label."""
        return bool(self.rater)


def told_columns(
    path: Path, names: Sequence[str], rows: Sequence[Cells], stated: Columns
) -> Columns:
    """The columns of a table, those stated first. ImportFailure, with a proposal and the options
    that decide, where they cannot be told."""
    _refuse_unknown(path, names, stated)
    sheet = Sheet(path, names, rows)
    free = [name for name in names if name not in (*stated.humans, *stated.judges)]
    columns = {
        role: getattr(stated, role) or customary(free, names, plain)
        for role, names in LABELS.items()
    }
    if _is_long(sheet, stated, columns):
        return _long(sheet, stated, columns)
    return _wide(sheet, stated, columns)


# --- One label per row ---------------------------------------------------------------------------


def _is_long(sheet: Sheet, stated: Columns, columns: Mapping[str, str]) -> bool:
    """Whether a column says who labelled: one that is stated, or one with the name of such a
    column, unless it holds labels itself, as `annotator` beside `llm_judge` may."""
    if stated.rater or stated.label:
        return True
    rater, label = columns["rater"], columns["label"]
    if not rater or {*stated.humans, *stated.judges} & {*sheet.names} or sheet.has_texts(rater):
        return False
    told = [name for name in sheet.names if sheet.labels[name] and _is_told(name)]
    if sheet.alike(rater, [label, *told] if label else told):
        return False
    if label:
        return True
    people = any(column_role(name) is Role.PERSON for name in told)
    return column_role(rater) is not Role.JUDGE and not (people and len(told) > 1)


def _is_told(name: str) -> bool:
    """Whether a column is a judge's or a person's by its name, and its name is none of a column
    that says who labelled."""
    return column_role(name) in (Role.PERSON, Role.JUDGE) and not _may_say_who(name)


def _may_say_who(name: str) -> bool:
    return column_role(name) is Role.PERSON and plain(name) in LABELS["rater"]


def _has_names(sheet: Sheet, name: str) -> bool:
    """Whether a column called `annotator` has no labels, but names of annotators."""
    told = [other for other in sheet.names if _is_told(other)]
    return _may_say_who(name) and not sheet.alike(name, told)


def _long(sheet: Sheet, stated: Columns, columns: dict[str, str]) -> Columns:
    for role in ("rater", "label"):
        if not columns[role]:
            raise proposed_long(sheet, columns, f"it is unclear which column has the {role}s")
    beside = (columns["rater"], columns["system"], columns.values())
    columns["unit"] = columns["unit"] or sheet.unit_by_rater(*beside)
    if not columns["unit"]:
        raise proposed_long(sheet, columns, "it is unclear which column has the units")
    if sheet.aspect and not (stated.unit and stated.label):
        raise proposed_long(sheet, columns, "labels seem to be of several questions")
    columns["source"] = _source(sheet, stated, columns)
    return Columns(**columns, humans=stated.humans, judges=stated.judges)


def _source(sheet: Sheet, stated: Columns, columns: Mapping[str, str]) -> str:
    """The column of sources, unless units are these, or some have none."""
    source = columns["source"]
    if source == columns["unit"] or (source != stated.source and sheet.has_gaps(source)):
        return ""
    return source


# --- One unit per row ----------------------------------------------------------------------------


def _wide(sheet: Sheet, stated: Columns, columns: Mapping[str, str]) -> Columns:
    for option, given in (("--human", stated.humans), ("--judge", stated.judges)):
        for name in given:
            if name not in sheet.names:
                raise ImportFailure(f"{sheet.path}:1", option, _no_such(name, sheet.names))
    about = {role: columns[role] for role in ("unit", "source", "system")}
    named = {*stated.humans, *stated.judges}
    models = [name for name in sheet.names if plain(name) in MODEL and name not in named]
    about["system"] = about["system"] or sheet.models(models)
    about["unit"] = about["unit"] or sheet.unit_by_row(about["system"])
    about["source"] = _source(sheet, stated, about)
    free = [name for name in sheet.names if sheet.labels[name] and name not in about.values()]
    free = [name for name in free if not _has_names(sheet, name)]
    humans, judges = _raters(sheet, free, stated)
    question, asked = _question(sheet, free, stated, (humans, judges))
    if question:
        people = [name for name in sheet.names if name in (*humans, *asked)]
        raise proposed_wide(sheet, about, _proposed(question, people, judges), question)
    return Columns(**about, humans=tuple(humans), judges=tuple(judges))


def _raters(
    sheet: Sheet, free: Sequence[str], stated: Columns
) -> tuple[Sequence[str], Sequence[str]]:
    """People's columns and judges', in the order of the table. Those that are stated are all of
    their kind; of the other kind are those whose names say so."""
    roles = {name: column_role(name) for name in free}
    humans = stated.humans or {name for name in free if roles[name] is Role.PERSON}
    judges = stated.judges or {name for name in free if roles[name] is Role.JUDGE}
    return (
        [name for name in sheet.names if name in humans and name not in stated.judges],
        [name for name in sheet.names if name in judges and name not in stated.humans],
    )


def _question(
    sheet: Sheet, free: Sequence[str], stated: Columns, told: tuple[Sequence[str], Sequence[str]]
) -> tuple[str, Sequence[str]]:
    """What names leave open, and the columns that may be people's, too; nothing where people are
    stated or told."""
    humans, judges = told
    untold = [] if stated.humans else _untold(sheet, free, humans, judges)
    # Two judges that are stated can be compared with each other.
    if not untold and not (humans or len(stated.judges) > 1):
        return WHO, ()
    if _are_several([*humans, *untold], judges, stated):
        return SEVERAL, untold
    if untold:
        return (_whose(untold) if humans else WHO), untold
    return (ALONE if len(humans) + len(judges) < 2 else ""), ()


def _proposed(
    question: str, people: Sequence[str], judges: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """The columns that a question proposes: of several criteria those of the first one."""
    if question == ALONE:
        return (), judges
    if question != SEVERAL:
        return people, judges
    other = words_of(" ".join(people)) & CRITERION - words_of(people[0])
    same = [name for name in people if rest_of(name) == rest_of(people[0])]
    return same, [name for name in judges if not words_of(name) & other]


def _whose(untold: Sequence[str]) -> str:
    return f"it is unclear whose labels are in {', '.join(untold[:MOST_NAMED])}"


def _untold(
    sheet: Sheet, free: Sequence[str], humans: Sequence[str], judges: Sequence[str]
) -> list[str]:
    """Columns that may be people's: their names say so of a machine, too, or say nothing and they
    hold the labels of other columns."""
    roles = {name: column_role(name) for name in free}
    rest = [name for name in free if name not in (*humans, *judges)]
    beside = [name for name in free if roles[name] is not Role.NEITHER]
    beside = [*humans, *judges] if humans else beside
    alike = [n for n in rest if roles[n] is Role.UNTOLD and sheet.alike(n, beside)]
    return [name for name in rest if roles[name] is Role.EITHER or name in alike]


def _are_several(people: Sequence[str], judges: Sequence[str], stated: Columns) -> bool:
    """Whether columns are of several criteria: of one rater, they are no two people. What is
    stated of both kinds is right."""
    if stated.humans and stated.judges:
        return False
    criteria = {words_of(name) & CRITERION for name in (*people, *judges)} - {frozenset()}
    rests = [] if stated.humans else [rest_of(name) for name in people]
    every = Counter([*rests, *map(rest_of, judges)])
    again = any(rest & CRITERION or (rest and every[rest] > 1) for rest in rests)
    return len(criteria) > 1 or (len({*rests}) > 1 and again)


# --- What is stated ------------------------------------------------------------------------------


def _refuse_unknown(path: Path, names: Sequence[str], stated: Columns) -> None:
    """A column that was named, and that the table does not have."""
    for role in LABELS:
        name = getattr(stated, role)
        if name and name not in names:
            raise ImportFailure(f"{path}:1", f"--{role}", _no_such(name, names))
    both = {*stated.humans} & {*stated.judges}
    if both:
        raise ImportFailure(str(path), "--judge", f"{min(both)!r} is named as a person as well")


def _no_such(name: str, names: Sequence[str]) -> str:
    return f"no column {name!r} (the file has: {', '.join(names)})"
