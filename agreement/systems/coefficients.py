"""Pearson, Spearman and Kendall as functions of totals over clusters, and of rows of means.

A table of N pairs (x, y) has K distinct cells. A resample of clusters gives each cell a weight,
how often it was drawn, and all three coefficients follow from the weights: Pearson from six sums,
Spearman and Kendall from the weights themselves, because every resample has ranks of its own.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..bootstrap.resampling import Contributions
from ..values.coding import FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]


class Pooled(Protocol):
    """A table of pairs made ready: contributions of its clusters, the coefficient of totals."""

    contributions: Contributions

    def coefficient(self, totals: FloatArray) -> FloatArray:
        """(r, K) totals -> (r,), NaN where a side is constant."""
        ...


@dataclass(frozen=True)
class Coefficient:
    """One coefficient in two forms.

    name: as in `CORRELATIONS`. pool: (x (N,), y (N,), cluster (N,)) -> the table made ready.
    of_rows: (x (r, S), y (r, S)) -> (r,), NaN where a row is constant on one side.
    """

    name: str
    pool: Callable[[FloatArray, FloatArray, IntArray], Pooled]
    of_rows: Callable[[FloatArray, FloatArray], FloatArray]


class _Sums:
    """Pearson: n, sum x, sum y, sum x^2, sum y^2, sum xy of each cluster.

    r does not change when a side is shifted or scaled, so both are centred and scaled into
    [-1, 1] first, or the differences of large sums would lose their digits.
    """

    def __init__(self, x: FloatArray, y: FloatArray, cluster: IntArray) -> None:
        x, y = _standard(x), _standard(y)
        columns = [np.ones(len(x)), x, y, x * x, y * y, x * y]
        self.contributions = Contributions.from_cells(
            np.tile(cluster, 6),
            np.repeat(np.arange(6), len(x)),
            np.concatenate(columns),
            shape=(int(cluster.max()) + 1, 6),
        )

    def coefficient(self, totals: FloatArray) -> FloatArray:
        n, x, y, xx, yy, xy = totals.T
        spread_x, spread_y = n * xx - x * x, n * yy - y * y
        # Equal values leave rounding noise here instead of 0.
        varies = (spread_x > 1e-13 * n * xx) & (spread_y > 1e-13 * n * yy)
        return _ratio(n * xy - x * y, spread_x, spread_y, varies)


class _Cells:
    """The K distinct cells, sorted by x and then y; the totals are their weights."""

    def __init__(self, x: FloatArray, y: FloatArray, cluster: IntArray) -> None:
        _, x_code = np.unique(x, return_inverse=True)
        y_values, y_code = np.unique(y, return_inverse=True)
        cells, column = np.unique(x_code * len(y_values) + y_code, return_inverse=True)
        self.x, self.y = np.divmod(cells, len(y_values))
        self.by_y = np.argsort(self.y, kind="stable")
        self.contributions = Contributions.from_cells(
            cluster,
            column.astype(np.int64),
            np.ones(len(cluster)),
            shape=(int(cluster.max()) + 1, len(cells)),
        )

    def sides(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How often each x and each y was drawn: (r, K) -> (r, X), (r, Y)."""
        return (
            np.add.reduceat(weights, _starts(self.x), axis=1),
            np.add.reduceat(weights[:, self.by_y], _starts(self.y[self.by_y]), axis=1),
        )


class _Ranks(_Cells):
    """Spearman: Pearson of the mid-ranks that a resample gives to its values."""

    def coefficient(self, totals: FloatArray) -> FloatArray:
        x_counts, y_counts = self.sides(totals)
        x_rank, y_rank = _centred_ranks(x_counts), _centred_ranks(y_counts)
        together = (totals * x_rank[:, self.x] * y_rank[:, self.y]).sum(axis=1)
        return _ratio(
            together,
            (x_counts * x_rank**2).sum(axis=1),
            (y_counts * y_rank**2).sum(axis=1),
            _varies(x_counts) & _varies(y_counts),
        )


class _Orders(_Cells):
    """Kendall: pairs in the same order minus pairs in opposite order.

    With n_x and n_y how often values were drawn and w the weights of cells, the pairs that differ
    on both sides number (n^2 - sum n_x^2 - sum n_y^2 + sum w^2) / 2.
    """

    def coefficient(self, totals: FloatArray) -> FloatArray:
        x_counts, y_counts = self.sides(totals)
        all_pairs = totals.sum(axis=1) ** 2
        differ_x = all_pairs - (x_counts**2).sum(axis=1)
        differ_y = all_pairs - (y_counts**2).sum(axis=1)
        both = differ_x + differ_y - all_pairs + (totals**2).sum(axis=1)
        same = sum((level.count(totals) for level in self._levels()), np.zeros(len(totals)))
        return _ratio(4 * same - both, differ_x, differ_y, _varies(x_counts) & _varies(y_counts))

    def _levels(self) -> "Iterator[_Level]":
        """One for each binary digit of y: y < y' where they first differ, from the top, there."""
        for digit in range(int(self.y.max(initial=0)).bit_length()):
            yield _Level.of(self.x, self.y, digit)


