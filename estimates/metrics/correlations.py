"""Correlation of two parties' numbers at sample, summary and system level."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np

from agreement import CORRELATIONS, correlation
from estimates.data.ratings import Ratings
from estimates.data.rows import OF_SYSTEMS, POOLED, SUMMARY
from estimates.data.table import FloatArray, IntArray
from estimates.metrics.averages import has_numbers, numbers_of
from estimates.statistics.samples import Compared
from estimates.statistics.statistic import Figure, Statistic

AGGREGATIONS = {"sample": POOLED, "summary": SUMMARY, "system": OF_SYSTEMS}


@dataclass(frozen=True, eq=False)
class Numbers:
    """One number per key, with what it is about. key: (N,) ascending. system: (N,) 0 for none."""

    key: IntArray
    number: FloatArray
    source: IntArray
    system: IntArray

    def take(self, chosen: IntArray) -> "Numbers":
        """Some of them."""
        return Numbers(*(getattr(self, f.name)[chosen] for f in fields(self)))


def _correlations(two: Compared) -> Iterator[Figure]:
    """Every coefficient at every level that the numbers have."""
    if not has_numbers(two.second.facet):
        return
    both = numbers_of_both(two)
    for level in _levels(both[0]):
        named = np.flatnonzero(both[0].system > 0)
        first, second = (side.take(named) for side in both) if level == "system" else both
        for method in CORRELATIONS:
            estimate = correlation(
                first.number,
                second.number,
                method=method,
                level=level,
                sources=first.source,
                systems=first.system,
                tie_tolerance=two.options.tie_tolerance,
                bootstrap=two.options.bootstrap,
            )
            yield Figure(method, replace(estimate, n_raters=2), aggregation=AGGREGATIONS[level])


def numbers_of_both(two: Compared) -> tuple[Numbers, Numbers]:
    """The numbers of both parties of what both have numbers for, parallel."""
    # Places of two facets are never the same: those are compared by item.
    key = "place" if two.second.facet is two.ratings.facet else "owner"
    return _shared(_keyed(two.first, key), _keyed(two.second, key))


def _keyed(ratings: Ratings, key: str) -> Numbers:
    """By place; or by item, the mean of its elements, such as the share of sentences with yes."""
    keys: IntArray = getattr(ratings, key)
    unique, at, which = np.unique(keys, return_index=True, return_inverse=True)
    means = np.bincount(which, weights=numbers_of(ratings)) / np.bincount(which)
    systems = ratings.material.item_names["system"].codes
    return Numbers(unique, means, ratings.source[at], systems[ratings.item[at]])


def _shared(first: Numbers, second: Numbers) -> tuple[Numbers, Numbers]:
    """What both have numbers for, in one order."""
    _, mine, theirs = np.intersect1d(first.key, second.key, return_indices=True)
    return first.take(mine), second.take(theirs)


def _levels(numbers: Numbers) -> Iterator[str]:
    """Summary level where a source has several numbers, system level where there are systems."""
    yield "sample"
    if len(np.unique(numbers.source)) < len(numbers.source):
        yield "summary"
    if len(np.unique(numbers.system[numbers.system > 0])) > 1:
        yield "system"


# Orders are compared by their ranks, and labels of one facet by how far raters agree.
CORRELATION = Statistic(
    compute=_correlations, applies=lambda facet: facet.kind == "number" and not facet.ranks
)
CORRELATION_ACROSS = Statistic(
    compute=_correlations, applies=lambda facet: has_numbers(facet) and not facet.ranks
)
