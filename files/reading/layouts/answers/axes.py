"""What the names of columns say of the answers in them: rater, criterion, system, item."""

from collections.abc import Sequence
from dataclasses import dataclass

from files.columns.cells import MOST_POINTS
from files.columns.names import MACHINE, PERSON, words_of
from files.columns.rater_names import may_name_people
from files.columns.words import (
    BASELINES,
    ITEMS,
    QUALITIES,
    RATERS,
    SYSTEMS,
)
from files.reading.doubts import Option
from files.reading.evidence.dimensions import Dimension, Family, shared
from files.reading.evidence.likeness import alike
from files.reading.evidence.system_names import are_systems, system_words
from files.reading.layouts.keys.key_names import is_form
from files.reading.layouts.outputs import Places
from files.reading.layouts.raters import ANYBODY, ask_who, who_in_columns
from files.reading.layouts.sketch import Sketch, plain_name
from files.reading.model import Axis, Holds

# So many columns of one scale in a form are things that were judged.
MANY = 8
# Rows that may not show the whole of a scale.
FEW = 30
UNIT_KEYS = (Holds.SOURCE, Holds.OUTPUT, Holds.TEXT, Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY)
_TOLD: dict[Axis, str] = {
    Axis.RATER: "who answered",
    Axis.CRITERION: "criteria",
    Axis.SYSTEM: "systems",
    Axis.SOURCE: "texts",
}


@dataclass(frozen=True)
class Rows:
    """What a row of the table tells of its answers."""

    has_unit: bool
    has_rater: bool
    has_system: bool
    come_again: bool
    is_form: bool = False
    has_output: bool = False
    has_criterion: bool = False

    @property
    def untold(self) -> list[Axis]:
        """What names of columns may tell beside it, the likeliest first."""
        axes = []
        if not self.has_unit:
            axes.append(Axis.SOURCE)
        if not self.has_rater and not self.come_again and not self.is_form:
            axes.append(Axis.RATER)
        if not self.has_criterion:
            axes.append(Axis.CRITERION)
        if not self.has_system and self.has_unit:
            axes.append(Axis.SYSTEM)
        return axes


def rows_of(sketch: Sketch) -> Rows:
    """What the decided columns tell of each row."""
    about = sketch.of(*UNIT_KEYS, Holds.SYSTEM, Holds.CRITERION)
    unit = [n for n in about if sketch.profile(n).filled]
    has_unit = bool(sketch.of(*UNIT_KEYS))
    again = sketch.sample.comes_again(unit) > 1.3 if unit else False
    has_system = bool(sketch.of(Holds.SYSTEM)) or any(
        Axis.SYSTEM in reading.at for reading in sketch.holds.values()
    )
    has_output = has_system or bool(sketch.of(Holds.TEXT, Holds.OUTPUT))
    has_rater = bool(sketch.of(Holds.RATER))
    told = bool(sketch.of(Holds.CRITERION))
    return Rows(has_unit, has_rater, has_system, again, is_form(sketch), has_output, told)


def put_family(sketch: Sketch, family: Family, places: Sequence[Places], rows: Rows) -> None:
    """Decide columns whose names differ in parts."""
    axes = _axes(sketch, family, places, rows)
    for name, place in family.places.items():
        at = {
            axis: _value(dimension, value, axis, places)
            for (axis, dimension), value in zip(axes, place, strict=True)
        }
        criterion = _criterion_of_stem(family)
        if criterion and Axis.CRITERION not in at and not sketch.of(Holds.CRITERION):
            at[Axis.CRITERION] = criterion
        kind = _kind(place, axes)
        sketch.put(name, Holds.ANSWER, at, kind=kind)