@dataclass(frozen=True, eq=False)
class _Level:
    """Cells sorted by the digits of y above one digit, then by x.

    A cell with digit 1 has a smaller y than those of its group with digit 0, and is in order with
    the ones among them that have a smaller x: those between the start of the group and the first
    cell of the group with the same x.
    """

    order: IntArray
    is_zero: BoolArray
    ones: IntArray
    group_start: IntArray
    x_start: IntArray

    @classmethod
    def of(cls, x: IntArray, y: IntArray, digit: int) -> "_Level":
        order = np.argsort(y >> (digit + 1), kind="stable")  # and by x, as the cells are
        group, x, y = (y >> (digit + 1))[order], x[order], y[order]
        is_one = (y >> digit) & 1 == 1
        ones = np.flatnonzero(is_one)
        new_group = np.diff(group, prepend=-1) != 0
        new_x = new_group | (np.diff(x, prepend=-1) != 0)
        return cls(order, ~is_one, ones, _last_true(new_group)[ones], _last_true(new_x)[ones])

    def count(self, weights: FloatArray) -> FloatArray:
        """Pairs in the same order that this digit decides: (r, K) -> (r,)."""
        weights = weights[:, self.order]
        zeros = np.cumsum(weights * self.is_zero, axis=1) - weights * self.is_zero
        # Where a group or an x starts, `zeros` holds what came before it.
        below = zeros[:, self.x_start] - zeros[:, self.group_start]
        return np.asarray((weights[:, self.ones] * below).sum(axis=1))


def _last_true(starts: BoolArray) -> IntArray:
    """For each place the last place up to it that is true."""
    return np.maximum.accumulate(np.where(starts, np.arange(len(starts)), 0))


def _starts(sorted_codes: IntArray) -> IntArray:
    return np.flatnonzero(np.diff(sorted_codes, prepend=-1))


def _centred_ranks(counts: FloatArray) -> FloatArray:
    """Mid-ranks of the values minus their mean: (r, V) -> (r, V)."""
    n = counts.sum(axis=1, keepdims=True)
    return np.asarray(np.cumsum(counts, axis=1) - (counts + n) / 2)


def _varies(counts: FloatArray) -> BoolArray:
    return np.asarray((counts > 0).sum(axis=1) > 1)


def _standard(values: FloatArray) -> FloatArray:
    centred = values - values.mean()
    return np.asarray(centred / max(float(np.abs(centred).max()), np.finfo(float).tiny))


def _ratio(
    together: FloatArray, spread_x: FloatArray, spread_y: FloatArray, varies: BoolArray
) -> FloatArray:
    """together / sqrt(spread_x spread_y) within [-1, 1], NaN where a side does not vary."""
    result = np.full(len(together), np.nan)
    scale = np.sqrt(spread_x[varies] * spread_y[varies])
    result[varies] = np.clip(together[varies] / scale, -1, 1)
    return result


def _pearson_of_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    varies = (np.ptp(x, axis=1) > 0) & (np.ptp(y, axis=1) > 0)
    x, y = (side - side.mean(axis=1, keepdims=True) for side in (x, y))
    return _ratio((x * y).sum(axis=1), (x * x).sum(axis=1), (y * y).sum(axis=1), varies)


def _spearman_of_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    return _pearson_of_rows(_signs(x).sum(axis=2), _signs(y).sum(axis=2))  # 2 rank - (S + 1)


def _kendall_of_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    x, y = (_signs(side).reshape(len(side), -1) for side in (x, y))
    spread_x, spread_y = np.abs(x).sum(axis=1), np.abs(y).sum(axis=1)
    return _ratio((x * y).sum(axis=1), spread_x, spread_y, (spread_x > 0) & (spread_y > 0))


def _signs(rows: FloatArray) -> FloatArray:
    """Which of every two is larger: (r, S) -> (r, S, S)."""
    return np.sign(rows[:, :, None] - rows[:, None, :])


CORRELATIONS: dict[str, Coefficient] = {
    coefficient.name: coefficient
    for coefficient in (
        Coefficient("pearson", _Sums, _pearson_of_rows),
        Coefficient("spearman", _Ranks, _spearman_of_rows),
        Coefficient("kendall_tau_b", _Orders, _kendall_of_rows),
    )
}
