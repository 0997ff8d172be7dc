"""Ratings in a form in which each can be compared by itself: labels, sets or numbers.

A rank says nothing without the others of its unit, and the name of a text nothing without its
rival's: both become the order of two texts.
"""

from dataclasses import replace

import numpy as np

from estimates.data.groups import SYSTEM
from estimates.data.ratings import Ratings
from estimates.data.table import IntArray

# Which of two texts is better, these being in the order of their systems' names.
FIRST, TIED, SECOND = "first", "tied", "second"
ORDERS = (FIRST, TIED, SECOND)
# More orders of two than that take seconds.
MOST_ORDERS = 2_000_000


def comparable(ratings: Ratings) -> Ratings | None:
    """The ratings, ranks and named texts as the orders of two; None where these are too many."""
    if ratings.facet.ranks:
        return _orders_of_ranks(ratings)
    return _orders_of_names(ratings) if ratings.facet.names_items else ratings


def _orders_of_names(ratings: Ratings) -> Ratings:
    """The preferred text by its place among the two names; any other answer is a tie."""
    order = np.where(ratings.side == 0, 0, np.where(ratings.side == 1, 2, 1))
    return _as_labels(ratings, order)


def _orders_of_ranks(ratings: Ratings) -> Ratings | None:
    """One rating per rater, unit and two of the unit's elements; rank 1 comes first."""
    names = ratings.material.item_names[SYSTEM]
    by_name = np.argsort(np.argsort(np.array(names.names)))[names.codes[ratings.item]]
    place, about = ratings.place, (ratings.replicate, ratings.rater, ratings.unit)
    ratings = ratings.take(np.lexsort((place, by_name, *about)))
    groups = np.stack([ratings.unit, ratings.rater, ratings.replicate])
    new = (np.diff(groups, axis=1, prepend=-1) != 0).any(axis=0)
    size = np.diff(np.flatnonzero(new), append=len(ratings))
    if int((size * (size - 1)).sum()) > 2 * MOST_ORDERS:
        return None
    first, second = _pairs_within(groups)
    apart = ratings.number[first] - ratings.number[second]
    orders = _as_labels(ratings.take(first), np.sign(apart).astype(np.int64) + 1)
    keys = ratings.place[first] * (int(ratings.place.max(initial=0)) + 1) + ratings.place[second]
    places = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    return replace(orders, place=places, item=np.full(len(first), -1, dtype=np.int64))


def _pairs_within(groups: IntArray) -> tuple[IntArray, IntArray]:
    """Positions of every two entries of one group, whose columns stand together."""
    width = groups.shape[1]
    at = np.arange(width)
    firsts, seconds = [at[:0]], [at[:0]]
    for step in range(1, width):
        at = at[at + step < width]
        at = at[(groups[:, at + step] == groups[:, at]).all(axis=0)]
        if not len(at):
            break
        firsts.append(at)
        seconds.append(at + step)
    return np.concatenate(firsts), np.concatenate(seconds)


def _as_labels(ratings: Ratings, codes: IntArray) -> Ratings:
    facet = replace(
        ratings.facet, kind="label", distance="nominal", labels=ORDERS, ranks=False, low=None
    )
    nothing = np.full(len(ratings), -1, dtype=np.int64)
    return replace(
        ratings,
        facet=facet,
        code=codes,
        domain=ORDERS,
        number=np.full(len(ratings), np.nan),
        reference=nothing,
        side=nothing,
    )
