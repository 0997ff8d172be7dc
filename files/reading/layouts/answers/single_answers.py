"""Columns of answers that are of no family: a rater's, a criterion's, a system's or a text's."""

from collections.abc import Sequence

from files.columns.names import MACHINE, PERSON, words_of
from files.columns.rater_names import are_accounts
from files.columns.words import (
    ANSWERS,
    CHOICES,
    IDENTITIES,
    OUTPUTS,
    QUALITIES,
    RATERS,
)
from files.reading.evidence.families import is_question
from files.reading.evidence.system_names import are_systems
from files.reading.layouts.answers.axes import MANY, Rows, decided, is_one_scale
from files.reading.layouts.keys.key_names import is_form
from files.reading.layouts.outputs import Places
from files.reading.layouts.sketch import ANSWER, Sketch, plain_name
from files.reading.model import Axis, Holds


def put_single(  # noqa: PLR0912
    sketch: Sketch, names: Sequence[str], places: Sequence[Places], rows: Rows
) -> None:
    """Decide columns that are of no family."""
    people = [] if rows.has_rater else [n for n in names if _names_rater(n)]
    others = [n for n in names if n not in people]
    for name in people:
        machine = words_of(name) & MACHINE and not words_of(name) & PERSON
        sketch.put(
            name, Holds.ANSWER, {Axis.RATER: rater_name(name)}, kind="judge" if machine else ""
        )
    systems = _beside(sketch, others, places)
    others = [n for n in others if n not in systems]
    if not others:
        return
    by_people = any(Axis.RATER in sketch.holds[n].at for n in sketch.of(Holds.ANSWER))
    many = rows.is_form and len(others) >= MANY
    told = [n for n in others if names_criterion(n) and not (many and is_question(n))]
    untold = [n for n in others if n not in told]
    if len(others) == 1 and not by_people:
        _put_one(sketch, others[0])
        return
    if by_people and untold and not told:
        # Beside people's columns the others may be anybody's.
        same = [n for n in untold if is_one_scale(sketch, [[n], sketch.of(Holds.ANSWER)[:1]])]
        if same:
            axis = decided(sketch, same, [Axis.RATER, Axis.CRITERION])
            for name in same:
                sketch.put(name, Holds.ANSWER, {axis: name})
        return
    axis = Axis.CRITERION
    if untold and len(untold) > 1 and not told:
        axes = rows.untold
        if not is_one_scale(sketch, [[n] for n in untold]):
            axes = [a for a in axes if a is Axis.CRITERION] or axes
        if is_form(sketch) and Axis.SOURCE in axes and len(untold) >= MANY:
            axes = [Axis.SOURCE]
        if _may_be_systems(untold) and Axis.SYSTEM in axes and rows.has_rater:
            axes = [Axis.SYSTEM]
        axis = decided(sketch, untold, axes)
    elif not rows.has_unit:
        axis = Axis.SOURCE if not told else Axis.CRITERION
    for name in others:
        sketch.put(name, Holds.ANSWER, {axis: plain_name(name) if axis is Axis.CRITERION else name})


def _beside(sketch: Sketch, names: Sequence[str], places: Sequence[Places]) -> list[str]:
    """Columns called as the systems whose texts stand beside each other."""
    done = []
    for each in places:
        for name in names:
            value = next((v for v in each.dimension.values if v.casefold() == name.casefold()), "")
            if value:
                sketch.put(name, Holds.ANSWER, {each.axis: each.at[value]})
                done.append(name)
    return done


def _put_one(sketch: Sketch, name: str) -> None:
    """A column of answers that stands alone: its name is a criterion unless it is `rating`."""
    words = words_of(plain_name(name)) - IDENTITIES
    generic = not words - ANSWERS - CHOICES - {"overall", "human", "answer", "q"}
    at = {} if generic or sketch.of(Holds.CRITERION) else {Axis.CRITERION: plain_name(name)}
    sketch.put(name, Holds.ANSWER, at)


def rater_name(name: str) -> str:
    """Who the rater is by the name of a column: `gpt` of `gpt_result`."""
    words = [w for w in plain_name(name).replace("-", " - ").split("_") if w]
    kept = [w for w in words if w.casefold() not in ANSWERS | {"eval", "human_eval"}]
    return "_".join(kept).replace(" - ", "-") or name


def _names_rater(name: str) -> bool:
    words = words_of(plain_name(name))
    told = bool(words & (PERSON | RATERS | MACHINE)) or are_accounts((name, name))
    return not is_question(name) and not words & QUALITIES and told


def names_criterion(name: str) -> bool:
    """Whether a name says what was asked."""
    words = words_of(plain_name(name))
    return is_question(name) or name.startswith(ANSWER) or bool(words & QUALITIES)


def _may_be_systems(names: Sequence[str]) -> bool:
    return are_systems(names) and not any(words_of(name) & OUTPUTS for name in names)
