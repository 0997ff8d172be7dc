"""Whose answers columns hold, and which raters of rows are judges: as stated, or as names say."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from files.columns.cells import LONGEST_LABEL, MOST_POINTS
from files.columns.names import (
    CRITERION,
    LABELS,
    MACHINE,
    MODEL,
    SUMMARY,
    Role,
    column_role,
    customary,
    may_be_unit,
    plain,
    rest_of,
    words_of,
)
from files.columns.rater_names import may_name_people
from files.columns.words import ASIDE, IDENTITIES, ITEMS, REMARKS
from files.reading.doubts import Option
from files.reading.evidence.families import families
from files.reading.layouts.raters import MOST_NAMED, People, ask_who, names_rater
from files.reading.layouts.sketch import Sketch, says, says_only
from files.reading.model import Axis, ColumnReading, Holds
from files.reading.rows.answers import KINDS

# Columns with half of their values in common may hold labels of one kind.
_SHARED = 0.5
_MOST_BESIDE = 50
_MOST_KEYS = 5
# What the name of a column that stands alone may say.
_OF_LONE = frozenset((Axis.CRITERION,))
_FREE = ColumnReading(column="-", holds=Holds.KEPT)
_PREDICTED = frozenset(("prediction", "predictions", "predicted", "pred", "preds", "classifier"))


def put_people(sketch: Sketch, stated: People) -> bool:
    """Decide columns that hold the labels of one rater each, where they were stated or their names
    say so, and no choices between two texts; whether there are any."""
    said = any(name in stated for name in sketch.sample.names)
    if sketch.of(Holds.RATER, Holds.ANSWER) or (not said and _is_long(sketch)):
        return False
    free = [name for name in sketch.free if _has_labels(sketch, name)]
    free = [
        name
        for name in free
        if name in stated or not (_has_names(sketch, name) or _names_systems(sketch, name))
    ]
    humans, judges = _told(sketch, free, stated)
    if not said and _are_of_rows(sketch, [n for n in (*judges, *humans) if n in free]):
        return False
    untold = [] if stated.humans else _untold(sketch, free, humans, judges)
    if not said and (
        not (humans or (untold and judges)) or _are_several([*humans, *untold], judges)
    ):
        return False
    if untold and not _are_people(sketch, untold):
        untold = []
    if not said and len(humans) + len(untold) + len(judges) < 2:
        return False
    found = [] if said else families([*humans, *untold], sketch.paths)[0]
    if any(len(family.dimensions) > 1 for family in found):
        return False  # They are of a rater and something else each.
    for name in sketch.sample.names:
        if name in humans or name in untold or name in judges:
            kind = "judge" if name in judges else "human"
            sketch.put(name, Holds.ANSWER, {Axis.RATER: name}, kind=kind)
    for family in found:
        ask_who(sketch, family, 0)
    return True


def _are_of_rows(sketch: Sketch, names: Sequence[str]) -> bool:
    """Whether rows name who answered, and columns called like raters are those of systems: what
    machines say of something is the same wherever it stands, what a row's rater says is not."""
    raters = [n for n in sketch.free if n not in names and names_rater(sketch, n)]
    said = {value for name in names for value in sketch.profile(name).said}
    raters = [n for n in raters if not said & {*sketch.profile(n).said}]
    if not raters:
        return False
    rest = [n for n in sketch.free if n not in names and n not in raters]
    # Labels beside them say nothing of what a row is about, though in few rows two may seem to.
    rest = [n for n in rest if not _alike(sketch, n, names)]
    rest = [n for n in rest if not says(n, ASIDE | REMARKS)]
    rest = [n for n in rest if not sketch.sample.determines(raters[:1], n)]
    keys = [n for n in rest if 1.3 < sketch.sample.comes_again([n]) < len(sketch.sample)]
    about = [[n] for n in keys[:_MOST_KEYS]] + [
        [*two] for two in combinations(keys[:_MOST_KEYS], 2)
    ]
    return bool(keys) and not any(
        sketch.sample.determines(each, name) for name in names[:2] for each in about
    )


