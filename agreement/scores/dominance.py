"""How often a number of one group is the higher one beside a number of another group."""

from dataclasses import dataclass

import numpy as np

from ..bootstrap.definitions import Bootstrap, Interval, Sampled
from ..bootstrap.jackknife_intervals import jackknife_interval
from ..bootstrap.resampling import Contributions
from ..bootstrap.scales import Scale
from ..values.coding import FloatArray, IntArray, code_ids


@dataclass(frozen=True, eq=False, kw_only=True)
class Dominance:
    """value: P(first > second) + P(first = second) / 2 over all pairs. without: (G,) the same
    without each cluster, NaN where one of the groups is then empty."""

    value: float
    without: FloatArray


def dominance(
    first: FloatArray, second: FloatArray, *, own: IntArray, others: IntArray
) -> Dominance:
    """How often a number of the first group is higher, over all pairs of numbers; ties half.

    first, second: (n,), (m,) finite numbers, n and m above 0. own, others: their clusters, such as
    sources, codes 0 ... G - 1; a cluster may have numbers of both. Takes n + m numbers times
    their logarithm, not n times m.

    Source: Mann and Whitney (1947), "On a test of whether one of two random variables is
    stochastically larger than the other": U / (n m).
    """
    n_clusters = int(max(own.max(), others.max())) + 1
    of_first, of_second = _wins(first, second), len(first) - _wins(second, first)
    within = _within(first, second, own, others, n_clusters)
    total = float(of_first.sum())
    left = (
        total - np.bincount(own, of_first, n_clusters) - np.bincount(others, of_second, n_clusters)
    )
    pairs = (len(first) - np.bincount(own, minlength=n_clusters)) * (
        len(second) - np.bincount(others, minlength=n_clusters)
    )
    without = np.full(n_clusters, np.nan)
    np.divide(left + within, pairs, out=without, where=pairs > 0)
    return Dominance(value=total / (len(first) * len(second)), without=without)


def interval_of_left_out(
    value: float,
    without: FloatArray,
    bootstrap: Bootstrap | None,
    scale: Scale,
    lack: str = "",
) -> Interval:
    """The jackknife interval of a statistic from its values without each cluster (G,), as
    `bootstrap_interval` makes it, whatever method is asked for. None: no interval. lack: why there
    is too little for one, else empty."""
    if bootstrap is None:
        return Interval()
    nothing = np.zeros(0)
    table = Contributions(
        np.zeros(len(without) + 1, dtype=np.int64), nothing.astype(int), nothing, 1
    )
    return jackknife_interval(
        Sampled(table, lambda _totals: without, value, scale, lack), bootstrap
    )


def _wins(mine: FloatArray, theirs: FloatArray) -> FloatArray:
    """Over how many of theirs each of mine is higher, ties half: (n,)."""
    ordered = np.sort(theirs)
    below, up_to = (np.searchsorted(ordered, mine, side) for side in ("left", "right"))
    return np.asarray((below + up_to) / 2)


def _within(
    first: FloatArray, second: FloatArray, own: IntArray, others: IntArray, n_clusters: int
) -> FloatArray:
    """The wins of the first group over the second within each cluster: (G,)."""
    ranks, n_ranks = code_ids(np.concatenate([first, second]))
    keys = np.concatenate([own, others]) * n_ranks + ranks
    mine, theirs = keys[: len(first)], np.sort(keys[len(first) :])
    below, up_to = (np.searchsorted(theirs, mine, side) for side in ("left", "right"))
    before = np.searchsorted(theirs, own * n_ranks)
    return np.bincount(own, (below + up_to) / 2 - before, n_clusters).astype(np.float64)
