"""Intervals of intraclass correlations by the F distribution: exact where tables are complete."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isnan

import numpy as np

from ..bootstrap.intervals import Interval
from .crossed import FIRST_RATER, RATINGS, SIZE_SQUARES, Crossed, one_way, two_way

NO_DEGREES = "too few ratings to tell raters and units apart"
TOLERANCE = 1e-12
# Of each mean square, for a generalized interval.
DRAWS = 10_000

# The quantile of F at a level, with two degrees of freedom.
Quantile = Callable[[float, float, float], float]


def intervals_by_squares(
    table: Crossed, confidence: float, *, seed: int | None = None
) -> list[Interval]:
    """Of ICC(1,1), ICC(2,1) and ICC(3,1), from the mean squares of a table; where ratings are
    missing, of the complete table of as many units and raters with the same variances. Units
    of one cluster may be alike, which leaves fewer degrees of freedom.

    seed: None for the published interval of ICC(2,1), which holds the truth in 82 to 90 % of
    studies with three raters who differ as much as units do; else for a generalized one: mean
    squares over chi-square are drawn for the variances that there may be.

    Source: McGraw and Wong (1996), table 7; Shrout and Fleiss (1979) for ICC(2,1), whose degrees of
    freedom are Satterthwaite's; Weerahandi (1993), "Generalized Confidence Intervals"; for the
    numbers of an incomplete table Searle, Casella and McCulloch (1992), "Variance Components",
    section 3.6.
    """
    from scipy.stats import f  # late, as importing it takes half a second

    def quantile(level: float, above: float, below: float) -> float:
        return float(f.ppf(level, above, below))

    totals = table.contributions.total()
    single, crossed = one_way(totals)[0].tolist(), two_way(totals)[0].tolist()
    method = "F distribution, " + ("complete" if table.complete else "incomplete") + " table"
    method += " (McGraw and Wong 1996)"
    none = Interval(confidence=confidence, interval_method=f"{method}; none: {NO_DEGREES}")
    level, squares = (1 + confidence) / 2, _MeanSquares.of(table, single, crossed)
    if squares is None:
        return [none, none, none]
    one_way_, agreement, consistency = (
        _interval(bound, confidence, method)
        for bound in (
            squares.one_way(quantile, level),
            squares.agreement(quantile, level, crossed[0] / sum(crossed)),
            squares.consistency(quantile, level),
        )
    )
    if seed is not None and agreement.low is not None:
        method = f"generalized, {DRAWS} draws of mean squares, seed {seed} (Weerahandi 1993)"
        agreement = _interval(squares.generalized(level, seed), confidence, method)
    return [one_way_, agreement, consistency]


def _interval(bounds: tuple[float, float] | None, confidence: float, method: str) -> Interval:
    if bounds is None:
        none = f"{method}; none: raters do not differ"
        return Interval(confidence=confidence, interval_method=none)
    low, high = bounds
    return Interval(low=low, high=high, confidence=confidence, interval_method=method)


@dataclass(frozen=True, kw_only=True)
class _MeanSquares:
    """Mean squares of units (rows), raters (columns), the residual, and units and ratings within
    them alone; the degrees of freedom of units, raters, residual and ratings within units. n: the
    ratings of a rater; k: of a unit, on average. mixed: how many times the variance of raters is in
    the mean square of units, and that of units in that of raters: 0 where all rate all."""

    n: float
    k: float
    mixed: tuple[float, float]
    rows: float
    columns: float
    error: float
    single: float
    within: float
    of_units: float
    of_raters: int
    of_error: int
    of_within: int

    @classmethod
    def of(cls, table: Crossed, single: list[float], crossed: list[float]) -> "_MeanSquares | None":
        """single, crossed: the variances of the one-way and of the two-way model; None without
        degrees of freedom."""
        totals = table.contributions.total()[0]
        ratings, n_units, n_raters = float(totals[RATINGS]), table.n["n_units"], table.n["n_raters"]
        by_rater = totals[FIRST_RATER : FIRST_RATER + n_raters]
        of_error = round(ratings) - n_units - n_raters + 1
        if min(of_error, n_raters - 1, table.n_clusters - 1) < 1 or isnan(sum(crossed)):
            return None
        of_units = float(totals[SIZE_SQUARES]) / ratings
        of_raters = float((by_rater**2).sum()) / ratings
        k, n = (ratings - of_units) / (n_units - 1), (ratings - of_raters) / (n_raters - 1)
        units, raters, error = crossed
        return cls(
            n=n,
            k=k,
            mixed=(
                (n_units - of_raters) / (n_units - 1),
                (n_raters - of_units) / (n_raters - 1),
            ),
            rows=max(k * units + error, 0.0),
            columns=max(n * raters + error, 0.0),
            error=error,
            single=max(k * single[0] + single[1], 0.0),
            within=single[1],
            of_units=table.unit_degrees,
            of_raters=n_raters - 1,
            of_error=of_error,
            of_within=round(ratings) - n_units,
        )

    def one_way(self, quantile: Quantile, level: float) -> tuple[float, float] | None:
        return self._of_ratio(quantile, level, self.single, self.within, self.of_within)

    def consistency(self, quantile: Quantile, level: float) -> tuple[float, float] | None:
        return self._of_ratio(quantile, level, self.rows, self.error, self.of_error)

    def _of_ratio(
        self, quantile: Quantile, level: float, rows: float, error: float, degrees: int
    ) -> tuple[float, float] | None:
        if error <= TOLERANCE * rows:
            return None
        ratio = rows / error
        low = ratio / quantile(level, self.of_units, degrees)
        high = ratio * quantile(level, degrees, self.of_units)
        low, high = ((bound - 1) / (bound + self.k - 1) for bound in (low, high))
        return float(low), float(high)

    def agreement(self, quantile: Quantile, level: float, icc: float) -> tuple[float, float] | None:
        n, k, rows, columns, error = self.n, self.k, self.rows, self.columns, self.error
        if icc >= 1 - TOLERANCE:
            return None
        a = k * icc / (n * (1 - icc))
        b = 1 + k * icc * (n - 1) / (n * (1 - icc))
        spread = (a * columns) ** 2 / self.of_raters + (b * error) ** 2 / self.of_error
        if spread == 0:
            return None
        degrees = (a * columns + b * error) ** 2 / spread
        rest = k * columns + (k * n - k - n) * error
        first = quantile(level, self.of_units, degrees)
        second = quantile(level, degrees, self.of_units)
        low = n * (rows - first * error) / (first * rest + n * rows)
        high = n * (second * rows - error) / (rest + n * second * rows)
        bounds = (float(low), float(high))
        return bounds if np.isfinite(bounds).all() else None

    def generalized(self, level: float, seed: int) -> tuple[float, float]:
        """Of ICC(2,1), quantiles over the variances that may have led to these mean squares."""
        units, raters = (self.rows - self.error) / self.k, (self.columns - self.error) / self.n
        rng, (of_raters, of_units) = np.random.default_rng(seed), self.mixed
        squares = (
            (self.rows + of_raters * raters, self.of_units),
            (self.columns + of_units * units, self.of_raters),
            (self.error, self.of_error),
        )
        rows, columns, error = (
            max(square, 0.0) * degrees / rng.chisquare(degrees, DRAWS)
            for square, degrees in squares
        )
        both = self.k * self.n - of_raters * of_units
        u = (self.n * (rows - error) - of_raters * (columns - error)) / both
        r = np.maximum(self.k * (columns - error) - of_units * (rows - error), 0) / both
        low, high = np.quantile(u / np.maximum(u + r + error, 1e-300), [1 - level, level]).tolist()
        return low, high