def _is_in_list(sketch: Sketch, name: str) -> bool:
    """Whether cells are one member of a list of answers; of a judge there would be one alone."""
    path = sketch.paths.get(name, ())
    return len(path) > 1 and path[-1].isdigit()


def _is_beside_rater(sketch: Sketch, name: str) -> bool:
    """Whether a member of an object stands beside the one that says who answered."""
    path = sketch.paths.get(name, ())
    return len(path) > 1 and any(
        other != name and sketch.paths.get(other, ())[:-1] == path[:-1]
        for other in sketch.free
        if names_rater(sketch, other)
    )


def _told(sketch: Sketch, free: Sequence[str], stated: People) -> tuple[list[str], list[str]]:
    """People's columns and judges'. Those that are stated are all of their kind; of the other kind
    are those whose names say so."""
    roles = {name: column_role(name) for name in free}
    humans = stated.humans or [name for name in free if roles[name] is Role.PERSON]
    judges = stated.judges or [name for name in free if roles[name] is Role.JUDGE]
    judges = [name for name in judges if name in stated or not _is_in_list(sketch, name)]
    humans = [name for name in humans if name in stated or not _is_beside_rater(sketch, name)]
    return (
        [name for name in humans if name not in stated.judges],
        [name for name in judges if name not in stated.humans],
    )


def _untold(
    sketch: Sketch, free: Sequence[str], humans: Sequence[str], judges: Sequence[str]
) -> list[str]:
    """Columns that may be people's: their names say so of a machine, too, or say nothing and they
    hold the labels of other columns."""
    roles = {name: column_role(name) for name in free}
    rest = [name for name in free if name not in (*humans, *judges)]
    rest = [name for name in rest if not says_only(name, ITEMS, IDENTITIES)]
    beside = [*humans, *judges][:_MOST_BESIDE]
    # What somebody knew beforehand may be one person's where there is no other.
    known = [n for n in rest if words_of(n) & SUMMARY and not humans]
    alike = [n for n in rest if roles[n] is Role.UNTOLD or n in known]
    alike = [n for n in alike if _alike(sketch, n, beside)]
    return [name for name in rest if roles[name] is Role.EITHER or name in alike]


def _are_people(sketch: Sketch, names: Sequence[str]) -> bool:
    shown = ", ".join(f"`{name}`" for name in names[:MOST_NAMED])
    options = (Option("rater", "one person's each"), Option("criterion", "no one person's"))
    text = f"Whose answers are in the columns {shown}?"
    return sketch.doubts.decide("columns", text, *options) == "rater"


def _are_several(people: Sequence[str], judges: Sequence[str]) -> bool:
    """Whether columns are of several criteria: of one rater, they are no two people."""
    criteria = {words_of(name) & CRITERION for name in (*people, *judges)} - {frozenset()}
    rests = [rest_of(name) for name in people]
    every = Counter([*rests, *map(rest_of, judges)])
    again = any(rest & CRITERION or (rest and every[rest] > 1) for rest in rests)
    return bool(criteria) or (len({*rests}) > 1 and again)


def judged_columns(sketch: Sketch) -> list[str]:
    """The columns of judges, where others are people's on the same criterion."""
    columns = [sketch.holds[name] for name in sketch.of(Holds.ANSWER)]
    of_people = {each.at.get(Axis.CRITERION) for each in columns if each.kind != "judge"}
    judged = [each for each in columns if each.kind == "judge"]
    return [each.column for each in judged if each.at.get(Axis.CRITERION) in of_people]


def tell_machines(sketch: Sketch) -> None:
    """Decide that columns are a judge's that nobody is said to have filled, and whose names say
    that a machine predicts."""
    if sketch.of(Holds.RATER) or any(name.says is Axis.RATER for name in sketch.names):
        return
    for name in sketch.of(Holds.ANSWER):
        is_flat = len(sketch.paths.get(name, ())) < 2 and not {*sketch.holds[name].at} - _OF_LONE
        if is_flat and words_of(name) & (MACHINE | _PREDICTED):
            sketch.change(name, {Axis.RATER: name}, kind="judge")


