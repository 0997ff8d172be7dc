"""Shares of weighted hits, with intervals that hold for few of them."""

from math import sqrt
from statistics import NormalDist

import numpy as np

from ..bootstrap.intervals import Bootstrap, Interval, bootstrap_interval
from ..bootstrap.resampling import Contributions
from ..bootstrap.scales import SHARES
from ..values.coding import FloatArray, IntArray, code_ids
from ..values.estimate import Estimate

# Fewer clusters give bootstrap intervals that cover too rarely.
LEAST_CLUSTERS = 10
TOO_FEW_CLUSTERS = f"none: too few sources for an interval: fewer than {LEAST_CLUSTERS}"


def share_of(
    hits: FloatArray,
    sizes: FloatArray,
    cluster: IntArray,
    bootstrap: Bootstrap | None,
    *,
    missing_reason: str,
) -> Estimate:
    """The sum of hits over the sum of sizes.

    hits, sizes: (N,) weights from 0 upwards, hits at most the sizes; entries of size 0 do not
    count. cluster: (N,) ids of what is resampled. missing_reason: said where nothing has
    a size.

    Returns an Estimate in [0, 1]; n_units is the sum of sizes, rounded. Its interval is Wilson's
    where every entry has size 1 and a cluster of its own; else the bootstrap over clusters, from
    ten of them on, or the jackknife on the scale of log odds; and where all are hits or none is, so
    that resamples are all alike, Wilson's with one answer per cluster.

    Source: Wilson (1927), "Probable inference, the law of succession, and statistical inference";
    Davison and Hinkley (1997), "Bootstrap Methods and their Application", section 3.8.
    """
    used = np.flatnonzero(sizes > 0)
    total = float(sizes[used].sum())
    if not total:
        return Estimate.missing(missing_reason, n_units=0)
    value = float(hits[used].sum()) / total
    bounds = _bounds(value, hits[used], sizes[used], code_ids(cluster[used])[0], bootstrap)
    return Estimate(value=value, n_units=round(total), **vars(bounds))


def wilson(share: float, size: float, confidence: float) -> tuple[float, float]:
    """Wilson's score interval of a share of `size` independent answers."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = share + z * z / (2 * size)
    half = z * sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    low, high = (middle - half) / (1 + z * z / size), (middle + half) / (1 + z * z / size)
    return max(low, 0.0) if share > 0 else 0.0, min(high, 1.0) if share < 1 else 1.0


def are_single(sizes: FloatArray, cluster: IntArray) -> bool:
    """Whether every entry has size 1 and a cluster (code) of its own."""
    return bool((sizes == 1).all()) and int(np.bincount(cluster).max(initial=0)) <= 1


def ratio_of_totals(totals: FloatArray) -> FloatArray:
    """(r, 2) hits and sizes -> (r,), NaN where a resample has no size."""
    ratio = np.full(len(totals), np.nan)
    np.divide(totals[:, 0], totals[:, 1], out=ratio, where=totals[:, 1] > 0)
    return ratio


def totals_of(columns: list[FloatArray], cluster: IntArray) -> Contributions:
    """What each cluster (codes 0..n-1) adds to the sum of every column (N,)."""
    n_clusters = int(cluster.max(initial=-1)) + 1
    return Contributions.from_cells(
        np.tile(cluster, len(columns)),
        np.repeat(np.arange(len(columns)), len(cluster)),
        np.concatenate(columns),
        shape=(n_clusters, len(columns)),
    )


def _bounds(
    value: float,
    hits: FloatArray,
    sizes: FloatArray,
    cluster: IntArray,
    bootstrap: Bootstrap | None,
) -> Interval:
    if bootstrap is None:
        return Interval()
    n_clusters = int(cluster.max()) + 1
    single, alike = are_single(sizes, cluster), value in (0.0, 1.0)
    if single or alike:
        low, high = wilson(value, n_clusters, bootstrap.confidence)
        text = f"Wilson, {n_clusters} clusters{'' if single else ', all answers alike'}"
        return Interval(low=low, high=high, confidence=bootstrap.confidence, interval_method=text)
    if n_clusters < LEAST_CLUSTERS:
        return too_few(n_clusters, bootstrap)
    totals = totals_of([hits, sizes], cluster)
    return bootstrap_interval(totals, ratio_of_totals, value, bootstrap, scale=SHARES)


def too_few(n_clusters: int, bootstrap: Bootstrap) -> Interval:
    """No bounds, and why."""
    text = f"{n_clusters} clusters; {TOO_FEW_CLUSTERS}"
    return Interval(confidence=bootstrap.confidence, interval_method=text)
