"""Means within groups, then over groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.floors import lack_of_differences, lack_of_even_raters
from ..bootstrap.intervals import (
    Bootstrap,
    Interval,
    Sampled,
    crossed_interval,
    interval_of,
)
from ..bootstrap.resampling import Contributions, Draws
from ..bootstrap.scales import SHARES, Scale
from ..values.coding import FloatArray, IntArray, as_floats, code_ids, n_distinct
from ..values.estimate import Counts, Estimate
from ..values.ratings import NO_RATINGS, Ids


def mean_by(
    values: Sequence[object] | npt.NDArray[Any],
    *groups: Ids,
    clusters: Ids | None = None,
    units: Ids | None = None,
    raters: Ids | None = None,
    ddof: int = 0,
    ends: tuple[float, float] = (-inf, inf),
    bootstrap: Bootstrap | None = None,
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
    ends : between which all values lie that there could be, either infinite where there is no such
        end: the bounds of a jackknife interval then do too. Of shares, (0, 1), a live interval is
        made by betting.
    bootstrap : as for `alpha`. Where it draws raters too, `raters` is needed: a value counts in
        its innermost group as often as its rater was drawn, and groups without a drawn rater drop
        out.

    Returns an Estimate in the unit of the values; n_ratings is the number of values. Undefined:
    no values. Raises ValueError for different lengths, an infinite number, a group that lies in
    two groups of the next level, or raters to be drawn that are not given; TypeError for a value
    that is no number.

    Source: arithmetic; the cluster bootstrap of a ratio of sums is Davison and Hinkley (1997),
    "Bootstrap Methods and their Application", section 3.8.
    """
    crossed = bootstrap is not None and bootstrap.crossed
    if crossed and raters is None:
        raise ValueError("to draw raters it must be known who gave each value: raters is missing")
    grouped = group_means(values, *groups, clusters=clusters, units=units, raters=raters)
    means, cluster = grouped.means, grouped.cluster
    if not len(means):
        return Estimate.missing(NO_RATINGS, **grouped.n)
    deviation = float(means.std(ddof=ddof)) if len(means) > ddof else None
    value = float(means.mean())
    table = sums_and_sizes(means, cluster, int(cluster.max()) + 1)
    scale = Scale(*ends)
    # Of a share of yes and no one odd answer is enough on the scale of log odds; to ask for more
    # leaves the odd studies, whose intervals miss the truth.
    yes_or_no = scale == SHARES and bool(np.isin(means, (0.0, 1.0)).all())
    lack = "" if yes_or_no else lack_of_differences(means, cluster)
    behind = _behind(values, raters, bootstrap)
    of = Sampled(table, mean_of_totals, value, scale, lack, behind, share=scale == SHARES)
    if bootstrap is not None and bootstrap.crossed and raters is not None:
        bounds = _crossed_bounds(of, values, groups, clusters, raters, bootstrap=bootstrap)
    else:
        bounds = interval_of(of, bootstrap)
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
    n = Counts(n_units=n_distinct(counted), n_ratings=len(present))
    if raters is not None:
        n["n_raters"] = n_distinct(_codes(raters, len(numbers), present))
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


def _behind(
    values: Sequence[object] | npt.NDArray[Any], raters: Ids | None, bootstrap: Bootstrap | None
) -> str:
    """Why there is no live interval of these raters yet."""
    if raters is None or bootstrap is None or bootstrap.live is None:
        return ""
    present = np.flatnonzero(~np.isnan(as_floats(values)))
    return lack_of_even_raters(_codes(raters, len(values), present), bootstrap.live_raters)


def _crossed_bounds(
    of: Sampled,
    values: Sequence[object] | npt.NDArray[Any],
    groups: Sequence[Ids],
    clusters: Ids | None,
    raters: Ids,
    *,
    bootstrap: Bootstrap,
) -> Interval:
    numbers = as_floats(values)
    present = np.flatnonzero(~np.isnan(numbers))
    levels = [_codes(level, len(numbers), present) for level in groups]
    of_values = levels[-1] if levels else np.arange(len(present))
    cluster = of_values if clusters is None else _codes(clusters, len(numbers), present)
    rater, n_raters = code_ids(_codes(raters, len(numbers), present))
    crossed = CrossedMeans(numbers[present], levels, cluster, rater)
    return crossed_interval(of, crossed.means, bootstrap, n_raters=n_raters, cells=len(present))


class CrossedMeans:
    """Means of groups of groups, made ready to be drawn from by cluster and rater.

    values, rater, cluster and each of levels: (N,). A value counts in its innermost group as
    often as its rater is drawn; a group of which nobody is drawn drops out, and any other counts
    once in the next. Without groups, a value counts as often as its rater and its cluster are.
    """

    def __init__(
        self, values: FloatArray, levels: list[IntArray], cluster: IntArray, rater: IntArray
    ) -> None:
        self.values, self.rater = values, rater
        self.steps: list[tuple[IntArray, IntArray]] = []
        codes = [*levels, cluster]
        while len(codes) > 1:
            inner, *outer = codes
            group, n_groups = code_ids(inner)
            order = np.argsort(group, kind="stable")
            self.steps.append((order, np.flatnonzero(np.diff(group[order], prepend=-1))))
            codes = [_of_groups(group, n_groups, level) for level in outer]
        self.cluster = code_ids(codes[0])[0]

    def means(self, draws: Draws) -> FloatArray:
        """(r,) means of the resamples, NaN where no value is drawn."""
        weight = draws.raters[:, self.rater]
        values = np.broadcast_to(self.values, weight.shape)
        for order, starts in self.steps:
            sums = np.add.reduceat((weight * values)[:, order], starts, axis=1)
            sizes = np.add.reduceat(weight[:, order], starts, axis=1)
            values = sums / np.where(sizes > 0, sizes, 1)
            weight = (sizes > 0).astype(np.float64)
        weight = weight * draws.clusters[:, self.cluster]
        size, mean = weight.sum(axis=1), np.full(len(weight), np.nan)
        np.divide((weight * values).sum(axis=1), size, out=mean, where=size > 0)
        return mean


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
