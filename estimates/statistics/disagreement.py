"""Distances between the answers at each place, by which lists of units are ordered."""

import numpy as np

from agreement import DISTANCES
from estimates.data.ratings import Ratings
from estimates.data.table import FloatArray, IntArray


def disagreement(ratings: Ratings) -> tuple[IntArray, FloatArray]:
    """Places with two answers or more, ascending, and the mean distance between these.

    Distances are the facet's own, in [0, 1]; of numbers it is their standard deviation (divisor
    n), which is in their own unit.
    """
    columns = np.lexsort((ratings.code, ratings.place))
    ordered = ratings.take(columns)
    places, which, sizes = np.unique(ordered.place, return_inverse=True, return_counts=True)
    if ratings.facet.kind == "number":
        apart = _deviation(ordered.number, which, sizes)
    else:
        apart = _mean_distance(ordered, which, sizes)
    several = sizes > 1
    return places[several], apart[several]


def distance_to_others(mine: Ratings, others: Ratings) -> tuple[IntArray, FloatArray]:
    """Places that both have answered, ascending, and the mean distance there between the one
    answer in `mine` (at most one per place) and each of the others'.

    Distances are as for `disagreement`, but of numbers their absolute difference.
    """
    mine = mine.take(np.argsort(mine.place, kind="stable"))
    others = others.take(np.argsort(others.place, kind="stable"))
    others = others.take(np.isin(others.place, mine.place))
    at = np.searchsorted(mine.place, others.place)
    if mine.facet.kind == "number":
        apart = np.abs(mine.number[at] - others.number)
    else:
        apart = _between(mine, mine.code[at], others.code)
    places, which = np.unique(others.place, return_inverse=True)
    return places, np.bincount(which, weights=apart) / np.maximum(np.bincount(which), 1)


def _deviation(numbers: FloatArray, which: IntArray, sizes: IntArray) -> FloatArray:
    means = np.bincount(which, weights=numbers, minlength=len(sizes)) / sizes
    squares = np.bincount(which, weights=(numbers - means[which]) ** 2, minlength=len(sizes))
    return np.asarray(np.sqrt(squares / sizes))


def _mean_distance(ordered: Ratings, which: IntArray, sizes: IntArray) -> FloatArray:
    """Each answer against the next of its place, then the next but one, and so on."""
    sums = np.zeros(len(sizes))
    for step in range(1, int(sizes.max(initial=1))):
        first = np.flatnonzero(which[:-step] == which[step:])
        apart = _between(ordered, ordered.code[first], ordered.code[first + step])
        sums += np.bincount(which[first], weights=apart, minlength=len(sizes))
    return sums / np.maximum(sizes * (sizes - 1) / 2, 1)


def _between(ratings: Ratings, first: IntArray, second: IntArray) -> FloatArray:
    """Distances of pairs of codes; each pair that comes up is measured once."""
    width = len(ratings.domain)
    pairs, which = np.unique(first * width + second, return_inverse=True)
    measure, domain = DISTANCES[ratings.facet.distance], ratings.domain
    distances = [measure(domain[pair // width], domain[pair % width]) for pair in pairs.tolist()]
    return np.array(distances, dtype=np.float64)[which]