def _axes(  # noqa: PLR0912
    sketch: Sketch, family: Family, places: Sequence[Places], rows: Rows
) -> list[tuple[Axis, Dimension]]:
    """The axis of each dimension of a family."""
    found: list[Axis | None] = [
        told_axis(sketch, dimension, places, rows) for dimension in family.dimensions
    ]
    if Axis.RATER in rows.untold and not any(d.are_numbers for d in family.dimensions):
        # A person and judges, where no list has answers of several people.
        known = [_share([*map(words_of, d.values)], PERSON | MACHINE) for d in family.dimensions]
        found = [
            Axis.RATER if axis is None and "human" in d.values and share == 1 else axis
            for axis, d, share in zip(found, family.dimensions, known, strict=True)
        ]
    if found.count(Axis.RATER) > 1:
        found = [
            Axis.RATER
            if axis is Axis.RATER and found.index(Axis.RATER) == i
            else (None if axis is Axis.RATER else axis)
            for i, axis in enumerate(found)
        ]
    for index, axis in enumerate(found):
        if axis in found[:index] and family.dimensions[index].are_numbers:
            # As many raters as there are texts beside each other: the outer places are the texts'.
            found[index] = None
    untold = [index for index, axis in enumerate(found) if axis is None]
    numbers = [index for index in untold if family.dimensions[index].are_numbers]
    if len(untold) > 1 and numbers:
        # The innermost places in lists are raters.
        last = numbers[-1]
        if Axis.RATER in rows.untold and Axis.RATER not in found:
            found[last] = Axis.RATER
        for index in numbers:
            if found[index] is None and Axis.SYSTEM in rows.untold and Axis.SYSTEM not in found:
                found[index] = Axis.SYSTEM
    if Axis.RATER in found:
        ask_who(sketch, family, found.index(Axis.RATER))
    for index in untold:
        if found[index] is None:
            taken = [each for each in found if each]
            found[index] = _asked_axis(sketch, family, index, taken, rows)
    return [(axis or Axis.CRITERION, d) for axis, d in zip(found, family.dimensions, strict=True)]


def told_axis(
    sketch: Sketch, dimension: Dimension, places: Sequence[Places], rows: Rows
) -> Axis | None:
    """The axis of parts that texts beside each other have, too, or that words tell."""
    for each in places:
        if shared(dimension, each.dimension):
            return each.axis
    return axis_of(dimension, rows)


def axis_of(dimension: Dimension, rows: Rows) -> Axis | None:  # noqa: PLR0911, PLR0912 a rule a line
    """The axis that the parts of names tell by their words; None where they do not."""
    beside = words_of(plain_name(dimension.beside))
    words = [words_of(value) for value in dimension.values]
    if _share(words, QUALITIES) >= 0.5:
        return Axis.CRITERION
    is_plain = dimension.are_numbers or dimension.are_letters
    # Where rows tell the output, `R01` and `R02` are no systems.
    coded = rows.has_output and may_name_people(
        [f"{dimension.beside}{v}" for v in dimension.values]
    )
    named = coded or (not is_plain and may_name_people(dimension.values))
    # Who wrote the texts, or who answered: a person beside machines.
    mixed = "human" in dimension.values and _share(words, PERSON) < 1
    if mixed and not rows.has_rater:
        return None
    told = named or (is_plain and beside & (PERSON | RATERS))
    if told or (_share(words, PERSON | RATERS) >= 0.5 and not mixed):
        if not rows.has_rater:
            return Axis.RATER
        if not rows.has_unit:
            return Axis.SOURCE
    if is_plain and beside & SYSTEMS:
        return Axis.SYSTEM if not rows.has_system else None
    if is_plain and beside & ITEMS and not rows.has_unit:
        return Axis.SOURCE
    if is_plain and beside & {"q", "question", "frage", "criterion", "kriterium", "item"}:
        return Axis.CRITERION if rows.has_unit else Axis.SOURCE
    if _share(words, SYSTEMS) >= 0.9 and rows.has_unit and not rows.has_system:
        return Axis.SYSTEM
    if are_systems(dimension.values, dimension.beside) and not rows.has_system:
        if rows.has_output and not rows.has_rater:
            return None  # Beside one text they may be judges of it.
        told = (
            _share([*map(system_words, dimension.values)], BASELINES) > 0
            or rows.has_rater
            or rows.come_again
        )
        return Axis.SYSTEM if told else None
    if rows.is_form and not rows.has_unit and dimension.are_ids:
        return Axis.SOURCE
    return None


def _share(words: Sequence[frozenset[str]], told: frozenset[str]) -> float:
    return sum(bool(each & told) for each in words) / len(words)


