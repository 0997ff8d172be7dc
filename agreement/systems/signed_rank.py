"""Wilcoxon's signed-rank test of paired differences, and Holm's correction for several tests."""

from collections.abc import Sequence
from math import erfc, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from ..values.coding import FloatArray, IntArray, as_floats
from ..values.estimate import Estimate
from .ranks import rank_within

NO_DIFFERENCES = "no pair of values differs"
MOST_EXACT = 200  # differences; beyond that the normal approximation is right to three digits


def wilcoxon_signed_rank(differences: Sequence[object] | npt.NDArray[Any]) -> Estimate:
    """Two-sided p of Wilcoxon's signed-rank test that paired differences lie around 0.

    The differences other than 0 are ranked by size, equal ones sharing the mean of their ranks;
    W is the sum of the ranks of the positive ones. Up to 200 differences p is exact: the share of
    all ways to put signs to these very ranks, ties included, whose W is as far from its mean as
    the observed one. Beyond that W is taken as normal with variance sum of rank^2 / 4, with a
    correction of 1/2 for continuity.

    differences: (N,) one per pair, such as a source on which both systems were rated; pairs must be
    independent. Equal differences must be equal numbers, which subtracted means of three are not:
    pass `fractions.Fraction`. None and NaN are missing and drop out; so do zeros (Wilcoxon's own
    treatment).

    Returns an Estimate of p, in (0, 1]; n_units is the number of pairs, n_ratings that of
    differences other than 0; `interval_method` says how p was
    computed. No interval.
    Undefined: no pair of values differs. Raises ValueError for an infinite number; TypeError for a
    value that is not a number.

    Source: Wilcoxon (1945), "Individual Comparisons by Ranking Methods"; exact distribution given
    ties: Conover (1999), "Practical Nonparametric Statistics", section 5.7.
    """
    numbers = as_floats(differences)
    numbers = numbers[~np.isnan(numbers)]
    apart = numbers[numbers != 0]
    if not len(apart):
        return Estimate.missing(NO_DIFFERENCES, n_units=len(numbers), n_ratings=0)
    ranks = rank_within(np.zeros(len(apart), dtype=np.int64), np.abs(apart))
    # Mean ranks are halves: twice as large they are whole numbers, which can be counted.
    doubled = np.round(2 * ranks).astype(np.int64)
    positive = int(doubled[apart > 0].sum())
    exact = len(apart) <= MOST_EXACT
    p_value = _exact(doubled, positive) if exact else _approximate(doubled, positive)
    return Estimate(
        value=p_value,
        n_units=len(numbers),
        n_ratings=len(apart),
        interval_method="Wilcoxon signed-rank, two-sided, "
        + ("exact" if exact else "normal approximation"),
    )


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """P values corrected for being several, each to be compared with the level as it is.

    p_values: (m,) in [0, 1], None where a test is undefined (it stays None and is not counted). In
    ascending order, p_(i) becomes the largest of (m - j + 1) p_(j), j = 1..i, at most 1: a
    family-wise error rate of the level, whatever the dependence. No interval: a transformation.
    Raises ValueError for a p outside [0, 1].

    Source: Holm (1979), "A Simple Sequentially Rejective Multiple Test Procedure".
    """
    defined = [(p, at) for at, p in enumerate(p_values) if p is not None]
    if any(not 0 <= p <= 1 for p, _ in defined):
        raise ValueError("a p value lies within 0 and 1")
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for before, (p, at) in enumerate(sorted(defined)):
        largest = max(largest, min(1.0, (len(defined) - before) * p))
        corrected[at] = largest
    return corrected


def _exact(doubled: IntArray, positive: int) -> float:
    """Ways to choose which ranks are positive, counted by their sum."""
    total = int(doubled.sum())
    ways: FloatArray = np.zeros(total + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        # Shares, not counts, so that 2^200 ways stay a number.
        taken = np.concatenate([np.zeros(rank), ways[: total + 1 - rank]])
        ways = (ways + taken) / 2
    apart = np.abs(2 * np.arange(total + 1) - total)
    return min(1.0, float(ways[apart >= abs(2 * positive - total)].sum()))


def _approximate(doubled: IntArray, positive: int) -> float:
    ranks = doubled / 2
    apart = abs(positive / 2 - float(ranks.sum()) / 2)
    deviation = sqrt(float((ranks**2).sum()) / 4)
    return min(1.0, erfc(max(0.0, apart - 0.5) / deviation / sqrt(2)))