def _is_long(sketch: Sketch) -> bool:
    """Whether a column with the name of such a column says who answered, unless it holds labels
    itself, as `annotator` beside `llm_judge` may."""
    free = [name for name in sketch.free if _has_labels(sketch, name)]
    rater = customary(sketch.free, LABELS["rater"], plain)
    label = customary(free, LABELS["label"], plain)
    if not rater or sketch.profile(rater).longest > LONGEST_LABEL:
        return False
    told = [name for name in free if _is_told(name)]
    is_apart = _sets_apart(sketch, rater, told)
    if not is_apart and _alike(sketch, rater, [label, *told] if label else told):
        return False
    if label or is_apart:
        return True
    people = any(column_role(name) is Role.PERSON for name in told)
    return column_role(rater) is not Role.JUDGE and not (people and len(told) > 1)


def _has_names(sketch: Sketch, name: str) -> bool:
    """Whether a column called `annotator` has no labels, but names of annotators, or numbers that
    tell apart who answered about one thing."""
    if may_name_people(sketch.profile(name).said):
        return True
    if not _may_say_who(sketch.own_name(name)):
        return False
    told = [other for other in sketch.free if _has_labels(sketch, other) and _is_told(other)]
    return not _alike(sketch, name, told) or _sets_apart(sketch, name, told)


def _sets_apart(sketch: Sketch, name: str, labels: Sequence[str]) -> bool:
    """Whether it says something else in each row about one thing, as who answered does."""
    rest = [other for other in sketch.free if other not in (name, *labels)]
    return any(sketch.sample.sets_apart(name, other) for other in rest)


def _names_systems(sketch: Sketch, name: str) -> bool:
    """Whether a column called `model` names systems: no other column has any of its words."""
    if plain(name) not in MODEL:
        return False
    own = {*sketch.profile(name).said}
    others = ({*sketch.profile(other).said} for other in sketch.sample.names if other != name)
    return not any(own & theirs for theirs in others)


def put_unit(sketch: Sketch) -> None:
    """Decide the column of units where columns are people's: the first one by whose name units may
    be told in which every row, with its system, is one."""
    about = sketch.of(Holds.SYSTEM)
    if sketch.of(Holds.OUTPUT):
        return
    sources = [name for name in sketch.of(Holds.SOURCE) if name in sketch.sample.columns]
    if sources and _is_key(sketch, [*sources, *about]):
        return
    for name in (*sketch.free, *sketch.of(Holds.KEPT)):
        named = may_be_unit(name) or plain(name) in LABELS["unit"]
        if named and not sketch.holds.get(name, _FREE).at and _is_key(sketch, [name, *about]):
            sketch.put(name, Holds.OUTPUT if sources else Holds.SOURCE)
            return


def _is_key(sketch: Sketch, names: Sequence[str]) -> bool:
    """Whether no row says the same in these columns as another one."""
    keys = sketch.sample.keys(names)
    return len({*keys}) == len(keys) and all(sketch.sample.cells(names[0]))


def put_kinds(sketch: Sketch) -> None:
    """Decide the column that says whether raters are people or judges."""
    name = customary(sketch.free, LABELS["kind"], plain)
    if name and any(value.casefold() in KINDS for value in sketch.profile(name).said):
        sketch.put(name, Holds.KIND)


def _is_told(name: str) -> bool:
    return column_role(name) in (Role.PERSON, Role.JUDGE) and not _may_say_who(name)


def _may_say_who(name: str) -> bool:
    return column_role(name) is Role.PERSON and plain(name) in LABELS["rater"]


def _has_labels(sketch: Sketch, name: str) -> bool:
    profile = sketch.profile(name)
    few = len(profile.said) <= MOST_POINTS or profile.numeric == 1
    return bool(profile.said) and few and profile.longest <= LONGEST_LABEL


def _alike(sketch: Sketch, name: str, others: Iterable[str]) -> bool:
    """Whether one of the other columns has mostly the same labels. A column that numbers the rows
    has none that come twice."""
    own = {*sketch.profile(name).said}
    if not own or len(own) > MOST_POINTS or len(own) >= max(len(sketch.sample), 3):
        return False
    every = ({*sketch.profile(other).said} for other in others if other != name)
    return any(len(own & theirs) >= _SHARED * len(own | theirs) for theirs in every)
