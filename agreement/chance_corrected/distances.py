"""How far apart two values are: every distance, by name, in one mapping."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..values.coding import (
    FloatArray,
    IntArray,
    Kind,
    PackedRankings,
    PackedSets,
    code_values,
)

# How the disagreement of a whole table follows from a distance without visiting all V x V pairs:
# "equality" from counts alone, "squares" from sums of squares, "ranks" likewise on mid-ranks of
# the table at hand, "pairs" by visiting the pairs.
Form = Literal["equality", "squares", "ranks", "pairs"]


@dataclass(frozen=True)
class Distance:
    """A distance between values of one kind: 0 on equal values, symmetric, never negative.

    kind: what a value is: a label (any hashable), a number, a set of labels, or ranks (the
        rank of each candidate, as a mapping or in a fixed order).
    between: (domain of V values, i, j) -> distances, i and j integer arrays that broadcast.

    Calling it with two plain values gives their distance. The ordinal distance depends on how
    often each value occurs in a table; called on two values it takes each as seen once.
    """

    name: str
    kind: Kind
    form: Form
    between: Callable[[Any, IntArray, IntArray], FloatArray]

    def __call__(self, first: object, second: object) -> float:
        codes, domain = code_values([first, second], self.kind)
        if codes.min() < 0:
            raise ValueError("a missing value has no distance")
        return float(self.between(domain, codes[:1], codes[1:])[0])


def _nominal(_domain: Any, i: IntArray, j: IntArray) -> FloatArray:
    return np.not_equal(i, j).astype(np.float64)


def _ordinal(_domain: Any, i: IntArray, j: IntArray) -> FloatArray:
    return (i - j).astype(np.float64) ** 2


def _interval(domain: FloatArray, i: IntArray, j: IntArray) -> FloatArray:
    return (domain[i] - domain[j]) ** 2


def _ratio(domain: FloatArray, i: IntArray, j: IntArray) -> FloatArray:
    """((a - b) / (a + b))^2; 0 between 0 and 0."""
    if (domain < 0).any():
        raise ValueError("the ratio distance takes numbers from 0 upwards")
    total = domain[i] + domain[j]
    return ((domain[i] - domain[j]) / np.where(total > 0, total, 1.0)) ** 2


def _intersection(domain: PackedSets, i: IntArray, j: IntArray) -> FloatArray:
    shared = np.zeros(np.broadcast_shapes(i.shape, j.shape))
    for word in domain.words.T:  # one word at a time: no third axis in memory
        shared += np.bitwise_count(word[i] & word[j])
    return shared


def _jaccard(domain: PackedSets, i: IntArray, j: IntArray) -> FloatArray:
    """1 - |A and B| / |A or B|; 0 between two empty sets, 1 between an empty and another."""
    shared = _intersection(domain, i, j)
    union = domain.sizes[i] + domain.sizes[j] - shared
    return np.where(union > 0, (union - shared) / np.maximum(union, 1), 0.0)


def _masi(domain: PackedSets, i: IntArray, j: IntArray) -> FloatArray:
    """1 - J m: m = 1 for equal sets, 2/3 when one holds the other, 1/3 overlap, 0 disjoint."""
    shared = _intersection(domain, i, j)
    small = np.minimum(domain.sizes[i], domain.sizes[j])
    large = np.maximum(domain.sizes[i], domain.sizes[j])
    weight = np.select([shared == large, shared == small, shared > 0], [1.0, 2 / 3, 1 / 3], 0.0)
    return np.asarray(1.0 - (1.0 - _jaccard(domain, i, j)) * weight)


def _kendall(domain: PackedRankings, i: IntArray, j: IntArray) -> FloatArray:
    """Share of the pairs of candidates in opposite order; half a pair where one ties them."""
    apart = np.zeros(np.broadcast_shapes(i.shape, j.shape))
    for signs in domain.signs.T:  # one pair at a time: no third axis in memory
        apart += np.abs(signs[i] - signs[j])
    return np.asarray(apart / max(2 * domain.signs.shape[1], 1))


DISTANCES: dict[str, Distance] = {
    distance.name: distance
    for distance in (
        Distance("nominal", "label", "equality", _nominal),
        Distance("ordinal", "number", "ranks", _ordinal),
        Distance("interval", "number", "squares", _interval),
        Distance("ratio", "number", "pairs", _ratio),
        Distance("jaccard", "set", "pairs", _jaccard),
        Distance("masi", "set", "pairs", _masi),
        Distance("kendall", "ranks", "pairs", _kendall),
    )
}


def distance_named(name: str) -> Distance:
    """The distance of that name; ValueError naming the known ones."""
    if name not in DISTANCES:
        raise ValueError(f"unknown distance {name!r}: one of {', '.join(DISTANCES)}")
    return DISTANCES[name]
