"""The reading of one group of tables, step by step."""

from collections.abc import Mapping, Sequence

from files.columns.names import words_of
from files.columns.words import SYSTEMS
from files.reading.best_worst import refuse_best_worst
from files.reading.doubts import Doubts, Option
from files.reading.evidence.dimensions import Family, shared
from files.reading.evidence.families import families
from files.reading.evidence.profiles import Content
from files.reading.evidence.samples import Sample
from files.reading.layouts.answers.axes import rows_of
from files.reading.layouts.answers.columns import answer_candidates, put_answers
from files.reading.layouts.asides import put_aside
from files.reading.layouts.file_names import put_names
from files.reading.layouts.keys.further_keys import put_further_key
from files.reading.layouts.keys.identities import put_keys
from files.reading.layouts.keys.key_names import may_answer
from files.reading.layouts.keys.repeated_ids import put_repeated_ids
from files.reading.layouts.left_out import put_left_out, put_nameless
from files.reading.layouts.marks import put_marks
from files.reading.layouts.outputs import (
    Places,
    put_family,
    put_texts,
    stand_beside,
    text_columns,
    text_families,
)
from files.reading.layouts.own_columns import put_own
from files.reading.layouts.pairs.columns import put_pair
from files.reading.layouts.people import put_kinds, put_people, put_unit, tell_machines
from files.reading.layouts.raters import People, put_rater, rater_column, sitting, told_raters
from files.reading.layouts.sketch import Sketch
from files.reading.layouts.systems import (
    are_named_systems,
    put_criteria,
    put_systems,
    put_systems_beside_files,
)
from files.reading.model import Axis, Holds

# Of the rows, so many are the only ones of their file about something.
_ONCE = 0.83
_UNIT = (
    *(Holds.SOURCE, Holds.OUTPUT, Holds.TEXT, Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY),
    *(Holds.SYSTEM, Holds.PART),
)


def sketched(
    sample: Sample,
    doubts: Doubts,
    columns: Mapping[str, Holds],
    names: Axis | None = None,
    people: People | None = None,
) -> Sketch:
    """What the columns of some tables hold. columns, people: those that somebody stated."""
    people = people or People()
    sketch = Sketch(sample, doubts)
    for name in sample.names:
        if name in columns:
            sketch.put(name, columns[name])
    if not columns:
        refuse_best_worst(sketch)
    has_people = _put_raters(sketch, people)
    told = {name: sketch.holds.pop(name) for name in sketch.of(Holds.ANSWER) if name not in columns}
    sketch.choices = put_pair(sketch)
    if not sketch.choices:
        sketch.holds |= told
    elif has_people:
        has_people = False
        put_rater(sketch)
    answers_are_told = bool(sketch.of(Holds.ANSWER))
    put_systems(sketch)
    places = _places(sketch)
    put_texts(sketch, text_columns(sketch))
    put_keys(sketch)
    if has_people:
        put_unit(sketch)
    _put_beside(sketch, places)
    _put_untold(sketch)
    put_further_key(sketch)
    if not answers_are_told:
        put_answers(sketch, places, sketch.choices, rows_of(sketch))
        put_further_key(sketch)
    put_systems(sketch)
    put_own(sketch)
    put_nameless(sketch)
    put_names(sketch, names)
    put_systems_beside_files(sketch)
    tell_machines(sketch)
    _number_raters(sketch)
    put_left_out(sketch)
    put_repeated_ids(sketch)
    _tell_raters(sketch, people)
    return sketch


def _put_raters(sketch: Sketch, people: People) -> bool:
    """Who answered, and what is no answer; whether columns are told to be people's."""
    put_kinds(sketch)
    has_people = put_people(sketch, people)
    put_aside(sketch)
    if not has_people:
        put_rater(sketch)
    put_marks(sketch)
    put_criteria(sketch)
    return has_people


def _tell_raters(sketch: Sketch, people: People) -> None:
    """Who of the raters of a long table is a machine, and who is left out."""
    if column := rater_column(sketch):
        raters = told_raters(sketch.profile(column).said, column, people, sketch.doubts)
        sketch.judges = raters.judges
        if raters.left_out:
            sketch.left_out[column] = (*sketch.left_out.get(column, ()), *raters.left_out)


def _places(sketch: Sketch) -> list[Places]:
    """The places of several raters or texts beside each other in a row."""
    places = _places_of_raters(sketch)
    if not sketch.pairs:
        answers, _ = families(answer_candidates(sketch), sketch.paths)
        for family in text_families(sketch, text_columns(sketch)):
            if not stand_beside(family, answers):
                continue
            if (found := put_family(sketch, family, answers)) is not None:
                places.append(found)
    return places


def _places_of_raters(sketch: Sketch) -> list[Places]:
    """The places of several raters beside each other in a row."""
    raters = [n for n in sketch.of(Holds.RATER) if Axis.POSITION in sketch.holds[n].at]
    found, _ = families(raters, sketch.paths)
    return [
        Places(family.dimensions[0], Axis.POSITION, {v: v for v in family.dimensions[0].values})
        for family in found
    ]


