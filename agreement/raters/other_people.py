"""A judge's gap to people as it would be with other people: both sources and people are drawn."""

from dataclasses import dataclass, replace

import numpy as np

from ..bootstrap.definitions import FEWEST_RATERS, Bootstrap, Sampled
from ..bootstrap.jackknife import CLUSTERS_TOGETHER, groups_of, left_out_groups
from ..bootstrap.jackknife_intervals import both_ways
from ..bootstrap.resampling import Contributions
from ..bootstrap.scales import COEFFICIENTS
from ..scores.means import mean_of_totals
from ..values.coding import FloatArray, IntArray, code_ids
from ..values.estimate import Estimate


@dataclass(frozen=True, eq=False, kw_only=True)
class WithoutOne:
    """The M ratings of people on units with two of them or more, each beside its unit's gap.

    rater, cluster: (M,) codes. size: (M,) how many people rated the unit. gap: (M,) of the unit.
    without: (M,) of the unit without this rater, NaN where one person is then left.
    """

    rater: IntArray
    cluster: IntArray
    size: IntArray
    gap: FloatArray
    without: FloatArray


def with_other_people(
    estimate: Estimate, ratings: WithoutOne, bootstrap: Bootstrap | None
) -> Estimate:
    """The mean gap with a second interval, for people like these: `others_low` and `others_high`.

    The jackknife leaves out one person after the other, one cluster after the other, and both
    together (clusters in groups), as `crossed_interval` does. A unit that is left with one person
    drops out.

    Returned as it came without a jackknife interval of its own, below three people, and where no
    unit has two people once one of them is left out.
    """
    rater, n_raters = code_ids(ratings.rater)
    if bootstrap is None or bootstrap.method != "jackknife" or n_raters < FEWEST_RATERS:
        return estimate
    if estimate.low is None or estimate.value is None:
        return estimate
    means = _left_out(ratings, rater, n_raters, bootstrap.seed)
    if np.isnan(means[0]).any():
        return estimate
    table = _by_cluster(ratings)
    of = Sampled(table, mean_of_totals, estimate.value, COEFFICIENTS)
    left_out = mean_of_totals(left_out_groups(table, bootstrap.seed))
    text = f"jackknife over {len(table)} clusters and {n_raters} raters"
    others, _raters = both_ways(of, left_out, means, bootstrap, text)
    return replace(
        estimate,
        these_low=estimate.low,
        these_high=estimate.high,
        these_method=estimate.interval_method,
        others_low=others.low,
        others_high=others.high,
        others_method=others.interval_method,
    )


def _by_cluster(ratings: WithoutOne) -> Contributions:
    """Per cluster the sum of its units' gaps, and their number."""
    code, n_clusters = code_ids(ratings.cluster)
    return Contributions.from_cells(
        np.tile(code, 2),
        np.repeat([0, 1], len(code)),
        np.concatenate([ratings.gap / ratings.size, 1 / ratings.size]),
        shape=(n_clusters, 2),
    )


def _left_out(ratings: WithoutOne, rater: IntArray, n_raters: int, seed: int) -> FloatArray:
    """Means without a group of clusters (none in row 0) and a rater (none in column 0)."""
    code, n_clusters = code_ids(ratings.cluster)
    group = groups_of(n_clusters, CLUSTERS_TOGETHER, seed)[code]
    n_groups = int(group.max()) + 1
    gone = np.isnan(ratings.without)
    change = np.where(gone, -ratings.gap, ratings.without - ratings.gap)

    def by_group(of_units: FloatArray, of_raters: FloatArray) -> FloatArray:
        """Totals of the units, and what each rater's leaving changes: (1 + G, 1 + R)."""
        totals = np.bincount(group, of_units / ratings.size, n_groups)
        changes = np.bincount(group * n_raters + rater, of_raters, n_groups * n_raters)
        both = totals[:, None] + np.column_stack(
            [np.zeros(n_groups), changes.reshape(-1, n_raters)]
        )
        return np.asarray(np.vstack([both.sum(axis=0), both.sum(axis=0) - both]))

    sums = by_group(ratings.gap, change)
    sizes = by_group(np.ones(len(rater)), -gone.astype(np.float64))
    means = np.full(sums.shape, np.nan)
    np.divide(sums, sizes, out=means, where=sizes > 0.5)
    return means