def _asked_axis(
    sketch: Sketch, family: Family, index: int, taken: Sequence[Axis], rows: Rows
) -> Axis:
    dimension = family.dimensions[index]
    axes = [axis for axis in rows.untold if axis not in taken]
    if _criterion_of_stem(family) and len(axes) > 1:
        axes = [axis for axis in axes if axis is not Axis.CRITERION]
    if sketch.of(Holds.TEXT) and len(axes) > 1:
        # What stands beside a text is about it, and about no other system's.
        axes = [axis for axis in axes if axis is not Axis.SYSTEM]
    if len(family.dimensions) > 1 and Axis.CRITERION in axes:
        # Keys of objects are criteria more often than raters.
        axes = [Axis.CRITERION, *(axis for axis in axes if axis is not Axis.CRITERION)]
    columns = {
        value: [n for n, p in family.places.items() if p[index] == value]
        for value in dimension.values
    }
    if rows.has_unit and not is_one_scale(sketch, [*columns.values()]):
        # People use one scale; criteria may have one each.
        axes = [axis for axis in axes if axis is Axis.CRITERION] or axes
    people = who_in_columns(sketch, family, index) if Axis.RATER in axes else ()
    if axes == [Axis.RATER]:
        ask_who(sketch, family, index)
    return decided(sketch, dimension.values, axes, people)


def is_one_scale(sketch: Sketch, groups: Sequence[Sequence[str]]) -> bool:
    """Whether columns hold values of one scale, as the one with the most values has it."""
    profiles = [sketch.profile(group[0]) for group in groups]
    if all(profile.numeric > 0.9 and profile.filled < FEW for profile in profiles):
        # Few answers may be at one end of a scale.
        return len({value for profile in profiles for value in profile.said}) <= MOST_POINTS
    widest = max(profiles, key=lambda profile: len(profile.said))
    return sum(alike(widest, profile) for profile in profiles) >= 0.9 * len(profiles)


def decided(
    sketch: Sketch, values: Sequence[str], axes: Sequence[Axis], people: Sequence[Option] = ()
) -> Axis:
    """What several columns stand for, which is asked where it may be several things. people: whose
    answers they may hold, where they are raters'."""
    if len(axes) < 2:
        return axes[0] if axes else Axis.CRITERION
    named = ", ".join(f"`{value}`" for value in values[:3]) + (" …" if len(values) > 3 else "")
    options: list[Option] = []
    for axis in axes:
        options += people if people and axis is Axis.RATER else [Option(axis.value, _TOLD[axis])]
    key = sketch.doubts.decide("columns", f"What do the columns {named} stand for?", *options)
    if key != ANYBODY.key:
        return Axis(key)
    sketch.numbered_raters = True
    return Axis.RATER


def _value(dimension: Dimension, value: str, axis: Axis, places: Sequence[Places]) -> str:
    for each in places:
        if each.axis is axis and shared(dimension, each.dimension):
            return each.at.get(value, value)
    if axis in (Axis.RATER, Axis.SYSTEM, Axis.SOURCE) and (
        dimension.are_numbers or dimension.are_letters
    ):
        beside = plain_name(dimension.beside)
        if axis is Axis.SOURCE:
            beside = " ".join(w for w in beside.split() if not words_of(w) & QUALITIES)
        beside = beside.strip("_- .:")
        apart = "" if dimension.are_numbers and not beside[-1:].isdigit() else " "
        return f"{beside}{apart}{value}" if beside else value
    return value


def _criterion_of_stem(family: Family) -> str:
    """The criterion that all names have in common: `fluency` of `fluency_ann1`."""
    words = [
        w for w in plain_name(family.stem).replace(".", " ").split() if words_of(w) & QUALITIES
    ]
    return " ".join(words)


def _kind(place: Sequence[str], axes: Sequence[tuple[Axis, Dimension]]) -> str:
    for value, (axis, dimension) in zip(place, axes, strict=True):
        if axis is Axis.RATER:
            words = words_of(f"{value} {dimension.beside}")
            return "judge" if words & MACHINE and not words & PERSON else ""
    return ""
