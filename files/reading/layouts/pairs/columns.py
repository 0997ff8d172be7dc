"""Rows that show two outputs, and say which one is better."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from files.columns.names import PERSON, words_of
from files.columns.words import CHOICES, DOCUMENTS, IDENTITIES, OUTPUTS, RATERS, SYSTEMS
from files.reading.doubts import Option
from files.reading.evidence.choices import TIE, ChoiceWords, choice_words
from files.reading.evidence.dimensions import Dimension, Family
from files.reading.evidence.families import families
from files.reading.evidence.profiles import Content
from files.reading.layouts.outputs import are_positions, text_columns, text_families
from files.reading.layouts.pairs.choice_codes import decided
from files.reading.layouts.sketch import Sketch, says
from files.reading.model import Axis, Holds

_BETWEEN = ("_vs_", " vs. ", " vs ", "-vs-", " | ", "|", " / ", "/", "__", ",", ";", "_", "-", " ")
_BOTH = ("1", "2")
# Of all answers; a slip is rarer.
_NO_SLIP = 0.03
# Two people may differ in a few.
_FEWEST_OPPOSITE = 8


@dataclass(frozen=True)
class Pair:
    """What tells of the two. places: the parts of names. texts, systems: their columns, the first
    and the second. key: a column whose cells name both systems, separated by `mark`."""

    places: tuple[str, str] = ("a", "b")
    texts: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    key: str = ""
    mark: str = ""
    named: tuple[str, ...] = ()


def put_pair(sketch: Sketch) -> dict[str, ChoiceWords]:
    """Decide the columns of two outputs beside each other; the columns that choose between them,
    with what their cells mean. None: rows are no pairs."""
    found = _pair(sketch)
    if not found:
        return {}
    choices = _choices(sketch, found)
    if not choices:
        return {}
    for place, name in zip(_BOTH, found.texts, strict=False):
        sketch.put(name, Holds.TEXT, {Axis.POSITION: place})
    for place, name in zip(_BOTH, found.systems, strict=False):
        sketch.put(name, Holds.SYSTEM, {Axis.POSITION: place})
    if found.key:
        sketch.put(found.key, Holds.SYSTEM, split=found.mark)
    for name, system in zip(found.texts, found.named, strict=False):
        if system:
            sketch.change(name, {Axis.SYSTEM: system})
    sketch.pairs = True
    return _told_once(sketch, choices)


def _pair(sketch: Sketch) -> Pair | None:
    named_systems = _systems(sketch, None)
    texts = _called_as(sketch, named_systems) if named_systems else None
    texts = texts or _twins(sketch, text_families(sketch, text_columns(sketch)))
    systems = _systems(sketch, texts)
    key, mark = ("", "") if systems else _key(sketch)
    if not (texts or systems or key):
        return None
    places = _places(texts) if texts else _places(systems) if systems else ("a", "b")
    columns = _in_order(texts) if texts else ()
    named: tuple[str, ...] = ()
    lone = [name for name in sketch.free if _is_other_system(sketch, name, texts)]
    if texts and not systems and not key and not are_positions(texts.dimensions[0]):
        values = [texts.places[name][0] for name in columns]
        named = tuple("" if v.casefold() in ("other", "baseline") and lone else v for v in values)
        if lone and "" in named:
            sketch.put(lone[0], Holds.SYSTEM, {Axis.POSITION: _BOTH[named.index("")]})
    return Pair(places, columns, _in_order(systems) if systems else (), key, mark, named)


def _called_as(sketch: Sketch, systems: Family) -> Family | None:
    """Two columns of texts whose names tell places as those of the systems do, however deep they
    are nested: the answers to a prompt, which stands beside both."""
    first, second = _places(systems)
    texts = text_columns(sketch)
    twins = {n: re.sub(rf"(?<![^\W_]){first}(?![^\W_])", second, n) for n in texts}
    twins = {n: twin for n, twin in twins.items() if twin != n and twin in texts}
    same = [n for n, t in twins.items() if sketch.sample.cells(n) == sketch.sample.cells(t)]
    apart = [n for n in twins if n not in same]
    if not same or not apart:
        return None
    options = [Option(n, f"`{n}` and `{twins[n]}`") for n in apart]
    asked = "Which texts were compared?"
    taken = sketch.doubts.decide("compared", asked, *options) if apart[1:] else apart[0]
    for name in same:
        sketch.put(twins[name], Holds.LEFT_OUT)
    dimension = Dimension((first, second), systems.dimensions[0].beside)
    return Family(systems.stem, (dimension,), {taken: (first,), twins[taken]: (second,)})


def _twins(sketch: Sketch, found: Sequence[Family]) -> Family | None:
    """Two columns of texts: by places, or by the names of two systems."""
    two = [family for family in found if len(family.places) == 2]
    for family in two:
        if are_positions(family.dimensions[0]) and not _are_about(family):
            return family
    for family in two:
        values = {word for value in family.dimensions[0].values for word in words_of(value)}
        if not values & (DOCUMENTS | {"generated", "output"} | OUTPUTS):
            return family
    return None


def _are_about(family: Family) -> bool:
    words = words_of(family.stem)
    return bool(words & DOCUMENTS) and not words & OUTPUTS


def _places(family: Family) -> tuple[str, str]:
    first, second = (family.places[name][0] for name in _in_order(family))
    return first, second


def _in_order(family: Family) -> tuple[str, ...]:
    dimension = family.dimensions[0]
    if not are_positions(dimension):
        return family.columns
    right = ("right", "second", "two", "rechts", "zweite")
    return tuple(
        sorted(
            family.columns,
            key=lambda name: (family.places[name][0].casefold() in right, family.places[name]),
        )
    )


def _systems(sketch: Sketch, texts: Family | None) -> Family | None:
    """Two columns with the names of systems."""
    kinds = (Content.LABELS, Content.CODES)
    names = [n for n in sketch.free if sketch.profile(n).content in kinds]
    named = [n for n in names if says(n, SYSTEMS)]
    found = [f for f in families(named, sketch.paths)[0] if len(f.places) == 2]
    found = [f for f in found if len(f.dimensions) == 1 and are_positions(f.dimensions[0])]
    if found or not texts:
        return found[0] if found else None
    words = [n for n in names if sketch.profile(n).numeric < 0.5]
    others = [f for f in families(words, sketch.paths)[0] if len(f.places) == 2]
    for family in others:
        if {*family.dimensions[0].values} == {*texts.dimensions[0].values}:
            one, other = ({*sketch.profile(name).values} for name in family.columns)
            if len(one & other) >= 0.3 * min(len(one), len(other)) and not _choose(family):
                return family
    return None


def _choose(family: Family) -> bool:
    return bool(words_of(family.stem) & (CHOICES | IDENTITIES))


def _key(sketch: Sketch) -> tuple[str, str]:
    """A column each cell of which names two systems, and the mark between them."""
    for name in sketch.free:
        profile = sketch.profile(name)
        if profile.content not in (Content.LABELS, Content.CODES) or profile.longest > 100:
            continue
        for mark in _BETWEEN:
            halves = [value.split(mark) for value in profile.values]
            if any(len(half) != 2 or not all(half) for half in halves) or len(halves) < 2:
                continue
            both = ({half[0].strip() for half in halves}, {half[1].strip() for half in halves})
            every = both[0] | both[1]
            if any(not re.search("[A-Za-z]", half) for half in every):
                continue
            meet = len(both[0] & both[1]) >= 0.3 * min(map(len, both))
            if len(every) <= 40 and len(every) < 2 * len(halves) and (meet or "vs" in mark):
                return name, mark
    return "", ""


def _is_other_system(sketch: Sketch, name: str, texts: Family | None) -> bool:
    """Whether a column tells with whom the first system is compared: `other_dataset`."""
    profile = sketch.profile(name)
    if not texts or not profile.is_categorical or profile.numeric > 0.5:
        return False
    values = {value.casefold() for value in texts.dimensions[0].values}
    return bool({word.casefold() for word in words_of(name)} & values) or says(name, SYSTEMS)


def _choices(sketch: Sketch, pair: Pair) -> dict[str, ChoiceWords]:
    """The columns that choose one of the two."""
    systems = _system_names(sketch, pair)
    found: dict[str, ChoiceWords] = {}
    of_one = _of_one(sketch, pair)
    for name in sketch.free:
        profile = sketch.profile(name)
        taken = (*pair.texts, *pair.systems, pair.key)
        kinds = (Content.LABELS, Content.CODES)
        if name in taken or profile.content not in kinds or profile.separator:
            continue
        words = choice_words(profile.values, systems, pair.places)
        if words and name in of_one and not words.names_system:
            continue
        if words and not _is_other(sketch, name, words):
            found[name] = words
    return found


def _of_one(sketch: Sketch, pair: Pair) -> set[str]:
    """Columns numbered or called as the two are, which tell of one of them each."""
    told = {place.casefold() for place in (*pair.places, *pair.named) if place}
    found: set[str] = set()
    kinds = (Content.LABELS, Content.NUMBERS)
    taken = (*pair.texts, *pair.systems, pair.key)
    labels = [n for n in sketch.free if sketch.profile(n).content in kinds and n not in taken]
    for family in families(labels, sketch.paths)[0]:
        for dimension in family.dimensions:
            if are_positions(dimension) and words_of(dimension.beside) & (PERSON | RATERS):
                continue
            if {value.casefold() for value in dimension.values} == told:
                found |= {*family.places}
    return found


def _is_other(sketch: Sketch, name: str, words: ChoiceWords) -> bool:
    """Whether bare numbers are rather something else, such as an id or a count; or `t1` and `t2`
    those of a series of ids."""
    is_id = says(name, IDENTITIES) and not says(name, CHOICES)
    return (words.is_coded and says(name, IDENTITIES | SYSTEMS)) or (is_id and bool(words.off))


def _system_names(sketch: Sketch, pair: Pair) -> set[str]:
    cells = {v for name in pair.systems for v in sketch.profile(name).values}
    if pair.key:
        halves = [value.split(pair.mark) for value in sketch.profile(pair.key).values]
        cells |= {half.strip() for each in halves for half in each}
    others = [n for n, r in sketch.holds.items() if r.holds is Holds.SYSTEM]
    cells |= {value for name in others for value in sketch.profile(name).values}
    return cells | {*pair.named} - {""}


def _told_once(sketch: Sketch, choices: dict[str, ChoiceWords]) -> dict[str, ChoiceWords]:
    """The choices without those that say what another says the other way round: best, worst."""
    kept: dict[str, ChoiceWords] = {}
    for name, words in choices.items():
        mirror = next((o for o in kept if _mirrored(sketch, o, name, kept[o], words)), "")
        if mirror:
            sketch.put(name, Holds.LEFT_OUT)
            sketch.mirrored.add(name)
            text = f"`{name}` says what `{mirror}` says, the other way round, and is left out."
            sketch.remarks.append(("mirrored", text))
        else:
            kept[name] = words
    return {
        name: decided(sketch, name, _with_odd_word(sketch, name, words))
        for name, words in kept.items()
    }


def _with_odd_word(sketch: Sketch, name: str, words: ChoiceWords) -> ChoiceWords:
    """What a third word means that is too common for a slip."""
    total = sum(sketch.profile(name).values.values())
    common = [word for word, many in words.off.items() if many >= _NO_SLIP * total]
    if len(common) != 1 or TIE in words.words.values():
        return words
    (word,) = common
    taken = sketch.doubts.decide(
        "third-word",
        f"What does `{word}` mean in `{name}`?",
        Option("tie", "both are as good"),
        Option("none", "no answer"),
    )
    if taken == "none":
        return words
    rest = {other: many for other, many in words.off.items() if other != word}
    return replace(words, words={**words.words, word: TIE}, off=rest)


def _mirrored(
    sketch: Sketch, one: str, other: str, first: ChoiceWords, second: ChoiceWords
) -> bool:
    if first.names_system or second.names_system:
        return False
    cells = zip(sketch.sample.cells(one), sketch.sample.cells(other), strict=True)
    told = [(first.words.get(a), second.words.get(b)) for a, b in cells if a and b]
    opposite = sum(a != b and None not in (a, b) for a, b in told)
    return len(told) >= _FEWEST_OPPOSITE and opposite >= 0.9 * len(told)
