"""What a table is probably to be taken for, in the words of a question: the options that decide."""

import shlex
from collections.abc import Iterable, Mapping, Sequence

from annotation.rater_names import shortened
from imports.columns.names import TURK, Role, column_role, may_be_unit
from imports.columns.sheet import Sheet
from imports.errors import ImportFailure

# Names that are listed; a command with more of them is nobody's to copy.
MOST_NAMED = 12
INPUT, ANSWER = TURK
WIDE, LONG = "--unit ID --human A B --judge C", "--unit ID --rater WHO --label WHAT"
OF_TURK = "looks like a Mechanical Turk export"


def proposed_long(sheet: Sheet, columns: Mapping[str, str], question: str) -> ImportFailure:
    """One label per row, as far as it is told. columns: role -> column, or nothing."""
    taken = {*filter(None, columns.values())}
    rater = columns["rater"]
    if rater and sheet.comes_once(rater):
        question = f"{question}; {rater} comes once each: rows must be units or labels, not people"
    unit = columns["unit"] or (rater and sheet.unit_by_rater(rater, columns["system"], taken))
    answers = [columns["label"]] if columns["label"] else _answers(sheet, taken)
    said = _said_of_labels(sheet, unit, rater or "WHO", answers)
    aspect = f", and a file with the rows of one {sheet.aspect}" if sheet.aspect else ""
    looks = OF_TURK if sheet.is_of_turk else "looks like one label per row"
    return _asked(sheet, f"{question}; {looks}: go on with {said}{aspect}")


def proposed_wide(
    sheet: Sheet,
    about: Mapping[str, str],
    raters: tuple[Sequence[str], Sequence[str]],
    question: str,
) -> ImportFailure:
    """One unit per row, with a column for each person and judge. about: role -> column, or
    nothing. raters: people's columns, judges' columns."""
    humans, judges = raters
    if sheet.is_of_turk:
        said = _said_of_labels(sheet, "", "WORKER", _answers(sheet, ()))
        lacking = f"{OF_TURK} without workers: number those of each item in a column WORKER"
        return _asked(sheet, f"{question}; {lacking} and go on with {said}")
    if not humans:
        free = _listed(_free(sheet, about.values()))
        among = f"{question} among {free}" if free else "no column holds labels that can be told"
        return _asked(sheet, f"{among}; name them: {WIDE}, or {LONG}")
    flags = {f"--{role}": name for role, name in about.items() if name}
    machines = f" --judge {_named(judges)}" if judges else ""
    said = f"{_said(flags)} --human {_named(humans)}{machines}".strip()
    return _asked(
        sheet, f"{question}; looks like one unit per row: go on with {said}, or name other columns"
    )


def proposed_raters(
    sheet_path: str, rater: str, people: Sequence[str], judges: Sequence[str]
) -> ImportFailure:
    """Who of the raters of a long table may be a person."""
    machines = f" --judge {_named(judges)}" if judges else ""
    return ImportFailure(
        sheet_path,
        rater,
        "it is unclear which raters are people; go on with --human "
        f"{_named(people)}{machines}, or put some "
        "of them after --judge",
    )


def _said_of_labels(sheet: Sheet, unit: str, rater: str, answers: Sequence[str]) -> str:
    label = answers[0] if answers else "WHAT"
    flags = {"--unit": unit or _item(sheet) or "ID", "--rater": rater, "--label": label}
    others = f" (or another one: {_listed(answers[1:])})" if answers[1:] else ""
    return f"{_said(flags)}{others}"


def _answers(sheet: Sheet, taken: Iterable[str]) -> list[str]:
    """Columns that may hold the labels of a long table: a file mostly has them last, and
    Mechanical Turk says so."""
    free = _free(sheet, taken)
    if sheet.is_of_turk:
        return [name for name in sheet.names if name.startswith(ANSWER) and name in free]
    return [name for name in free if column_role(name) is not Role.NEITHER][::-1]


def _free(sheet: Sheet, taken: Iterable[str]) -> list[str]:
    """The other columns with more than one label."""
    used = {*taken}
    return [name for name in sheet.names if len(sheet.labels[name]) > 1 and name not in used]


def _item(sheet: Sheet) -> str:
    """A column whose name may be that of units."""
    inputs = [name for name in sheet.names if name.startswith(INPUT)]
    ids = [name for name in inputs or sheet.names if may_be_unit(name)]
    return next(iter(ids or inputs), "")


def _asked(sheet: Sheet, text: str) -> ImportFailure:
    return ImportFailure(f"{sheet.path}:1", "columns", text)


def _said(flags: Mapping[str, str]) -> str:
    return " ".join(f"{option} {shlex.quote(name)}" for option, name in flags.items())


def _named(names: Sequence[str]) -> str:
    """The names as a command takes them."""
    rest = " …" if len(names) > MOST_NAMED else ""
    return " ".join(map(shlex.quote, names[:MOST_NAMED])) + rest


def _listed(names: Sequence[str]) -> str:
    rest = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(shortened(name) for name in names[:MOST_NAMED]) + rest
