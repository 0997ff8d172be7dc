"""Correlation of two parties' numbers at sample, summary and system level."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np

from agreement import CORRELATIONS, Estimate, correlation
from results.data.options import Options
from results.data.parties import Pair, Parties, Party
from results.data.ratings import Ratings
from results.data.table import FloatArray, IntArray
from results.metrics.agreement import unite
from results.metrics.rows import Row

AGGREGATIONS = {"sample": "pooled", "summary": "summary", "system": "system"}
# A pair of labels such as yes and no is 1 for the first and 0 for the second.
TWO = 2


@dataclass(frozen=True, eq=False)
class _Numbers:
    """One number per key, with what it is about."""

    key: IntArray
    number: FloatArray
    source: IntArray
    system: IntArray

    def take(self, chosen: IntArray) -> "_Numbers":
        return _Numbers(*(getattr(self, f.name)[chosen] for f in fields(self)))


def correlations(
    ratings: Ratings, other: Ratings, parties: Parties, options: Options
) -> Iterator[Row]:
    """The first's ratings against the second's: of every pair in the same facet, of people
    together and a judge where its numbers are in another one, on a scale of its own. Orders are
    compared by `rank_rows`."""
    if ratings.facet.ranks or not _has_numbers(ratings) or not _has_numbers(other):
        return
    if ratings is other and ratings.facet.kind != "number":
        return
    for pair in parties.pairs:
        if ratings is not other and not pair.first.several:
            continue
        yield from _of_pair(ratings, other, pair, options)


def _has_numbers(ratings: Ratings) -> bool:
    facet = ratings.facet
    return facet.kind == "number" or (facet.kind == "label" and len(facet.labels) == TWO)


def _of_pair(ratings: Ratings, other: Ratings, pair: Pair, options: Options) -> Iterator[Row]:
    how = options.consensus_for(ratings.facet.kind) if pair.first.several else None
    first, second = _numbers(ratings, pair.first, how), _numbers(other, pair.second, None)
    if not len(first) or not len(second):
        return
    key = "place" if ratings is other else "owner"
    both = _shared(_keyed(first, key), _keyed(second, key))
    for aggregation, method, estimate in _estimates(both, options):
        yield Row(
            metric=method,
            facet=ratings.facet.name,
            raters=pair.name,
            aggregation=aggregation,
            consensus=how,
            estimate=estimate,
        )


def _numbers(ratings: Ratings, party: Party, how: str | None) -> Ratings:
    """A party's ratings as numbers, a crowd's as one by consensus."""
    theirs = ratings.by(party.raters).once()
    if how and len(theirs):
        theirs = unite(theirs, how)
    if ratings.facet.kind == "number":
        return theirs
    yes = np.array([value == ratings.facet.labels[0] for value in theirs.domain], dtype=np.float64)
    return replace(theirs, number=yes[theirs.code] if len(theirs) else np.zeros(0))


def _keyed(ratings: Ratings, key: str) -> _Numbers:
    """By place; or by item, the mean of its elements, such as the share of sentences with yes."""
    keys: IntArray = getattr(ratings, key)
    unique, at, which = np.unique(keys, return_index=True, return_inverse=True)
    means = np.bincount(which, weights=ratings.number) / np.bincount(which)
    systems = ratings.material.item_names["system"].codes
    return _Numbers(unique, means, ratings.source[at], systems[ratings.item[at]])


def _shared(first: _Numbers, second: _Numbers) -> tuple[_Numbers, _Numbers]:
    """What both have numbers for, in one order."""
    _, mine, theirs = np.intersect1d(first.key, second.key, return_indices=True)
    return first.take(mine), second.take(theirs)


def _estimates(
    both: tuple[_Numbers, _Numbers], options: Options
) -> Iterator[tuple[str, str, Estimate]]:
    """(aggregation, method, estimate) for every level that the numbers have."""
    for level in _levels(both[0]):
        named = np.flatnonzero(both[0].system > 0)
        first, second = (one.take(named) for one in both) if level == "system" else both
        for method in CORRELATIONS:
            estimate = correlation(
                first.number,
                second.number,
                method=method,
                level=level,
                sources=first.source,
                systems=first.system,
                tie_tolerance=options.tie_tolerance,
                bootstrap=options.bootstrap,
            )
            yield AGGREGATIONS[level], method, replace(estimate, n_raters=2)


def _levels(numbers: _Numbers) -> Iterator[str]:
    """Summary level where a source has several numbers, system level where there are systems."""
    yield "sample"
    if len(np.unique(numbers.source)) < len(numbers.source):
        yield "summary"
    if len(np.unique(numbers.system[numbers.system > 0])) > 1:
        yield "system"
