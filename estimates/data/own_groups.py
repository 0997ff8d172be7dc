"""Groups by own columns of files: what the values of one make of rows, and of people."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from annotation.queries.group_keys import LONGEST_VALUE, MOST_GROUPS, MOST_VALUES

QUARTERS = (0.25, 0.5, 0.75)
# Properties of raters are personal data: no figure is of fewer people with the same one.
FEWEST_PEOPLE = 5
FEW = f"groups of fewer than {FEWEST_PEOPLE} people"
OTHERS = "others"
# Between the ends of a quarter of numbers.
TO = " to "


def groups_of(values: Iterable[tuple[int, str]]) -> Mapping[int, str]:
    """Row -> its group: the value itself; of more than `MOST_GROUPS` values the quarter that a
    number lies in, or one group of the rarest. None at all where values are too many or too
    long."""
    group_of = {row: value for row, value in values if value}
    rows = Counter(group_of.values())
    numbers = [number_in(value) for value in rows] if len(rows) > MOST_GROUPS else [None]
    if None not in numbers:
        return _quarters({row: float(value) for row, value in group_of.items()})
    if len(rows) > MOST_VALUES or any(len(value) > LONGEST_VALUE for value in rows):
        return {}
    return _joined(group_of, sorted(rows, key=lambda value: (-rows[value], value)))


def _joined(group_of: Mapping[int, str], values: list[str]) -> Mapping[int, str]:
    """The same with the last of too many values as one group."""
    if len(values) <= MOST_GROUPS:
        return group_of
    rare = {*values[MOST_GROUPS - 1 :]}
    others = f"{len(rare)} {OTHERS}"
    return {row: others if value in rare else value for row, value in group_of.items()}


def _quarters(number_of: Mapping[int, float]) -> Mapping[int, str]:
    """Row -> the quarter of its number, named by its least and its largest one. Equal numbers are
    together."""
    numbers = sorted(number_of.values())
    ends = [float(end) for end in np.quantile(numbers, QUARTERS, method="lower")]
    members: dict[int, list[float]] = {}
    for number in numbers:
        members.setdefault(bisect_left(ends, number), []).append(number)
    short, long = (
        {at: f"{each[0]:.{digits}g}{TO}{each[-1]:.{digits}g}" for at, each in members.items()}
        for digits in (6, 12)
    )
    names = short if len(set(short.values())) == len(short) else long
    return {row: names[bisect_left(ends, number)] for row, number in number_of.items()}


def number_in(text: str) -> float | None:
    """The number that the text is; None for any other text."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def in_order(names: Iterable[str]) -> list[str]:
    """Groups as they are listed: numbers and quarters of numbers by size, other values by name, and
    last those of several."""

    def place(name: str) -> tuple[bool, bool, float, str]:
        number = number_in(name.partition(TO)[0])
        is_of_several = name == FEW or name.endswith(f" {OTHERS}")
        return is_of_several, number is None, number or 0.0, name

    return sorted(names, key=place)


def with_enough_people(group_of: Mapping[int, str]) -> Mapping[int, str]:
    """Rater -> group, of people who answered: groups of too few people are one, or none at all
    where these together are too few as well."""
    people = Counter(group_of.values())
    joined = {
        rater: group if people[group] >= FEWEST_PEOPLE else FEW for rater, group in group_of.items()
    }
    few = sum(group == FEW for group in joined.values())
    return joined if few >= FEWEST_PEOPLE else {r: g for r, g in joined.items() if g != FEW}
