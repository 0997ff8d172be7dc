"""Pairs of raters whose answers are all equal: copied from one another, or one rater twice."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int64]
# Fewer shared units say nothing; raters are never taken to agree more often than that by nature;
# and so unlikely is what is called equal beyond chance.
FEWEST, MOST_ALIKE, UNLIKELY = 30, 0.95, 0.001


@dataclass(frozen=True)
class EqualPair:
    """Two raters who gave equal answers to all `shared` units that both rated."""

    first: int
    second: int
    shared: int


def equal_pairs(units: Codes, raters: Codes, values: Codes) -> list[EqualPair]:
    """The pairs of raters who never differ, where that is hardly chance.

    units, raters, values: (n,) whole numbers from 0, one entry per rating; no rater rates a unit
    twice. Values are compared for equality alone; a missing rating has no entry.

    A pair is given if it shares 30 units or more, was not equal by saying one thing throughout,
    and if p ** shared < 0.001. p is the share of equal answers that either rater has with all
    others, the larger of the two and at most 0.95, which it also is where there are no others:
    raters of an easy question are often equal by nature. In the order of the raters. Nothing
    is undefined: without such a pair the list is empty.

    Source: the probability of a run of successes; the limits are conventions of this program.
    """
    if not len(units):
        return []
    n_raters = int(raters.max()) + 1
    shared, equal = _counts(units, raters, values, n_raters)
    totals, equals = shared.sum(axis=1), equal.sum(axis=1)
    pairs = []
    for first, second in np.argwhere(np.triu((shared >= FEWEST) & (shared == equal), 1)).tolist():
        n = int(shared[first, second])
        of_others = [
            (equals[rater] - n) / (totals[rater] - n)
            for rater in (first, second)
            if totals[rater] > n
        ]
        likely = min(MOST_ALIKE, max(of_others, default=MOST_ALIKE))
        varied = _varied(units, values, raters == first, raters == second)
        if likely**n < UNLIKELY and varied:
            pairs.append(EqualPair(first, second, n))
    return pairs


def _counts(units: Codes, raters: Codes, values: Codes, n_raters: int) -> tuple[Codes, Codes]:
    """For each two raters the units that both rated, and those with equal answers; symmetric."""
    order = np.lexsort((raters, units))
    units, raters, values = units[order], raters[order], values[order]
    shared = np.zeros(n_raters * n_raters, dtype=np.int64)
    equal = np.zeros_like(shared)
    for first, second in _beside(units):
        pair = raters[first] * n_raters + raters[second]
        shared += np.bincount(pair, minlength=len(shared))
        alike = values[first] == values[second]
        equal += np.bincount(pair[alike], minlength=len(equal))
    both = (shared.reshape(n_raters, -1), equal.reshape(n_raters, -1))
    return both[0] + both[0].T, both[1] + both[1].T


def _beside(units: Codes) -> Iterator[tuple[Codes, Codes]]:
    """Positions of every two ratings of one unit; units are ascending."""
    most = int(np.bincount(units).max())
    for step in range(1, most):
        first = np.flatnonzero(units[:-step] == units[step:])
        yield first, first + step


def _varied(
    units: Codes, values: Codes, first: npt.NDArray[np.bool_], second: npt.NDArray[np.bool_]
) -> bool:
    """Whether their equal answers are not all the same one."""
    both = np.isin(units[first], units[second])
    return len(np.unique(values[first][both])) > 1
