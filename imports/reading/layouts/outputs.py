"""Which columns hold texts, and which of these stand beside each other in a row."""

from collections.abc import Sequence
from dataclasses import dataclass

from imports.columns.names import MACHINE, words_of
from imports.columns.words import (
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
from imports.reading.doubts import Option
from imports.reading.evidence.families import Dimension, Family, families, shared
from imports.reading.evidence.profiles import Content
from imports.reading.layouts.sketch import Sketch, plain_name, says
from imports.reading.model import Axis, Holds

# A comment stands in some rows and says something else in each.
_COMMENT_FILLED = 0.5


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
    return short and says(name, OUTPUTS | DOCUMENTS) and not says(name, IDENTITIES)


def text_families(sketch: Sketch, texts: Sequence[str]) -> list[Family]:
    """Columns of texts that stand beside each other."""
    found, _ = families(texts, sketch.paths)
    return [family for family in found if len(family.dimensions) == 1]


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
    for name in sorted(rest, key=lambda n: not _hint(n)):
        hint = _hint(name) or Holds.DOCUMENT
        if hint in free:
            free.discard(hint)
            sketch.put(name, hint)
        elif Holds.DOCUMENT in free:
            free.discard(Holds.DOCUMENT)
            sketch.put(name, Holds.DOCUMENT)
        else:
            sketch.put(name, Holds.KEPT)


def _is_comment(sketch: Sketch, name: str, texts: Sequence[str]) -> bool:
    """Whether a text differs from row to row where others come again, or is rarely there."""
    profile = sketch.profile(name)
    if says(name, OUTPUTS | DOCUMENTS | QUERIES | CLAIMS):
        return False
    others = [sketch.profile(other) for other in texts if other != name]
    if not others and profile.share_filled > _COMMENT_FILLED:
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
    """The text that is judged: the one with such a name that others do not depend on."""
    if len(texts) == 1:
        has_others = bool(sketch.of(Holds.PART))
        is_about = _hint(texts[0]) is not None and not _says_output(texts[0])
        return "" if is_about and (has_others or _has_system(sketch)) else texts[0]
    finest = [
        name
        for name in texts
        if not any(
            sketch.sample.determines([other], name) and not sketch.sample.determines([name], other)
            for other in texts
            if other != name
        )
    ]
    named = [name for name in finest or texts if _says_output(name)]
    if len(named) == 1:
        return named[0]
    if named:
        best = [n for n in named if _hint(n) is None]
        if len(best) == 1:
            return best[0]
    untold = [name for name in finest if _hint(name) is None]
    if not named and len(untold) == 1:
        return untold[0]
    if len(finest) == 1:
        return finest[0]
    options = [Option(name, f"`{name}` holds the outputs") for name in named or untold or finest]
    if len(options) == 1:
        return options[0].key
    return sketch.doubts.decide("output", "Which column holds the texts that are judged?", *options)


def _says_output(name: str) -> bool:
    words = words_of(plain_name(name))
    if words & {"target", "reference", "source", "original", "input", "gold", "ref", "src"}:
        return bool(words & {"generated", "output", "system", "model"})
    return bool(words & (OUTPUTS | (SYSTEMS & {"model", "system", "system"}) | {"answer", "antwort"}))


def _has_system(sketch: Sketch) -> bool:
    return any(says(name, SYSTEMS) for name in sketch.free)


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
    for name, (place,) in family.places.items():
        sketch.put(name, holds, {axis: at[place]}, blank=_padding(sketch, family, name))
    return Places(dimension, axis, at)


def _axis(
    sketch: Sketch, family: Family, answers: Sequence[Family]
) -> tuple[Axis, dict[str, str]]:
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
    words = words_of(family.stem)
    others = [name for name in text_columns(sketch) if name not in family.places]
    if words & PARTS and not words & OUTPUTS and others:
        return Holds.PART
    if words & PASSAGES:
        return Holds.PASSAGES
    if words & (DOCUMENTS - ANSWERS) and not words & OUTPUTS:
        return Holds.DOCUMENT
    return Holds.TEXT


def _padding(sketch: Sketch, family: Family, name: str) -> tuple[str, ...]:
    """The value that stands in many cells of several columns at once, where texts should be."""
    found = [v for v, n in sketch.profile(name).values.items() if len(v) <= 12 and n > 1]
    spread = [
        value
        for value in found
        if sum(sketch.profile(n).values[value] > 1 for n in family.columns) >= 2
        and (value.isupper() or value.casefold() in ("blank", "none", "n/a", "-", "empty", "nan"))
    ]
    return tuple(spread[:1])


def are_systems(dimension: Dimension) -> bool:
    """Whether parts of names are names of systems."""
    told = sum(bool(words_of(value) & (MACHINE | SYSTEMS)) for value in dimension.values)
    return told >= 0.5 * len(dimension.values) or bool(words_of(dimension.beside) & SYSTEMS)
