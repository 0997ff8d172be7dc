"""Observed and expected disagreement as functions of totals over clusters.

Notation of Krippendorff (2011), section "Any metric": unit u has m_u ratings, n_uc of them c;
n_c = sum_u n_uc over units with m_u >= 2, n = sum_c n_c. With
    S_o = sum_u sum_c,k n_uc n_uk d_ck / (m_u - 1)   and   S_e = sum_c,k n_c n_k d_ck,
alpha = 1 - (n - 1) S_o / S_e. Both sums add up over units, except that S_e is quadratic in the
n_c; so the n_c, and S_o where d is fixed, are what each cluster contributes.

Where raters are drawn too, the same totals follow from `CrossedCounts`: the n_c are then the
margins of the coincidences o_ck of different raters, as they are without copies.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..bootstrap.crossed import CrossedCounts
from ..bootstrap.resampling import Contributions
from ..values.coding import Domain, FloatArray, IntArray
from ..values.ratings import UnitCounts
from .distances import Distance, Form

# Up to this many distinct values the distances between all of them are kept (32 MB).
KEPT_VALUES = 2048
CELLS = 1 << 20  # distances computed at a time beyond that


class Disagreement(Protocol):
    """A table of ratings made ready: contributions of its clusters, alpha of any totals."""

    contributions: Contributions

    def alpha(self, totals: FloatArray) -> FloatArray:
        """(r, K) totals -> (r,) alphas, NaN where all ratings are equal."""
        ...

    def crossed_totals(self, drawn: CrossedCounts) -> FloatArray:
        """The totals (r, K) of resamples of clusters and raters."""
        ...


def prepare(counts: UnitCounts, distance: Distance) -> Disagreement:
    """The cheapest form that computes this distance exactly."""
    return _FORMS[distance.form](counts, distance)


class _ByEquality:
    """Nominal: sum over c,k of n_c n_k [c != k] = n^2 - sum n_c^2."""

    def __init__(self, counts: UnitCounts, _distance: Distance) -> None:
        same = counts.per_unit(counts.count**2)
        observed = (counts.sizes**2 - same) / (counts.sizes - 1)
        self.contributions = _observed_and_counts(counts, observed)

    def alpha(self, totals: FloatArray) -> FloatArray:
        observed, value_counts = totals[:, 0], totals[:, 1:]
        n = value_counts.sum(axis=1)
        expected = n**2 - (value_counts**2).sum(axis=1)
        return _alpha(observed, expected, n, _varies(value_counts))

    def crossed_totals(self, drawn: CrossedCounts) -> FloatArray:
        return _beside((drawn.scale * drawn.n_apart).sum(axis=1), drawn.value_counts)


class _ByPairs:
    """Any fixed distance, by visiting the pairs of values: V x V, in pieces where V is large."""

    def __init__(self, counts: UnitCounts, distance: Distance) -> None:
        self.domain: Domain = counts.domain
        self.distance = distance
        self.kept: FloatArray | None = None
        self.apart: FloatArray | None = None
        if counts.n_values <= KEPT_VALUES:
            self.kept = self._rows(np.arange(counts.n_values), counts.n_values)
        observed = np.zeros(len(counts.sizes))
        for i, j in counts.pairs():
            apart = self._between(counts.code[i], counts.code[j])
            weights = 2 * counts.count[i] * counts.count[j] * apart
            observed += np.bincount(counts.unit[i], weights=weights, minlength=len(observed))
        self.contributions = _observed_and_counts(counts, observed / (counts.sizes - 1))

    def alpha(self, totals: FloatArray) -> FloatArray:
        observed, value_counts = totals[:, 0], totals[:, 1:]
        expected = self._expected(value_counts)
        return _alpha(observed, expected, value_counts.sum(axis=1), _varies(value_counts))

    def crossed_totals(self, drawn: CrossedCounts) -> FloatArray:
        if self.apart is None:  # the same for all resamples
            code = drawn.units.counts.code
            first, second = drawn.units.pairs
            self.apart = self._between(code[first], code[second])
        return _beside(drawn.coincidences() @ self.apart, drawn.value_counts)

    def _between(self, i: IntArray, j: IntArray) -> FloatArray:
        if self.kept is not None:
            return self.kept[i, j]
        return self.distance.between(self.domain, i, j)

    def _rows(self, rows: IntArray, n_values: int) -> FloatArray:
        return self.distance.between(self.domain, rows[:, None], np.arange(n_values)[None, :])

    def _expected(self, value_counts: FloatArray) -> FloatArray:
        """(r, V) -> (r,): n^T D n for each row n."""
        if self.kept is not None:
            return np.asarray(((value_counts @ self.kept) * value_counts).sum(axis=1))
        n_values = value_counts.shape[1]
        step = max(1, CELLS // n_values)
        expected = np.zeros(len(value_counts))
        for start in range(0, n_values, step):
            rows = np.arange(start, min(start + step, n_values))
            towards = value_counts @ self._rows(rows, n_values).T
            expected += (towards * value_counts[:, rows]).sum(axis=1)
        return expected


class _BySquares:
    """Interval: both sums from the n, sum x and sum x^2 of each cluster; V does not matter.

    alpha does not change when x is shifted or scaled, so x is centred on the mean of the table
    (or n sum x^2 - (sum x)^2 would lose its digits) and scaled into [-1, 1].
    """

    def __init__(self, counts: UnitCounts, _distance: Distance) -> None:
        values = np.asarray(counts.domain, dtype=np.float64)
        x = values[counts.code]
        x = x - np.average(x, weights=counts.count)
        x = x / max(float(np.abs(x).max()), np.finfo(float).tiny)
        sums = counts.per_unit(counts.count * x)
        from_mean = x - (sums / counts.sizes)[counts.unit]
        self.x, self.from_mean = x, from_mean
        within = counts.per_unit(counts.count * from_mean**2)
        squares = counts.per_unit(counts.count * x**2)
        observed = 2 * counts.sizes * within / (counts.sizes - 1)
        self.contributions = _columns(counts, [observed, counts.sizes, sums, squares])

    def alpha(self, totals: FloatArray) -> FloatArray:
        observed, n, sums, squares = totals.T
        expected = 2 * (n * squares - sums**2)
        # Equal ratings leave rounding noise here instead of 0.
        return _alpha(observed, expected, n, expected > 1e-13 * n * squares)

    def crossed_totals(self, drawn: CrossedCounts) -> FloatArray:
        # As a variance within units: ratings far from 0 would lose their digits.
        sums = drawn.per_unit(drawn.count * self.from_mean)
        squares = drawn.per_unit(drawn.count * self.from_mean**2)
        apart = 2 * np.maximum(drawn.ratings * squares - sums**2, 0)
        observed = (drawn.scale * apart).sum(axis=1)
        n, paired = drawn.paired.sum(axis=1), drawn.paired
        return np.column_stack([observed, n, paired @ self.x, paired @ self.x**2])


class _ByRanks:
    """Ordinal: the interval distance between mid-ranks, which every resample has its own of.

    (sum_{g=c..k} n_g - (n_c + n_k) / 2)^2 = (rank_k - rank_c)^2 with
    rank_c = sum_{g<c} n_g + n_c / 2. The ranks' mean is n / 2. The observed sum therefore needs
    the coincidences o_ck of those pairs c < k that meet in a unit, not their distance.
    """

    def __init__(self, counts: UnitCounts, _distance: Distance) -> None:
        units, keys, weights = [counts.unit[:0]], [counts.code[:0]], [counts.count[:0]]
        for i, j in counts.pairs():
            units.append(counts.unit[i])
            keys.append(counts.code[i] * counts.n_values + counts.code[j])
            both = 2 * counts.count[i] * counts.count[j]
            weights.append(both / (counts.sizes[counts.unit[i]] - 1))
        pairs, column = np.unique(np.concatenate(keys), return_inverse=True)
        self.lower, self.upper = np.divmod(pairs, counts.n_values)
        self.contributions = Contributions.from_cells(
            counts.cluster[np.concatenate([*units, counts.unit])],
            np.concatenate([column, counts.code + len(pairs)]),
            np.concatenate([*weights, counts.count]),
            shape=(counts.n_clusters, len(pairs) + counts.n_values),
        )

    def alpha(self, totals: FloatArray) -> FloatArray:
        coincidences, value_counts = np.split(totals, [len(self.lower)], axis=1)
        ranks = np.cumsum(value_counts, axis=1) - value_counts / 2
        n = value_counts.sum(axis=1)
        apart = (ranks[:, self.upper] - ranks[:, self.lower]) ** 2
        observed = (coincidences * apart).sum(axis=1)
        expected = 2 * n * (value_counts * (ranks - n[:, None] / 2) ** 2).sum(axis=1)
        return _alpha(observed, expected, n, _varies(value_counts))

    def crossed_totals(self, drawn: CrossedCounts) -> FloatArray:
        code, n_values = drawn.units.counts.code, drawn.units.counts.n_values
        first, second = drawn.units.pairs
        keys = self.lower * n_values + self.upper
        column = np.searchsorted(keys, code[first] * n_values + code[second])
        met = np.array([np.bincount(column, row, len(keys)) for row in drawn.coincidences()])
        return np.concatenate([met, drawn.value_counts], axis=1)


_FORMS: dict[Form, Callable[[UnitCounts, Distance], Disagreement]] = {
    "equality": _ByEquality,
    "pairs": _ByPairs,
    "squares": _BySquares,
    "ranks": _ByRanks,
}


def _alpha(
    observed: FloatArray, expected: FloatArray, n: FloatArray, varies: npt.NDArray[np.bool_]
) -> FloatArray:
    ratio = np.full(len(n), np.nan)
    np.divide((n - 1) * observed, expected, out=ratio, where=varies & (expected > 0))
    return 1 - ratio


def _varies(value_counts: FloatArray) -> npt.NDArray[np.bool_]:
    return np.asarray((value_counts > 0).sum(axis=1) > 1)


def _beside(observed: FloatArray, value_counts: FloatArray) -> FloatArray:
    return np.concatenate([observed[:, None], value_counts], axis=1)


def _observed_and_counts(counts: UnitCounts, observed: FloatArray) -> Contributions:
    """Column 0 is the observed sum, columns 1..V are the value counts."""
    return Contributions.from_cells(
        np.concatenate([counts.cluster, counts.cluster[counts.unit]]),
        np.concatenate([np.zeros(len(observed), dtype=np.int64), counts.code + 1]),
        np.concatenate([observed, counts.count]),
        shape=(counts.n_clusters, counts.n_values + 1),
    )


def _columns(counts: UnitCounts, columns: list[FloatArray]) -> Contributions:
    """A few figures per unit, summed by cluster."""
    n_units, width = len(counts.sizes), len(columns)
    return Contributions.from_cells(
        np.tile(counts.cluster, width),
        np.repeat(np.arange(width), n_units),
        np.concatenate(columns),
        shape=(counts.n_clusters, width),
    )
