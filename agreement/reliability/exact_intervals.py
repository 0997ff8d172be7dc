"""Intervals of intraclass correlations by the F distribution, where tables are complete."""

from collections.abc import Callable

import numpy as np

from ..bootstrap.intervals import Interval
from ..values.coding import FloatArray
from ..values.estimate import Counts
from .crossed import (
    FIRST_RATER,
    RATINGS,
    SQUARES,
    SUM,
    UNIT_SQUARES,
)

TOLERANCE = 1e-12

# The quantile of F at a level, with two degrees of freedom.
Quantile = Callable[[float, float, float], float]


def exact_intervals(
    totals: FloatArray, n: Counts, variances: FloatArray, confidence: float
) -> list[Interval]:
    """Of ICC(1,1), ICC(2,1) and ICC(3,1), from the totals (K,) of a table of n units x k raters.

    Source: McGraw and Wong (1996), table 7; Shrout and Fleiss (1979) for ICC(2,1), whose degrees of
    freedom are Satterthwaite's.
    """
    from scipy.stats import f  # late, as importing it takes half a second

    def quantile(level: float, above: float, below: float) -> float:
        return float(f.ppf(level, above, below))

    squares = _MeanSquares(totals, n["n_units"], n["n_raters"])
    level = (1 + confidence) / 2
    bounds = (
        squares.one_way(quantile, level),
        squares.agreement(quantile, level, float(variances[0] / variances.sum())),
        squares.consistency(quantile, level),
    )
    return [_interval(bound, confidence) for bound in bounds]


def _interval(bounds: tuple[float, float] | None, confidence: float) -> Interval:
    method = "F distribution, complete table (McGraw and Wong 1996)"
    if bounds is None:
        none = f"{method}; none: raters do not differ"
        return Interval(confidence=confidence, interval_method=none)
    low, high = bounds
    return Interval(low=low, high=high, confidence=confidence, interval_method=method)


class _MeanSquares:
    """Mean squares of n units (rows), k raters (columns), the residual, and within units."""

    def __init__(self, totals: FloatArray, n: int, k: int) -> None:
        self.n, self.k = n, k
        mean = totals[SUM] ** 2 / totals[RATINGS]
        columns = (totals[FIRST_RATER + k :] ** 2).sum() / n - mean
        rows, whole = totals[UNIT_SQUARES] - mean, totals[SQUARES] - mean
        left = max(0.0, float(whole - rows - columns))
        left = 0.0 if left < TOLERANCE * whole else left
        self.rows, self.columns = float(rows) / (n - 1), float(columns) / (k - 1)
        self.error = left / ((n - 1) * (k - 1))
        self.within = float(whole - rows) / (n * (k - 1))

    def one_way(self, quantile: Quantile, level: float) -> tuple[float, float] | None:
        return self._of_ratio(quantile, level, self.within, self.n * (self.k - 1))

    def consistency(self, quantile: Quantile, level: float) -> tuple[float, float] | None:
        return self._of_ratio(quantile, level, self.error, (self.n - 1) * (self.k - 1))

    def _of_ratio(
        self, quantile: Quantile, level: float, error: float, degrees: float
    ) -> tuple[float, float] | None:
        if error <= TOLERANCE * self.rows:
            return None
        ratio = self.rows / error
        low = ratio / quantile(level, self.n - 1, degrees)
        high = ratio * quantile(level, degrees, self.n - 1)
        return tuple((bound - 1) / (bound + self.k - 1) for bound in (low, high))  # type: ignore[return-value]

    def agreement(self, quantile: Quantile, level: float, icc: float) -> tuple[float, float] | None:
        n, k = self.n, self.k
        if icc >= 1 - TOLERANCE:
            return None
        a = k * icc / (n * (1 - icc))
        b = 1 + k * icc * (n - 1) / (n * (1 - icc))
        spread = (a * self.columns) ** 2 / (k - 1) + (b * self.error) ** 2 / ((n - 1) * (k - 1))
        if spread == 0:
            return None
        degrees = (a * self.columns + b * self.error) ** 2 / spread
        rest = k * self.columns + (k * n - k - n) * self.error
        first, second = quantile(level, n - 1, degrees), quantile(level, degrees, n - 1)
        low = n * (self.rows - first * self.error) / (first * rest + n * self.rows)
        high = n * (second * self.rows - self.error) / (rest + n * second * self.rows)
        bounds = (float(low), float(high))
        return bounds if np.isfinite(bounds).all() else None
