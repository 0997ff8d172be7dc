"""Answers as labels: which ones a facet has, and how an answer spreads over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from estimates.data.ratings import Ratings
from estimates.data.table import FloatArray, IntArray
from estimates.scorecard.comparable import ORDERS
from tasktypes.facets import in_words

# More labels are open text, and a scale of more points is none of points.
MOST_LABELS, MOST_POINTS = 20, 11
YES, NO = "yes", "no"
POSITIVE = (YES, "true")


@dataclass(frozen=True)
class Labels:
    """The labels of a facet. points: the numbers that they stand for, ascending, where answers are
    numbers; none else. of_sets: yes and no, for every part that a set is chosen from."""

    names: tuple[str, ...]
    points: tuple[float, ...] = ()
    of_sets: bool = False

    @property
    def positive(self) -> int:
        """The position of the label whose rates are given: of two labels yes, or the first one.
        -1: of more labels, and of points, it is none."""
        if len(self.names) != 2 or self.points:
            return -1
        spoken = [name.casefold() in POSITIVE for name in self.names]
        return spoken.index(True) if any(spoken) else 0

    @property
    def are_orders(self) -> bool:
        """Whether labels are orders of two texts, of which none is right or wrong by itself."""
        return self.names == ORDERS


def labels_of(ratings: Ratings, people: Ratings) -> Labels | None:
    """The labels of comparable ratings, those of people for numbers; None for scales without
    points, and where there are more labels than can be shown."""
    if ratings.facet.kind == "set":
        return Labels((YES, NO), of_sets=True)
    if ratings.facet.kind == "number":
        points = tuple(people.points.tolist())
        names = tuple(in_words(point) for point in points)
        return Labels(names, points) if 2 <= len(points) <= MOST_POINTS else None
    offered = ratings.facet.labels
    occurring = {str(ratings.domain[code]) for code in np.unique(ratings.code).tolist()}
    names = (*offered, *sorted(occurring - {*offered}))
    return Labels(names) if 2 <= len(names) <= MOST_LABELS else None


def nearest(labels: Labels, ratings: Ratings) -> tuple[IntArray, IntArray]:
    """The label of each rating, twice: of a number halfway between two points both of them."""
    if not labels.points:
        codes = {name: code for code, name in enumerate(labels.names)}
        of_domain = np.array([codes.get(str(value), -1) for value in ratings.domain] or [-1])
        return of_domain[ratings.code], of_domain[ratings.code]
    points = np.array(labels.points)
    apart = np.abs(ratings.number[:, np.newaxis] - points)
    near = apart <= apart.min(axis=1, keepdims=True) + 1e-9
    low = near.argmax(axis=1)
    return low, near.shape[1] - 1 - near[:, ::-1].argmax(axis=1)


def cells(
    first: tuple[IntArray, IntArray], second: tuple[IntArray, IntArray], width: int
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Entries of N units with two answers each, every answer lying on one label or halfway
    between two: the unit, both labels, and the part of the unit that lies there."""
    n = len(first[0])
    units = np.tile(np.arange(n), 4)
    one = np.concatenate([first[0], first[0], first[1], first[1]])
    other = np.concatenate([second[0], second[1], second[0], second[1]])
    key, which = np.unique((units * width + one) * width + other, return_inverse=True)
    weight = np.bincount(which, minlength=len(key)) / 4
    return key // (width * width), key // width % width, key % width, weight


def counts_of_sets(
    people: Sequence[frozenset[object] | None],
    judge: Sequence[frozenset[object]],
    sizes: Sequence[int],
) -> Mapping[tuple[int, int], FloatArray]:
    """(people's label, judge's label) -> (N,) to how many parts of each unit that applies; 0 is
    yes, 1 no, and -1 people's where they did not answer. sizes: of how many parts there are."""
    counts = {key: np.zeros(len(judge)) for key in _CELLS}
    for at, (theirs, its, size) in enumerate(zip(people, judge, sizes, strict=True)):
        if theirs is None:
            counts[-1, 0][at], counts[-1, 1][at] = len(its), size - len(its)
            continue
        both = len(theirs & its)
        counts[0, 0][at] = both
        counts[0, 1][at] = len(theirs) - both
        counts[1, 0][at] = len(its) - both
        counts[1, 1][at] = size - len(theirs | its)
    return counts


_CELLS = ((0, 0), (0, 1), (1, 0), (1, 1), (-1, 0), (-1, 1))
