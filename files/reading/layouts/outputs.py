"""Which columns hold texts, and which of these stand beside each other in a row."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from files.columns.names import words_of
from files.columns.words import (
    ANSWERS,
    CLAIMS,
    DOCUMENTS,
    IDENTITIES,
    OUTPUTS,
    PARTS,
    PASSAGES,
    POSITIONS,
    QUERIES,
    SYSTEMS,
)
from files.reading.doubts import Option
from files.reading.evidence.dimensions import Dimension, Family, shared
from files.reading.evidence.families import families
from files.reading.evidence.profiles import Content
from files.reading.evidence.system_names import are_systems
from files.reading.layouts.sketch import Sketch, plain_name, says
from files.reading.model import Axis, Holds

# A comment stands in some rows and says something else in each.
_COMMENT_FILLED = 0.5
_OUTPUT_FILLED = 0.9
_TARGETS = frozenset(["target", "reference", "ref", "gold"])


@dataclass(frozen=True)
class Places:
    """An axis that columns of texts span: what `at` has for each part of their names."""

    dimension: Dimension
    axis: Axis
    at: dict[str, str]


def text_columns(sketch: Sketch) -> list[str]:
    """Free columns that hold texts."""
    return [name for name in sketch.free if _is_text(sketch, name)]


def _is_text(sketch: Sketch, name: str) -> bool:
    profile = sketch.profile(name)
    if profile.content is Content.TEXTS:
        return True
    # Short outputs, such as captions or answers of a word.
    short = profile.content is Content.CODES and profile.mean_length > 8
    return (
        short and says(name, OUTPUTS | DOCUMENTS | CLAIMS | QUERIES) and not says(name, IDENTITIES)
    )


def text_families(sketch: Sketch, texts: Sequence[str]) -> list[Family]:
    """Columns of texts that stand beside each other."""
    found, _ = families(texts, sketch.paths)
    every, _ = families(sketch.free, sketch.paths)
    lines = [line for family in found for line in _lines(family)]
    return [_widened(line, [w for f in every for w in _lines(f)]) for line in lines]


def _lines(family: Family) -> list[Family]:
    """The family as families of one dimension: of several, those that tell places."""
    if len(family.dimensions) == 1:
        return [family]
    places = [n for n, d in enumerate(family.dimensions) if are_positions(d)]
    if len(places) != 1:
        return []
    (place,) = places
    groups: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
    for name, parts in family.places.items():
        others = tuple(part for n, part in enumerate(parts) if n != place)
        groups.setdefault(others, {})[name] = (parts[place],)
    found = []
    for others, members in groups.items():
        stem = " ".join((family.stem, *others)).strip()
        values = tuple(dict.fromkeys(part for (part,) in members.values()))
        found.append(Family(stem, (Dimension(values, stem),), members))
    return [each for each in found if len(each.places) > 1]


def _widened(family: Family, every: Sequence[Family]) -> Family:
    """The family with its columns that hold no texts, such as those that are mostly padding."""
    wider = (each for each in every if family.places.keys() <= each.places.keys())
    found = next((each for each in wider if len(each.dimensions) == 1), family)
    return found if found.dimensions[0].are_numbers else family


def stand_beside(family: Family, answers: Sequence[Family]) -> bool:
    """Whether columns of texts are told apart by places, by systems, or as answers are."""
    (dimension,) = family.dimensions
    words = {word for value in dimension.values for word in words_of(value)}
    if are_positions(dimension):
        return True
    return not words & DOCUMENTS and (
        are_systems(dimension.values, dimension.beside) or _any_shared(family, answers)
    )


def are_positions(dimension: Dimension) -> bool:
    """Whether parts of names tell places: numbers, letters, left and right."""
    if dimension.are_numbers or dimension.are_letters:
        return True
    return {value.casefold() for value in dimension.values} <= {*POSITIONS}


def numbered(dimension: Dimension) -> dict[str, str]:
    """What `at` has for the parts: their number."""
    if dimension.are_numbers:
        return {value: str(int(value)) for value in dimension.values}
    return {value: str(place) for place, value in enumerate(sorted(dimension.values), 1)}


def put_texts(sketch: Sketch, texts: Sequence[str]) -> None:
    """Decide columns of texts that stand alone: the output, and what it is about."""
    texts = [name for name in texts if not _is_comment(sketch, name, texts)]
    if not texts:
        return
    taken = bool(sketch.of(Holds.TEXT))
    output = "" if taken else _output(sketch, texts)
    if output:
        sketch.put(output, Holds.TEXT)
    free = {Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY, Holds.PASSAGES} - {
        reading.holds for reading in sketch.holds.values()
    }
    rest = [name for name in texts if name != output]
    documents = _documents(sketch, rest) if Holds.DOCUMENT in free else ()
    for name in documents:
        sketch.put(name, Holds.DOCUMENT)
    for name in (each for each in rest if each not in documents):
        hint = _hint(name) or Holds.KEPT
        if hint is Holds.DOCUMENT:
            hint = Holds.KEPT
        if hint not in free:
            hint = Holds.DOCUMENT if not documents and Holds.DOCUMENT in free else Holds.KEPT
        free.discard(hint)
        sketch.put(name, hint)


def _documents(sketch: Sketch, texts: Sequence[str]) -> Sequence[str]:
    """The text that outputs are about, of those that nothing else tells, or all members of one
    object; empty: there is none."""
    named = [name for name in texts if _hint(name) is Holds.DOCUMENT]
    # What was to come out is no document, though `target` may name one.
    plain = [name for name in named if not words_of(plain_name(name)) & (OUTPUTS | _TARGETS)]
    fit = plain or named[:1] or [name for name in texts if _hint(name) is None]
    outer = {sketch.paths.get(name, ("",))[:-1] for name in fit}
    if len(fit) < 2 or (len(outer) == 1 and outer != {()}):
        return fit
    options = [Option(name, f"`{name}` holds the documents") for name in fit[:4]]
    asked = "Which column holds the documents that the texts are about?"
    return [sketch.doubts.decide("document", asked, *options)]


def _is_comment(sketch: Sketch, name: str, texts: Sequence[str]) -> bool:
    """Whether a text differs from row to row where others come again, or is rarely there."""
    profile = sketch.profile(name)
    if says(name, OUTPUTS | DOCUMENTS | QUERIES | CLAIMS):
        return False
    others = [sketch.profile(other) for other in texts if other != name]
    if not others and profile.share_filled > _COMMENT_FILLED:
        return False
    judged = [n for n in texts if n != name and (_hint(n) is None or _says_output(n) > 0)]
    if not judged and profile.share_filled > _OUTPUT_FILLED:
        return False
    again = any(other.filled >= 1.5 * len(other.values) for other in others)
    own = profile.filled <= 1.2 * len(profile.values)
    is_one = (again and own) or profile.share_filled < _COMMENT_FILLED
    if is_one:
        sketch.put(name, Holds.KEPT)
    return is_one


def _hint(name: str) -> Holds | None:
    words = words_of(plain_name(name))
    for holds, told in (
        (Holds.QUERY, QUERIES),
        (Holds.CLAIM, CLAIMS),
        (Holds.PASSAGES, PASSAGES),
        (Holds.DOCUMENT, DOCUMENTS),
    ):
        if words & told:
            return holds
    return None


def _output(sketch: Sketch, texts: Sequence[str]) -> str:
    """The text that is judged: the one with such a name, which no other one tells."""
    if len(texts) == 1:
        has_others = bool(sketch.of(Holds.PART))
        is_about = _hint(texts[0]) is not None and _says_output(texts[0]) < 1
        return "" if is_about and (has_others or _has_system(sketch)) else texts[0]
    fit = {name: 2 * _says_output(name) + _fineness(sketch, name, texts) for name in texts}
    best = [name for name in texts if fit[name] == max(fit.values())]
    if len(best) == 1:
        return best[0]
    options = [Option(name, f"`{name}` holds the outputs") for name in best]
    return sketch.doubts.decide("output", "Which column holds the texts that are judged?", *options)


def _fineness(sketch: Sketch, name: str, texts: Sequence[str]) -> int:
    """1 where there are more such texts than of another column that they tell, -1 where one of
    several such texts is told by another one."""
    sample, others = sketch.sample, [other for other in texts if other != name]
    told = [other for other in others if sample.determines([name], other)]
    finer = [other for other in others if sample.determines([other], name)]
    more = any(other not in finer for other in told)
    return 1 if more else -1 if any(other not in told for other in finer) else 0


def _says_output(name: str) -> int:
    words = words_of(plain_name(name))
    if words & {"generated", "output", "outputs", "hypothesis", "candidate", "prediction"}:
        return 3
    if words & {"target", "reference", "source", "original", "input", "gold", "ref", "src"}:
        return -2
    hint = _hint(name)
    if words & OUTPUTS:
        return 2 if hint is None else 1
    if words & {"answer", "antwort", "system", "model"}:
        return 1
    return -2 if hint else 0


def _has_system(sketch: Sketch) -> bool:
    return bool(sketch.of(Holds.SYSTEM)) or any(says(name, SYSTEMS) for name in sketch.free)


def put_family(sketch: Sketch, family: Family, answers: Sequence[Family]) -> Places | None:
    """Decide columns of texts beside each other, where answers or other columns have the same
    parts; None where nothing tells what the parts are."""
    (dimension,) = family.dimensions
    holds = _family_holds(sketch, family)
    if holds is not Holds.TEXT and holds is not Holds.PART:
        for name in family.columns:
            sketch.put(name, holds)
        return None
    axis, at = _axis(sketch, family, answers)
    blank = _padding(sketch, family)
    for name, (place,) in family.places.items():
        sketch.put(name, holds, {axis: at[place]}, blank=blank)
    return Places(dimension, axis, at)


def _axis(sketch: Sketch, family: Family, answers: Sequence[Family]) -> tuple[Axis, dict[str, str]]:
    (dimension,) = family.dimensions
    if not are_positions(dimension):
        return Axis.SYSTEM, {value: value for value in dimension.values}
    at = numbered(dimension)
    is_nested = any(len(sketch.paths.get(name, ())) > 1 for name in family.columns)
    full = all(sketch.profile(name).share_filled > 0.97 for name in family.columns)
    if is_nested and full and len(dimension.values) > 2 and _any_shared(family, answers):
        taken = sketch.doubts.decide(
            "places",
            f"`{family.stem}` has {len(dimension.values)} texts in each row. Is each place a "
            "system of its own?",
            Option("systems", "each place is a system, the same in all rows"),
            Option("outputs", "places mean nothing: they only number the outputs"),
        )
        if taken == "systems":
            return Axis.SYSTEM, at
        return Axis.OUTPUT, at
    return Axis.POSITION, at


def _any_shared(family: Family, answers: Sequence[Family]) -> bool:
    (dimension,) = family.dimensions
    return any(shared(dimension, other) for each in answers for other in each.dimensions)


def _family_holds(sketch: Sketch, family: Family) -> Holds:
    words = words_of(family.stem) - ({"input"} if sketch.is_of_turk else frozenset())
    others = [name for name in text_columns(sketch) if name not in family.places]
    if words & PARTS and not words & OUTPUTS and others:
        return Holds.PART
    if words & PASSAGES:
        return Holds.PASSAGES
    if words & (DOCUMENTS - ANSWERS) and not words & OUTPUTS:
        return Holds.DOCUMENT
    return Holds.TEXT


def _padding(sketch: Sketch, family: Family) -> tuple[str, ...]:
    """The value that stands in many cells of several columns, where texts should be."""
    columns = Counter(
        value
        for name in family.columns
        for value, n in sketch.profile(name).values.items()
        if n > 1 and len(value) <= 12
    )
    customary = ("blank", "none", "n/a", "-", "empty", "nan", "null", "pad", "[pad]", "<pad>")
    return tuple(v for v, n in columns.items() if n > 1 and v.casefold() in customary)
