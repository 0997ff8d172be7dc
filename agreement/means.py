"""Means within groups, then over groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.coding import FloatArray, IntArray, as_floats, code_ids
from agreement.estimate import Counts, Estimate
from agreement.intervals import Bootstrap, Method, bootstrap_interval
from agreement.ratings import NO_RATINGS, Ids
from agreement.resampling import Contributions


def mean_by(
    values: Sequence[object] | npt.NDArray[Any],
    *groups: Ids,
    clusters: Ids | None = None,
    units: Ids | None = None,
    raters: Ids | None = None,
    ddof: int = 0,
    resamples: int = 0,
    seed: int = 0,
    confidence: float = 0.95,
    interval: Method = "percentile",
) -> Estimate:
    """Mean within the first groups, of those within the second, ..., then over the last.

    So `mean_by(f1, unit, item)` averages the answers of a unit, the units of an item, and then
    the items: the aggregation "per_item". Without groups it is the plain mean.

    Parameters
    ----------
    values : (N,) finite numbers in any unit, None or NaN where missing (they drop out).
    groups : (N,) ids each, from the innermost to the outermost; each group lies within one group
        of the next level.
    clusters : (N,) ids of what is resampled; each outermost group when left out.
    units, raters : (N,) ids, only counted, for n_units and n_raters; left out, n_units is the
        number of innermost groups and n_raters None.
    ddof : divisor of the standard deviation of the outermost means is their number - ddof:
        0 population (P/R/F1), 1 sample (utility). One group with ddof 1 has no deviation.
    resamples, seed, confidence, interval : see `bootstrap_interval`.

    Returns an Estimate in the unit of the values; n_ratings is the number of values. Undefined:
    no values. Raises ValueError for different lengths, an infinite number, or a group that lies
    in two groups of the next level; TypeError for a value that is no number.

    Source: arithmetic; the cluster bootstrap of a ratio of sums is Davison and Hinkley (1997),
    "Bootstrap Methods and their Application", section 3.8.
    """
    how = Bootstrap(resamples=resamples, seed=seed, confidence=confidence, method=interval)
    grouped = group_means(values, *groups, clusters=clusters, units=units, raters=raters)
    means, cluster = grouped.means, grouped.cluster
    if not len(means):
        return Estimate.missing(NO_RATINGS, **grouped.n)
    deviation = float(means.std(ddof=ddof)) if len(means) > ddof else None
    value = float(means.mean())
    contributions = sums_and_sizes(means, cluster, int(cluster.max()) + 1)
    bounds = bootstrap_interval(contributions, mean_of_totals, value, how)
    return Estimate(value=value, sd=deviation, sd_ddof=ddof, **vars(bounds), **grouped.n)


@dataclass(frozen=True, eq=False)
class GroupMeans:
    """Means of the G outermost groups.

    means: (G,). cluster: (G,) codes 0..n-1 of what is resampled. n: what was counted.
    """

    means: FloatArray
    cluster: IntArray
    n: Counts


def group_means(
    values: Sequence[object] | npt.NDArray[Any],
    *groups: Ids,
    clusters: Ids | None = None,
    units: Ids | None = None,
    raters: Ids | None = None,
) -> GroupMeans:
    """Means within groups of groups; parameters and errors as for `mean_by`."""
    numbers = as_floats(values)
    present = np.flatnonzero(~np.isnan(numbers))
    levels = [_codes(level, len(numbers), present) for level in groups]
    levels = levels or [np.arange(len(present))]
    counted = _codes(units, len(numbers), present) if units is not None else levels[0]
    n = Counts(n_units=len(np.unique(counted)), n_ratings=len(present))
    if raters is not None:
        n["n_raters"] = len(np.unique(_codes(raters, len(numbers), present)))
    if not len(present):
        return GroupMeans(np.zeros(0), np.zeros(0, dtype=np.int64), n)
    of_group = levels[-1] if clusters is None else _codes(clusters, len(numbers), present)
    return GroupMeans(*_means_of_groups(numbers[present], levels, of_group), n)


def sums_and_sizes(values: FloatArray, cluster: IntArray, n_clusters: int) -> Contributions:
    """Per cluster the sum of its values and their number: a mean is the ratio of the totals."""
    return Contributions.from_cells(
        np.concatenate([cluster, cluster]),
        np.repeat([0, 1], len(values)),
        np.concatenate([values, np.ones(len(values))]),
        shape=(n_clusters, 2),
    )


def mean_of_totals(totals: FloatArray) -> FloatArray:
    """(r, 2) sums and sizes -> (r,) means; a resample is never empty."""
    return np.asarray(totals[:, 0] / totals[:, 1])


def _means_of_groups(
    values: FloatArray, groups: list[IntArray], cluster: IntArray
) -> tuple[FloatArray, IntArray]:
    """Means of the outermost groups (G,) and the cluster of each (G,), codes 0..n-1."""
    levels = [*groups, cluster]
    while len(levels) > 1:
        inner, *outer = levels
        group, n_groups = code_ids(inner)
        values = np.bincount(group, weights=values) / np.bincount(group)
        levels = [_of_groups(group, n_groups, level) for level in outer]
    return values, code_ids(levels[0])[0]


def _of_groups(group: IntArray, n_groups: int, outer: IntArray) -> IntArray:
    """What the members of each group have in common: (N,) -> (n_groups,)."""
    common = np.zeros(n_groups, dtype=np.int64)
    common[group] = outer
    if (common[group] != outer).any():
        raise ValueError("a group lies in two groups of the next level, or in two clusters")
    return common


def _codes(ids: Ids, length: int, present: IntArray) -> IntArray:
    """Ids of the values that are present, as codes."""
    if len(ids) != length:
        raise ValueError(f"{len(ids)} ids for {length} values")
    codes, _ = code_ids(ids)
    return codes[present]
