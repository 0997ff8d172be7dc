"""Cells that say which of two is better, and how a file says that they are even."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from files.columns.names import words_of
from files.columns.words import NO_ANSWERS, POSITIONS, TIES

FIRST, SECOND, TIE = 1.0, 2.0, "tie"
_SAID, _SAID_BESIDE_ONE = 0.85, 0.6
_LETTERS = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class ChoiceWords:
    """What cells mean. words: cell -> position, `tie` or nothing. off: cells that mean neither,
    with how often they stand. is_coded: whether the cells are bare 0, 1, 2, whose meaning is a
    custom."""

    words: Mapping[str, float | str | None]
    off: Mapping[str, int] = field(default_factory=dict)
    names_system: bool = False
    is_coded: bool = False


def choice_words(
    values: Counter[str], systems: Collection[str], places: tuple[str, str] = ("a", "b")
) -> ChoiceWords | None:
    """What the cells of a column mean where they choose one of two; None where they do not.
    systems: the names of the two systems, as cells have them. places: the parts of columns' names
    by which the two are told apart."""
    total = values.total()
    if not total:
        return None
    codes = _codes(values)
    if codes:
        return codes
    named = {name.casefold() for name in systems}
    by_name = {value for value in values if value.casefold() in named}
    if len(by_name) > 1 and sum(values[value] for value in by_name) > 0.3 * total:
        ties = {v: TIE for v in values if v not in by_name and is_tie(v)}
        if _are_known(values, {*by_name, *ties}):
            return ChoiceWords(ties, _rest(values, {*by_name, *ties}), names_system=True)
    words: dict[str, float | str | None] = {}
    for value in values:
        meaning = _meaning(value, places)
        if meaning is not None:
            words[value] = meaning
    both = {FIRST, SECOND} <= {*words.values()}
    if not both or not _are_known(values, words):
        return None
    for value in values:
        if value not in words and value.casefold() in NO_ANSWERS:
            words[value] = None
    return ChoiceWords(words, _rest(values, words))


def _are_known(values: Counter[str], known: Collection[str]) -> bool:
    """Whether the cells say nothing else as a rule, or one thing else, which does not name both."""
    many, rest = sum(values[value] for value in known), [*_rest(values, known)]
    is_third = len(rest) == 1 and not {*_LETTERS.findall(rest[0])} & {*known}
    return many >= (_SAID_BESIDE_ONE if is_third else _SAID) * values.total()


def is_tie(value: str) -> bool:
    """Whether a cell says that both are as good."""
    words = words_of(value)
    even = bool(words & TIES) or {"no", "preference"} <= words or {"no", "difference"} <= words
    return even and len(words) <= 12


def _rest(values: Counter[str], known: Collection[str]) -> dict[str, int]:
    return {value: n for value, n in values.items() if value not in known}


def _codes(values: Counter[str]) -> ChoiceWords | None:
    """0, 1 and 2, with or without words for the others."""
    numbers = {value for value in values if re.fullmatch(r"[+-]?\d(\.0)?", value)}
    if sum(values[value] for value in numbers) < _SAID * values.total():
        return None
    common = {v for v in numbers if values[v] > 0.02 * values.total()}
    by_number = {value: float(value) for value in numbers}
    found = {by_number[value] for value in common}
    maps: list[tuple[set[float], dict[float, float | str]]] = [
        ({1, 2}, {1: FIRST, 2: SECOND, 0: TIE}),
        ({0, 1, 2}, {1: FIRST, 2: SECOND, 0: TIE}),
        ({0, 1}, {0: FIRST, 1: SECOND}),
        ({-1, 1}, {-1: FIRST, 1: SECOND, 0: TIE}),
        ({-1, 0, 1}, {-1: FIRST, 1: SECOND, 0: TIE}),
        ({1, 2, 3}, {1: FIRST, 2: SECOND, 3: TIE}),
    ]
    meaning = next((means for codes, means in maps if codes == found), None)
    if meaning is None:
        return None
    words: dict[str, float | str | None] = {
        value: meaning[number] for value, number in by_number.items() if number in meaning
    }
    words.update({value: TIE for value in values if value not in words and is_tie(value)})
    words.update({value: None for value in values if value.casefold() in NO_ANSWERS})
    return ChoiceWords(words, _rest(values, words), is_coded=found != {1, 2})


def _meaning(value: str, places: tuple[str, str]) -> float | str | None:
    """`A`, `Response 1`, `A is better`, `left`; of `neither A nor B` even."""
    if is_tie(value):
        return TIE
    words = [word.casefold() for word in _LETTERS.findall(value)]
    if len(words) > 14:
        return None
    found: set[int] = set()
    for word in words:
        place = _place(word, places, alone=len(words) == 1)
        if place is not None:
            found.add(place)
    if not found and (match := re.search(r"([ab12])\W*$", value.casefold())) and len(value) < 24:
        found = {POSITIONS[match[1]]}
    return (FIRST, SECOND)[found.pop()] if len(found) == 1 else None


def _place(word: str, places: tuple[str, str], *, alone: bool) -> int | None:
    if word in (place.casefold() for place in places):
        return [place.casefold() for place in places].index(word)
    if word in ("one", "a", "x", "y") and not alone and word not in places:
        return POSITIONS.get(word) if word == "a" else None
    return POSITIONS.get(word)
