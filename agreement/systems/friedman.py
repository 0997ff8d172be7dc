"""Friedman's test of whether systems differ in rank, and Nemenyi's comparison of each pair."""

from collections.abc import Hashable, Sequence
from itertools import combinations
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..values.coding import FloatArray, as_floats, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids
from .ranks import rank_within

FEW_SYSTEMS = "fewer than two systems"
FEW_BLOCKS = "fewer than two complete blocks"
ALL_TIED = "no variation: every block ties all systems"


class FriedmanTest(NamedTuple):
    """Friedman's chi square with its p and Kendall's W, and the comparisons of pairs.

    mean_ranks: system -> mean rank over blocks, 1 for the smallest value; empty where undefined.
    pairs: (system, system) -> Nemenyi's p, adjusted for all pairs; empty where undefined.
    """

    chi_square: Estimate
    p_value: Estimate
    w: Estimate
    degrees: int
    mean_ranks: dict[Hashable, float]
    pairs: dict[tuple[Hashable, Hashable], Estimate]


def friedman(
    blocks: Ids,
    systems: Ids,
    values: Sequence[object] | npt.NDArray[Any],
    *,
    descending: bool = False,
) -> FriedmanTest:
    """Friedman's test of k systems over b blocks, with Nemenyi's comparisons of all pairs.

    chi square = 12 b sum (R_j - (k + 1) / 2)^2 / (k (k + 1)), divided by 1 - T / (b (k^3 - k)) for
    ties, R_j the mean ranks (ties share the mean) and T the sum of t^3 - t over groups of t tied
    systems of a block; p from chi square with k - 1 degrees of freedom. W = chi square /
    (b (k - 1)). Nemenyi: p = P(range of k normal values > |R_i - R_j| / sqrt(k (k + 1) / (12 b))).

    Parameters
    ----------
    blocks, systems : (N,) ids. A block is what ranks the systems once: a unit, or a unit and
        rater; blocks are taken to be independent, so several raters of one unit are better
        averaged first.
    values : (N,) numbers, None or NaN where missing; a block that misses a system drops out.
    descending : rank 1 for the largest value; p does not change.

    Returns a FriedmanTest; n_units of its Estimates is the number of complete blocks, n_ratings
    that of values in them; no intervals. Undefined: fewer than two systems; fewer than two
    complete blocks; every block ties all systems. Raises ValueError for two values of a system in
    one block, different lengths or an infinite value.

    Source: Friedman (1937), "The use of ranks to avoid the assumption of normality implicit in
    the analysis of variance"; ties: Conover (1999), "Practical Nonparametric Statistics", section
    5.8; Nemenyi (1963), "Distribution-free Multiple Comparisons", as in Demšar (2006),
    "Statistical Comparisons of Classifiers over Multiple Data Sets", section 3.2.2.
    """
    from scipy.stats import chi2  # late, as importing it takes half a second

    names, table = _complete_blocks(blocks, systems, values)
    n_blocks, k = table.shape
    n = Counts(n_units=n_blocks, n_ratings=table.size)
    rows = np.repeat(np.arange(n_blocks), k)
    ranks = rank_within(rows, table.ravel(), descending=descending).reshape(table.shape)
    deviations = ranks - (k + 1) / 2
    # Without ties the squares in a block sum to (k^3 - k) / 12, with ties to less: the correction.
    spread = float((deviations**2).sum())
    reason = FEW_SYSTEMS if k < 2 else FEW_BLOCKS if n_blocks < 2 else None
    if reason is None and spread == 0:
        reason = ALL_TIED
    if reason is not None:
        nothing = Estimate.missing(reason, **n)
        return FriedmanTest(nothing, nothing, nothing, max(k - 1, 0), {}, {})
    w = float((deviations.sum(axis=0) ** 2).sum()) / (n_blocks * spread)
    chi_square = n_blocks * (k - 1) * w
    means = ranks.mean(axis=0)
    return FriedmanTest(
        chi_square=Estimate(value=chi_square, **n),
        p_value=Estimate(value=float(chi2.sf(chi_square, k - 1)), **n),
        w=Estimate(value=w, **n),
        degrees=k - 1,
        mean_ranks=dict(zip(names, means.tolist(), strict=True)),
        pairs=_nemenyi(names, means, n),
    )


def critical_difference(systems: int, blocks: int, *, level: float = 0.05) -> float:
    """Difference of mean ranks from which on Nemenyi's p is below `level`.

    systems, blocks: their numbers k >= 2 and b >= 1. Returns q sqrt(k (k + 1) / (12 b)) in ranks, q
    the quantile of the range of k normal values. Raises ValueError for fewer systems or blocks
    and for a level outside (0, 1). Never undefined, takes no missing values and has no interval.

    Source: Demšar (2006), "Statistical Comparisons of Classifiers over Multiple Data Sets",
    section 3.2.2 (whose table divides q by sqrt 2).
    """
    if systems < 2 or blocks < 1:
        raise ValueError("two systems and one block are the least that can be compared")
    if not 0 < level < 1:
        raise ValueError("the level must lie between 0 and 1")
    from scipy.stats import studentized_range  # late, see `friedman`

    # Infinite degrees of freedom: the variance of ranks is known, not estimated.
    return float(studentized_range.isf(level, systems, np.inf)) * _unit(systems, blocks)


def _unit(systems: int, blocks: int) -> float:
    """Standard deviation of a mean rank, the unit of Nemenyi's range."""
    return sqrt(systems * (systems + 1) / (12 * blocks))


def _complete_blocks(
    blocks: Ids, systems: Ids, values: Sequence[object] | npt.NDArray[Any]
) -> tuple[list[Hashable], FloatArray]:
    """The systems in order of appearance, and the values of the blocks that have all of them."""
    numbers = as_floats(values)
    if not len(blocks) == len(systems) == len(numbers):
        raise ValueError(f"{len(blocks)} blocks, {len(systems)} systems, {len(numbers)} values")
    names = list(dict.fromkeys(systems))
    place = {name: at for at, name in enumerate(names)}
    system = np.array([place[name] for name in systems], dtype=np.int64)
    block, n_blocks = code_ids(blocks)
    key = np.sort(block * max(len(names), 1) + system)
    if (key[1:] == key[:-1]).any():
        raise ValueError("a block holds a system twice")
    table = np.full((n_blocks, len(names)), np.nan)
    table[block, system] = numbers
    return names, table[~np.isnan(table).any(axis=1)]


def _nemenyi(
    names: list[Hashable], means: FloatArray, n: Counts
) -> dict[tuple[Hashable, Hashable], Estimate]:
    from scipy.stats import studentized_range  # late, see `friedman`

    k, unit = len(names), _unit(len(names), n["n_units"])
    pairs = list(combinations(range(k), 2))
    apart = [abs(float(means[i] - means[j])) / unit for i, j in pairs]
    p_values = studentized_range.sf(apart, k, np.inf).tolist()
    return {
        (names[i], names[j]): Estimate(value=p_value, **n)
        for (i, j), p_value in zip(pairs, p_values, strict=True)
    }
