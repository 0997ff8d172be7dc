"""Standard errors by leaving out clusters, and raters, one after the other.

The variance that clusters cause is estimated by what leaving out one of them changes, and so is
that which raters cause. What single ratings cause is in both, so the changes that only a rater and
a cluster together explain are subtracted once. In a complete design the mean of all ratings gets
exactly the error of the two-way random model, (MS_clusters + MS_raters - MS_rest) / N.
"""

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

import numpy as np

from ..values.coding import FloatArray, IntArray
from .resampling import CELLS, Contributions, Draws

# Floats of the totals without each cluster; beyond them clusters are left out in groups.
MOST_CELLS = 1 << 21
# Floats to evaluate for raters: beyond them raters are left out in groups, or clusters and raters
# together not at all, which counts the variance of single ratings twice: the interval is too wide.
MOST_CROSSED = 1 << 20
FEWEST_GROUPS = 20
CLUSTERS_TOGETHER = 20


class Spread(NamedTuple):
    """The variance of a statistic, and the degrees of freedom it is known with."""

    variance: float
    degrees: float


NOTHING = Spread(0.0, 1)


def groups_of(size: int, most: int, seed: int) -> IntArray:
    """The group of each of `size` clusters or raters, drawn at random: (size,), codes 0 ... g - 1.
    Each is one by itself where there are no more than `most`; else groups differ by one member."""
    if size <= most:
        return np.arange(size)
    members = -(-size // most)
    return np.random.default_rng(seed).permutation(size) % -(-size // members)


def left_out_groups(table: Contributions, seed: int) -> FloatArray:
    """The totals without each group of clusters: (g, K). Groups are single clusters unless there
    are very many clusters and totals."""
    most = max(FEWEST_GROUPS, MOST_CELLS // table.width)
    group = groups_of(len(table), most, seed)
    n_groups = int(group.max()) + 1
    key = np.repeat(group, np.diff(table.starts)) * table.width + table.columns
    sums = np.bincount(key, weights=table.weights, minlength=n_groups * table.width)
    return np.asarray(table.total() - sums.reshape(n_groups, table.width))


def spread_of(left_out: FloatArray) -> Spread:
    """From the values without each of n groups (n,): (n - 1) / n times their sum of squares around
    their mean, with n - 1 degrees. Source: Tukey (1958); Efron and Stein (1981)."""
    n = len(left_out)
    return Spread(float((n - 1) / n * np.sum((left_out - left_out.mean()) ** 2)), n - 1)


def crossed_draws_without(
    n_clusters: int, n_raters: int, *, cells: int, seed: int
) -> tuple[list[Draws], tuple[int, int]]:
    """Draws of everybody once but for a group of raters, for each group and for none; and the same
    without each of a few groups of clusters.

    cells: floats that one draw takes. Returns blocks of draws, to be evaluated one by one, and
    (1 + groups of clusters, 1 + groups of raters), in which order the draws come, row by row.
    """
    raters = groups_of(n_raters, max(FEWEST_GROUPS, MOST_CROSSED // cells), seed)
    n_groups = int(raters.max()) + 1
    together = (n_groups + 1) * (CLUSTERS_TOGETHER + 1) * cells <= MOST_CROSSED
    clusters = groups_of(n_clusters, CLUSTERS_TOGETHER, seed)
    shape = (2 + int(clusters.max()) if together else 1, 1 + n_groups)
    at = np.arange(shape[0] * shape[1])
    return list(_without(clusters, raters, at, shape[1], cells)), shape


def _without(
    clusters: IntArray, raters: IntArray, at: IntArray, width: int, cells: int
) -> Iterator[Draws]:
    """Draw number `at` leaves out cluster group at // width - 1 and rater group at % width - 1."""
    step = max(1, CELLS // cells)
    for start in range(0, len(at), step):
        row, column = np.divmod(at[start : start + step], width)
        yield Draws(
            (clusters[None, :] != row[:, None] - 1).astype(np.float64),
            (raters[None, :] != column[:, None] - 1).astype(np.float64),
        )


def rater_spreads(left_out: FloatArray) -> tuple[Spread, Spread]:
    """What leaving out raters changes, and how much of that single ratings cause, so that the
    variance of both is that of clusters plus the first minus the second.

    left_out: (1 + B, 1 + R) values without a group of clusters (none in row 0) and one of raters
    (none in column 0).

    Source: two-way clustering as in Cameron, Gelbach and Miller (2011), "Robust Inference With
    Multiway Clustering", equation 2.13, with jackknife variances.
    """
    n = left_out.shape[1] - 1
    changes = left_out[:, :1] - left_out[:, 1:]
    raters = (n - 1) / n * float(np.sum((changes[0] - changes[0].mean()) ** 2))
    return Spread(raters, n - 1), _rest(changes)


def _rest(changes: FloatArray) -> Spread:
    """What clusters explain of the differences between raters; 0 where that was not computed."""
    n_blocks, n = changes.shape[0] - 1, changes.shape[1]
    if n_blocks < 2 or np.isnan(changes).any():
        return NOTHING
    apart = changes[1:] - changes[1:].mean(axis=1, keepdims=True)
    squares = np.sum((apart - apart.mean(axis=0)) ** 2)
    share = (n - 1) / n * (n_blocks - 1) / n_blocks
    return Spread(float(share * squares), (n - 1) * (n_blocks - 1))


def half_width(spread: Spread, confidence: float) -> float:
    """Student's t times the standard error."""
    from scipy.special import stdtrit  # late, as importing it takes a fifth of a second

    return float(stdtrit(spread.degrees, (1 + confidence) / 2)) * sqrt(spread.variance)