def _put_beside(sketch: Sketch, places: Sequence[Places]) -> None:
    """Decide columns that stand beside texts: the system at each place, and own columns."""
    if not places or places[0].axis is not Axis.POSITION:
        return
    candidates = answer_candidates(sketch)
    raters = [n for n in sketch.of(Holds.RATER) if Axis.POSITION in sketch.holds[n].at]
    if raters and not any(may_answer(sketch, n) for n in candidates):
        return  # What stands beside raters is what they said, whatever it is called.
    own = [n for n in (*sketch.free, *sketch.of(Holds.KEPT)) if not may_answer(sketch, n)]
    found, _ = families([n for n in sketch.sample.names if n in own], sketch.paths)
    for family in found:
        for number, dimension in enumerate(family.dimensions):
            if not shared(dimension, places[0].dimension):
                continue
            _put_own_beside(sketch, family, number, places[0])
    kept = [n for n in sketch.of(Holds.KEPT) if Axis.POSITION in sketch.holds[n].at]
    groups: dict[str, list[str]] = {}
    for family in families(kept, sketch.paths)[0]:
        number = next(
            (i for i, d in enumerate(family.dimensions) if shared(d, places[0].dimension)), 0
        )
        for name, place in family.places.items():
            rest = tuple(p for i, p in enumerate(place) if i != number)
            groups.setdefault(f"{family.stem} {rest}", []).append(name)
    if sketch.of(Holds.SYSTEM):
        return
    named = next((names for key, names in groups.items() if _name_systems(sketch, key, names)), [])
    for name in named:
        sketch.put(name, Holds.SYSTEM, sketch.holds[name].at)


def _put_own_beside(sketch: Sketch, family: Family, number: int, places: Places) -> None:
    """Decide own columns. number: of the part of their names that is a place."""
    if len(family.dimensions) > 1 and all(d.are_numbers for d in family.dimensions):
        return  # What several people said about each.
    for name, place in family.places.items():
        if not _changes(sketch, name, places.at.get(place[number], "")):
            at = {Axis.POSITION: places.at.get(place[number], place[number])}
            sketch.put(name, Holds.KEPT, at)


def _changes(sketch: Sketch, name: str, place: str) -> bool:
    """Whether a column of few points says several things about one text at its place: it holds
    answers."""
    texts = [n for n in sketch.of(Holds.TEXT) if sketch.holds[n].at.get(Axis.POSITION) == place]
    if sketch.profile(name).numeric < 0.9 or not texts or sketch.sample.comes_again(texts) < 1.3:
        return False
    return not sketch.sample.determines(texts[:1], name, share=0.95)


def _name_systems(sketch: Sketch, key: str, names: Sequence[str]) -> bool:
    profiles = [sketch.profile(name) for name in names]
    values = {value for profile in profiles for value in profile.values}
    few = all(p.content in (Content.LABELS, Content.CODES) for p in profiles)
    return few and bool(words_of(key) & (SYSTEMS | {"source"})) and 1 < len(values) <= 60


def _put_untold(sketch: Sketch) -> None:
    """Decide a column whose name says nothing, and without which rows say several things about
    one question: it names the rater, the system or the criterion."""
    sample = sketch.sample
    base = sketch.of(*_UNIT, Holds.RATER, Holds.CRITERION)
    if not base or sample.is_key(base, share=_ONCE):
        return
    kinds = (Content.LABELS, Content.CODES)
    found = []
    for name in sketch.free:
        profile = sketch.profile(name)
        fits = profile.content in kinds and not profile.is_constant and profile.share_filled > 0.9
        fits = fits and not may_answer(sketch, name) and not profile.is_unique
        if fits and sample.is_key([*base, name]) and sample.comes_again([name]) > 1.5:
            found.append(name)
    about = sketch.of(*(kind for kind in _UNIT if kind is not Holds.SYSTEM))
    axes = [
        (axis, holds)
        for axis, holds in (
            *([] if about else [(Axis.SOURCE, Holds.SOURCE)]),
            (Axis.RATER, Holds.RATER),
            (Axis.CRITERION, Holds.CRITERION),
            (Axis.SYSTEM, Holds.SYSTEM),
        )
        if not sketch.of(holds) and not any(axis in r.at for r in sketch.holds.values())
    ]
    found = [n for n in found if not _is_scale(sketch, n, about)]
    if not found or not axes:
        return
    name = found[0]
    told = {
        Axis.SOURCE: "which source was judged",
        Axis.RATER: "who answered",
        Axis.CRITERION: "the criterion",
        Axis.SYSTEM: "the system",
    }
    if Axis.RATER not in (axis for axis, _ in axes) and are_named_systems(sketch, name):
        axes = [each for each in axes if each[0] is Axis.SYSTEM]
    if len(axes) == 1:
        sketch.put(name, axes[0][1])
        return
    if about:
        axes.append((Axis.SOURCE, Holds.SOURCE))
    options = [Option(axis.value, f"`{name}` says {told[axis]}") for axis, _ in axes]
    taken = sketch.doubts.decide(f"column-{name}"[:60], f"What does `{name}` say?", *options)
    sketch.put(name, {a.value: h for a, h in axes}[taken])


def _is_scale(sketch: Sketch, name: str, about: Sequence[str]) -> bool:
    """Whether numbers are points of a scale, and do not tell apart the rows about one thing."""
    profile = sketch.profile(name)
    may_be = profile.numeric > 0.9 and profile.content is Content.LABELS
    return may_be and not any(sketch.sample.sets_apart(name, other) for other in about)


def _number_raters(sketch: Sketch) -> None:
    """Where nothing says who answered, the rows of a unit are numbered; of a form the sitting is
    the rater."""
    if not sketch.of(Holds.ANSWER):
        return
    told = sketch.of(Holds.RATER) or any(name.says is Axis.RATER for name in sketch.names)
    if told or all(Axis.RATER in sketch.holds[n].at for n in sketch.of(Holds.ANSWER)):
        return
    one = sitting(sketch)
    if one and sketch.of(Holds.ANSWER) and not sketch.of(Holds.SOURCE, Holds.OUTPUT, Holds.TEXT):
        sketch.put(one, Holds.RATER)
        return
    sketch.numbered_raters = True
