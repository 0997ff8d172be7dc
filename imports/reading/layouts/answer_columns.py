"""Which columns hold answers, and what their names say of these: rater, criterion, system, item."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from imports.columns.names import MACHINE, PERSON, words_of
from imports.columns.sheet import MOST_POINTS
from imports.columns.words import (
    ANSWERS,
    BASELINES,
    CHOICES,
    IDENTITIES,
    ITEMS,
    OUTPUTS,
    QUALITIES,
    RATERS,
    SYSTEMS,
)
from imports.reading.doubts import Option
from imports.reading.evidence.families import Dimension, Family, families, is_question, shared
from imports.reading.evidence.profiles import Content, Profile
from imports.reading.layouts.identities import is_form, may_answer
from imports.reading.layouts.outputs import Places, are_systems
from imports.reading.layouts.sketch import ANSWER, Sketch, plain_name, says, says_only
from imports.reading.model import Axis, Holds

# Names of answers, or of what somebody knew beforehand.
_MAY_DESCRIBE = ("category", "class", "type", "response", "verdict", "decision", "kategorie")
# So many columns of one scale in a form are things that were judged.
_MANY = 8
_FEW = 30
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

    @property
    def untold(self) -> list[Axis]:
        """What names of columns may tell beside it, the likeliest first."""
        axes = []
        if not self.has_unit:
            axes.append(Axis.SOURCE)
        if not self.has_rater and not self.come_again:
            if not self.is_form:
                axes.append(Axis.RATER)
        axes.append(Axis.CRITERION)
        if not self.has_system and self.has_unit:
            axes.append(Axis.SYSTEM)
        return axes


def rows_of(sketch: Sketch) -> Rows:
    """What the decided columns tell of each row."""
    keys = (Holds.SOURCE, Holds.OUTPUT, Holds.TEXT, Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY)
    unit = [n for n in sketch.of(*keys, Holds.SYSTEM) if sketch.profile(n).filled]
    has_unit = bool(sketch.of(*keys))
    again = sketch.sample.comes_again(unit) > 1.3 if unit else False
    has_system = bool(sketch.of(Holds.SYSTEM)) or any(
        Axis.SYSTEM in reading.at for reading in sketch.holds.values()
    )
    return Rows(has_unit, bool(sketch.of(Holds.RATER)), has_system, again, is_form(sketch))


def answer_candidates(sketch: Sketch) -> list[str]:
    """Free columns that may hold answers."""
    return [name for name in sketch.free if _may_hold(sketch, name)]


def _may_hold(sketch: Sketch, name: str) -> bool:
    profile = sketch.profile(name)
    if profile.content is Content.LABELS:
        return not (says(name, IDENTITIES) and not may_answer(sketch, name) and not _is_numbered(name))
    if profile.content is Content.NUMBERS:
        return not says(name, IDENTITIES - {"nummer", "number"}) or _is_numbered(name)
    if profile.content is Content.CODES:
        return bool(profile.separator) and may_answer(sketch, name)
    return False


def _is_numbered(name: str) -> bool:
    return name.strip().isdigit()


def put_answers(
    sketch: Sketch, places: Sequence[Places], chosen: Iterable[str], rows: Rows
) -> None:
    """Decide the columns of answers among the free ones. places: of texts beside each other.
    chosen: columns that choose one of two."""
    chosen = [*chosen]
    names = chosen or _of_one_question(
        sketch, _answering(sketch, answer_candidates(sketch), rows)
    )
    found, single = families(names, sketch.paths)
    for family in [f for f in found if _is_by_chance(sketch, f, names, places, rows)]:
        found.remove(family)
        single = [name for name in names if name in (*single, *family.places)]
    for family in found:
        _put_family(sketch, family, places, rows)
    if single:
        _put_single(sketch, single, places, rows)
    for name in sketch.of(Holds.ANSWER):
        if sketch.profile(name).separator and places and places[0].axis is Axis.POSITION:
            sketch.set_columns = (*sketch.set_columns, name)


def _is_by_chance(
    sketch: Sketch,
    family: Family,
    names: Sequence[str],
    places: Sequence[Places],
    rows: Rows,
) -> bool:
    """Whether names have a word in common as `new_info` and `amount_info` have, beside others."""
    if rows.is_form and len(names) >= _MANY:
        told = [_told_axis(sketch, d, places, rows) for d in family.dimensions]
        return Axis.CRITERION not in told and Axis.SOURCE not in told
    if len(family.dimensions) > 1 or len(family.places) == len(names):
        return False
    (dimension,) = family.dimensions
    if dimension.are_numbers or dimension.are_letters:
        return False
    return _told_axis(sketch, dimension, places, rows) is None


def _answering(sketch: Sketch, names: Sequence[str], rows: Rows) -> list[str]:
    """Those of the candidates that hold answers: by their names, or since they have the values of
    others that do, or since what they say changes while what the row is about stays the same."""
    told = [name for name in names if may_answer(sketch, name) or _names_somebody(name)]
    if len(told) == 1 and says_only(told[0], _MAY_DESCRIBE, IDENTITIES):
        told = [] if not (rows.has_rater or rows.come_again) else told
    if len(told) == 1 and sketch.profile(told[0]).is_constant and len(sketch.sample) > _FEW:
        return []
    rest = [name for name in names if name not in told]
    if not told:
        return _untold(sketch, rest, rows)
    alike = [
        name
        for name in rest
        if sketch.profile(name).is_categorical
        and any(_alike(sketch.profile(name), sketch.profile(other)) for other in told)
        and not _is_own(sketch, name, rows)
    ]
    return [name for name in names if name in told or name in alike]


def _of_one_question(sketch: Sketch, names: Sequence[str]) -> list[str]:
    """Where a form has the words of its questions: those that begin as most of them do."""
    asked = {name: " ".join(sketch.questions.get(name, "").split()[:3]) for name in names}
    if not any(asked.values()):
        return [*names]
    most, n = Counter(asked.values()).most_common(1)[0]
    return [name for name in names if asked[name] == most] if n > 2 else [*names]


def _names_somebody(name: str) -> bool:
    return bool(words_of(plain_name(name)) & (PERSON | RATERS | MACHINE))


def _untold(sketch: Sketch, names: Sequence[str], rows: Rows) -> list[str]:
    groups = [[name] for name in names if not _is_own(sketch, name, rows)]
    merged: list[list[str]] = []
    for (name,) in groups:
        home = next((g for g in merged if _alike(sketch.profile(g[0]), sketch.profile(name))), None)
        if home is None:
            merged.append([name])
        else:
            home.append(name)
    several = [group for group in merged if len(group) > 1]
    if len(several) == 1:
        return several[0]
    if several:
        return [name for group in several for name in group]
    numbers = [g[0] for g in merged if sketch.profile(g[0]).numeric > 0.9]
    if len(numbers) == 1:
        return numbers
    lone = [group[0] for group in merged]
    if len(lone) < 2 and not (rows.has_rater or rows.come_again):
        return _own_or_answers(sketch, lone)
    if len(lone) < 2:
        return lone
    options = [Option(name, f"`{name}` holds the answers") for name in (numbers or lone)[:4]]
    return [sketch.doubts.decide("answers", "Which column holds the answers?", *options)]


def _own_or_answers(sketch: Sketch, names: list[str]) -> list[str]:
    """A column of few values beside texts may be what somebody answered, or their category."""
    if not names:
        return []
    sketch.is_doubtful = True
    taken = sketch.doubts.decide(
        "own",
        f"Does `{names[0]}` hold answers of somebody who judged the texts?",
        Option("own", "no, it describes the texts"),
        Option("answers", "yes, they are answers"),
    )
    return names if taken == "answers" else []


def _is_own(sketch: Sketch, name: str, rows: Rows) -> bool:
    """Whether a column says the same of all rows about one thing, and is no answer to it."""
    keys = sketch.of(Holds.SOURCE, Holds.OUTPUT, Holds.SYSTEM, Holds.TEXT, Holds.DOCUMENT)
    if not keys or not rows.come_again and not rows.has_rater:
        return False
    sample = sketch.sample
    again = sample.comes_again(keys) > 1.3
    one = next((k for k in (*sketch.of(Holds.SOURCE),) if sample.comes_again([k]) > 1.3), "")
    by_source = bool(one) and sample.determines([one], name, share=0.999)
    return by_source or (again and sample.determines(keys, name, share=0.999))


def _alike(one: Profile, other: Profile) -> bool:
    """Whether two columns hold labels of one kind."""
    if one.content is other.content is Content.NUMBERS:
        return True
    if one.content is not other.content and min(one.numeric, other.numeric) < 0.9:
        return False
    first, second = ({v.casefold() for v in p.said} for p in (one, other))
    if one.numeric > 0.9 and other.numeric > 0.9:
        # Of ratings not all points need occur.
        low, high = _ends(one)
        lower, higher = _ends(other)
        return min(high, higher) - max(low, lower) >= 0.5 * min(high - low, higher - lower) and (
            max(high, higher) - min(low, lower) <= 2 * max(1, max(high - low, higher - lower))
        )
    return len(first & second) >= 0.5 * max(1, min(len(first), len(second)))


def _ends(profile: Profile) -> tuple[float, float]:
    numbers = [float(v.replace(",", ".")) for v in profile.said if v[:1] in "+-.0123456789" and _is(v)]
    return (min(numbers), max(numbers)) if numbers else (0.0, 0.0)


def _is(value: str) -> bool:
    try:
        float(value.replace(",", "."))
    except ValueError:
        return False
    return True


# --- What names say ------------------------------------------------------------------------------


def _put_family(
    sketch: Sketch, family: Family, places: Sequence[Places], rows: Rows
) -> None:
    axes = _axes(sketch, family, places, rows)
    for name, place in family.places.items():
        at = {
            axis: _value(dimension, value, axis, places)
            for (axis, dimension), value in zip(axes, place, strict=True)
        }
        criterion = _criterion_of_stem(family, axes)
        if criterion and Axis.CRITERION not in at and not sketch.of(Holds.CRITERION):
            at[Axis.CRITERION] = criterion
        kind = _kind(place, axes)
        sketch.put(name, Holds.ANSWER, at, kind=kind)


def _axes(
    sketch: Sketch, family: Family, places: Sequence[Places], rows: Rows
) -> list[tuple[Axis, Dimension]]:
    """The axis of each dimension of a family."""
    found: list[Axis | None] = [
        _told_axis(sketch, dimension, places, rows) for dimension in family.dimensions
    ]
    if found.count(Axis.RATER) > 1:
        found = [Axis.RATER if axis is Axis.RATER and found.index(Axis.RATER) == i else
                 (None if axis is Axis.RATER else axis) for i, axis in enumerate(found)]
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
    for index in untold:
        if found[index] is None:
            taken = [each for each in found if each]
            found[index] = _asked_axis(sketch, family, index, taken, rows)
    return [(axis or Axis.CRITERION, d) for axis, d in zip(found, family.dimensions, strict=True)]


def _told_axis(
    sketch: Sketch, dimension: Dimension, places: Sequence[Places], rows: Rows
) -> Axis | None:
    for each in places:
        if shared(dimension, each.dimension):
            return each.axis
    return axis_of(dimension, rows)


def axis_of(dimension: Dimension, rows: Rows) -> Axis | None:
    """The axis that the parts of names tell by their words; None where they do not."""
    beside = words_of(plain_name(dimension.beside))
    words = [words_of(value) for value in dimension.values]
    if _share(words, QUALITIES) >= 0.5:
        return Axis.CRITERION
    is_plain = dimension.are_numbers or dimension.are_letters
    if is_plain and beside & (PERSON | RATERS) or _share(words, PERSON | RATERS) >= 0.5:
        return Axis.RATER if not rows.has_rater else Axis.SOURCE if not rows.has_unit else None
    if is_plain and beside & SYSTEMS:
        return Axis.SYSTEM if not rows.has_system else None
    if is_plain and beside & ITEMS and not rows.has_unit:
        return Axis.SOURCE
    if is_plain and beside & {"q", "question", "frage", "criterion", "kriterium", "item"}:
        return Axis.CRITERION if rows.has_unit else Axis.SOURCE
    if _share(words, SYSTEMS) >= 0.9 and rows.has_unit and not rows.has_system:
        return Axis.SYSTEM
    if are_systems(dimension) and not rows.has_system:
        told = _share(words, BASELINES) > 0 or rows.has_rater or rows.come_again
        return Axis.SYSTEM if told else None
    return None


def _share(words: Sequence[frozenset[str]], told: frozenset[str]) -> float:
    return sum(bool(each & told) for each in words) / len(words)


def _asked_axis(
    sketch: Sketch, family: Family, index: int, taken: Sequence[Axis], rows: Rows
) -> Axis:
    dimension = family.dimensions[index]
    axes = [axis for axis in rows.untold if axis not in taken]
    if len(family.dimensions) > 1 and Axis.CRITERION in axes:
        # Keys of objects are criteria more often than raters.
        axes = [Axis.CRITERION, *(axis for axis in axes if axis is not Axis.CRITERION)]
    columns = {value: [n for n, p in family.places.items() if p[index] == value]
               for value in dimension.values}
    if not _one_scale(sketch, [*columns.values()]):
        # People use one scale; criteria may have one each.
        axes = [axis for axis in axes if axis is Axis.CRITERION] or axes
    return _decided(sketch, dimension.values, axes)


def _one_scale(sketch: Sketch, groups: Sequence[Sequence[str]]) -> bool:
    """Whether columns hold values of one scale, as the one with the most values has it."""
    profiles = [sketch.profile(group[0]) for group in groups]
    if all(profile.numeric > 0.9 and profile.filled < _FEW for profile in profiles):
        # Few answers may be at one end of a scale.
        return len({value for profile in profiles for value in profile.said}) <= MOST_POINTS
    widest = max(profiles, key=lambda profile: len(profile.said))
    return sum(_alike(widest, profile) for profile in profiles) >= 0.9 * len(profiles)


def _decided(sketch: Sketch, values: Sequence[str], axes: Sequence[Axis]) -> Axis:
    if len(axes) < 2:
        return axes[0] if axes else Axis.CRITERION
    named = ", ".join(f"`{value}`" for value in values[:3]) + (" …" if len(values) > 3 else "")
    options = [Option(axis.value, f"{_TOLD[axis]}") for axis in axes]
    key = sketch.doubts.decide("columns", f"What do the columns {named} stand for?", *options)
    return Axis(key)


def _value(dimension: Dimension, value: str, axis: Axis, places: Sequence[Places]) -> str:
    for each in places:
        if each.axis is axis and shared(dimension, each.dimension):
            return each.at.get(value, value)
    if axis in (Axis.RATER, Axis.SYSTEM, Axis.SOURCE) and (
        dimension.are_numbers or dimension.are_letters
    ):
        beside = plain_name(dimension.beside).strip("_- .")
        return f"{beside}{'' if dimension.are_numbers else ' '}{value}" if beside else value
    return value


def _criterion_of_stem(family: Family, axes: Sequence[tuple[Axis, Dimension]]) -> str:
    """The criterion that all names have in common: `fluency` of `fluency_ann1`."""
    words = [w for w in plain_name(family.stem).replace(".", " ").split() if words_of(w) & QUALITIES]
    return " ".join(words)


def _kind(place: Sequence[str], axes: Sequence[tuple[Axis, Dimension]]) -> str:
    for value, (axis, dimension) in zip(place, axes, strict=True):
        if axis is Axis.RATER:
            words = words_of(f"{value} {dimension.beside}")
            return "judge" if words & MACHINE and not words & PERSON else ""
    return ""


# --- Columns of no family ------------------------------------------------------------------------


def _put_single(
    sketch: Sketch, names: Sequence[str], places: Sequence[Places], rows: Rows
) -> None:
    people = [] if rows.has_rater else [n for n in names if _names_rater(n)]
    others = [n for n in names if n not in people]
    if people and any(r.holds is Holds.ANSWER and Axis.RATER in r.at for r in sketch.holds.values()):
        pass
    for name in people:
        machine = words_of(name) & MACHINE and not words_of(name) & PERSON
        sketch.put(name, Holds.ANSWER, {Axis.RATER: rater_name(name)}, kind="judge" if machine else "")
    systems = _beside(sketch, others, places)
    others = [n for n in others if n not in systems]
    if not others:
        return
    by_people = any(Axis.RATER in sketch.holds[n].at for n in sketch.of(Holds.ANSWER))
    many = rows.is_form and len(others) >= _MANY
    told = [n for n in others if _names_criterion(n) and not (many and is_question(n))]
    untold = [n for n in others if n not in told]
    if len(others) == 1 and not by_people:
        _put_one(sketch, others[0])
        return
    if by_people and untold and not told:
        # Beside people's columns the others may be anybody's.
        alike = [n for n in untold if _one_scale(sketch, [[n], sketch.of(Holds.ANSWER)[:1]])]
        if alike:
            axis = _decided(sketch, alike, [Axis.RATER, Axis.CRITERION])
            for name in alike:
                sketch.put(name, Holds.ANSWER, {axis: name})
        return
    axis = Axis.CRITERION
    if untold and len(untold) > 1 and not told:
        axes = rows.untold
        if not _one_scale(sketch, [[n] for n in untold]):
            axes = [a for a in axes if a is Axis.CRITERION] or axes
        if is_form(sketch) and Axis.SOURCE in axes and len(untold) >= _MANY:
            axes = [Axis.SOURCE]
        if all(_may_be_systems(n) for n in untold) and Axis.SYSTEM in axes and rows.has_rater:
            axes = [Axis.SYSTEM]
        axis = _decided(sketch, untold, axes)
    elif not rows.has_unit:
        axis = Axis.SOURCE if not told else Axis.CRITERION
    for name in others:
        sketch.put(name, Holds.ANSWER, {axis: _title(name) if axis is Axis.CRITERION else name})


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
    at = {} if generic or sketch.of(Holds.CRITERION) else {Axis.CRITERION: _title(name)}
    sketch.put(name, Holds.ANSWER, at)


def _title(name: str) -> str:
    return plain_name(name)


def rater_name(name: str) -> str:
    """Who the rater is by the name of a column: `gpt` of `gpt_result`."""
    words = [w for w in plain_name(name).replace("-", " - ").split("_") if w]
    kept = [w for w in words if w.casefold() not in ANSWERS | {"eval", "human_eval"}]
    return "_".join(kept).replace(" - ", "-") or name


def _names_rater(name: str) -> bool:
    words = words_of(plain_name(name))
    return not is_question(name) and not words & QUALITIES and bool(words & (PERSON | RATERS | MACHINE))


def _names_criterion(name: str) -> bool:
    words = words_of(plain_name(name))
    return is_question(name) or name.startswith(ANSWER) or bool(words & QUALITIES)


def _may_be_systems(name: str) -> bool:
    return bool(words_of(name) & (MACHINE | SYSTEMS)) and not words_of(name) & OUTPUTS
