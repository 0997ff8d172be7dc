"""Which texts people are asked about: drawn at random within each of the judge's verdicts."""

from collections.abc import Mapping, Sequence
from random import Random

# Every so many drawn texts of a verdict one is marked by a second person.
DOUBLED = 3


def drawn_order(verdicts: Mapping[str, str], *, seed: int) -> Mapping[str, Sequence[str]]:
    """For each verdict all of its units in the random order in which they are drawn. A part of
    that order, counted from its beginning, is a simple random sample of the verdict's units."""
    order = {}
    for label in sorted(set(verdicts.values())):
        units = sorted(unit for unit, said in verdicts.items() if said == label)
        Random(f"{seed}/{label}").shuffle(units)  # noqa: S311 (a draw, not a secret)
        order[label] = units
    return order


def share_out(sizes: Mapping[str, int], wanted: int, before: Mapping[str, int]) -> dict[str, int]:
    """How many units of each verdict are drawn, `before` included, where `wanted` more are.

    As many of each verdict as of any other, but for those with too few: the rare verdict is where
    a judge's errors weigh most, and those without a flag are where its misses are.
    """
    numbers = {label: before.get(label, 0) for label in sizes}
    for _ in range(wanted):
        open_ = [label for label in sorted(sizes) if numbers[label] < sizes[label]]
        if not open_:
            break
        numbers[min(open_, key=lambda label: numbers[label])] += 1
    return numbers


def doubles_of(order: Mapping[str, Sequence[str]], numbers: Mapping[str, int]) -> set[str]:
    """Every third drawn unit of each verdict, beginning with the first: a random part of it."""
    return {unit for label, units in order.items() for unit in units[: numbers[label] : DOUBLED]}
