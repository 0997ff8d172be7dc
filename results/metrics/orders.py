"""Whole orders: what a rater said of all the systems of a unit, as one value."""

from dataclasses import dataclass

import numpy as np

from results.data.ratings import Ratings
from results.data.table import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class Orders:
    """Parallel: the unit, rater and source of each answer, and system -> rank."""

    unit: IntArray
    rater: IntArray
    source: IntArray
    ranks: list[dict[int, float]]

    @property
    def of_the_same(self) -> bool:
        """Whether all of them order the same systems."""
        return len({frozenset(one) for one in self.ranks}) < 2


def orders_of(ratings: Ratings) -> Orders:
    """Every complete order of the systems that a unit shows."""
    ratings = ranked_systems(ratings)
    ratings = ratings.take(np.lexsort((ratings.rater, ratings.unit)))
    systems = ratings.material.item_names["system"].codes[ratings.item]
    new = np.diff(ratings.unit, prepend=-1) != 0
    new |= np.diff(ratings.rater, prepend=-1) != 0
    starts = np.flatnonzero(new)
    pairs = zip(np.split(systems, starts[1:]), np.split(ratings.number, starts[1:]), strict=True)
    ranks = [dict(zip(of.tolist(), numbers.tolist(), strict=True)) for of, numbers in pairs]
    shown: dict[int, int] = {}
    units = ratings.unit[starts].tolist()
    for unit, one in zip(units, ranks if len(starts) else [], strict=True):
        shown[unit] = max(shown.get(unit, 0), len(one))
    whole = [at for at, unit in enumerate(units) if len(ranks[at]) == shown[unit]]
    kept = starts[whole]
    return Orders(
        ratings.unit[kept], ratings.rater[kept], ratings.source[kept], [ranks[at] for at in whole]
    )


def ranked_systems(ratings: Ratings) -> Ratings:
    """Ranks of items of different systems. A unit that shows two items of one system has no rank
    of that system and does not count."""
    ratings = ratings.take(ratings.item >= 0)
    systems = ratings.material.item_names["system"].codes[ratings.item]
    return ratings.take(_told_apart(ratings, systems))


def _told_apart(ratings: Ratings, systems: IntArray) -> BoolArray:
    """Ratings of units in which several systems come up, each once."""
    units, which, counts = np.unique(ratings.unit, return_inverse=True, return_counts=True)
    pairs = np.unique(np.stack([ratings.unit, ratings.rater, systems]), axis=1)
    answers = np.unique(np.stack([ratings.unit, ratings.rater]), axis=1)
    distinct = np.bincount(np.searchsorted(units, pairs[0]), minlength=len(units))
    given = np.bincount(np.searchsorted(units, answers[0]), minlength=len(units))
    named = np.bincount(which, weights=systems > 0, minlength=len(units))
    fit = (distinct == counts) & (named == counts) & (distinct > given)
    return np.asarray(fit[which] if len(units) else np.zeros(0, dtype=bool))
