"""Ratings of units by raters, each of whom rates some of the units, as sums of squares."""

from dataclasses import dataclass

import numpy as np

from ..bootstrap.resampling import Contributions
from ..values.coding import FloatArray, IntArray, code_ids
from ..values.estimate import Counts
from ..values.ratings import TidyRatings

# Columns: ratings, their sum and sum of squares, squared sums of units over their sizes, units,
# squared sizes of units; then the ratings and the sum of each rater.
RATINGS, SUM, SQUARES, UNIT_SQUARES, UNITS, SIZE_SQUARES, FIRST_RATER = range(7)
SINGULAR = 1e-9


@dataclass(frozen=True, eq=False)
class Crossed:
    """One rating at most per unit and rater; every unit has two or more.

    contributions: of G clusters to the totals named above. complete: whether every rater rated
    every unit. mean_raters: the harmonic mean of the numbers of ratings of units.
    """

    contributions: Contributions
    n: Counts
    n_clusters: int
    complete: bool
    mean_raters: float
    unit_degrees: float
    varies: bool

    @classmethod
    def of(cls, tidy: TidyRatings) -> "Crossed":
        """From ratings that are numbers, of units with two or more."""
        assert isinstance(tidy.domain, np.ndarray)
        value = tidy.domain[tidy.code]
        unit, n_units = code_ids(tidy.unit)
        rater, n_raters = code_ids(tidy.rater)
        cluster, n_clusters = code_ids(tidy.cluster_of_unit[tidy.unit])
        sizes = np.bincount(unit).astype(np.float64)
        # Sums of squares around the mean lose fewer digits.
        contributions = _contributions(
            value - value.mean(), unit, rater, cluster, (n_clusters, FIRST_RATER + 2 * n_raters)
        )
        return cls(
            contributions=contributions,
            n=Counts(n_units=n_units, n_raters=n_raters, n_ratings=len(unit)),
            n_clusters=n_clusters,
            complete=len(unit) == n_units * n_raters,
            mean_raters=n_units / float((1 / sizes).sum()),
            unit_degrees=_unit_degrees(
                np.bincount(unit, value) / sizes, tidy.cluster_of_unit[np.unique(tidy.unit)]
            ),
            varies=bool(np.ptp(value) > 0),
        )

    @property
    def independent(self) -> bool:
        """Whether no two units share a cluster."""
        return self.n_clusters == self.n["n_units"]


def _unit_degrees(means: FloatArray, cluster: IntArray) -> float:
    """The degrees of freedom of the mean square of units, whose means and clusters are (U,): U - 1,
    or fewer as far as units of one cluster are alike (Satterthwaite), down to clusters - 1."""
    code, n_clusters = code_ids(cluster)
    n, sizes = len(means), np.bincount(code).astype(np.float64)
    if not 1 < n_clusters < n:
        return n_clusters - 1.0
    of_cluster = np.bincount(code, means) / sizes
    within = float(((means - of_cluster[code]) ** 2).sum()) / (n - n_clusters)
    between = float((sizes * (of_cluster - means.mean()) ** 2).sum()) / (n_clusters - 1)
    size = (n - float((sizes**2).sum()) / n) / (n_clusters - 1)
    both = between + (size - 1) * within
    alike = max(between - within, 0.0) / both if both > 0 else 1.0
    degrees = n**2 / (n + alike**2 * float((sizes * (sizes - 1)).sum())) - 1
    return float(max(degrees, n_clusters - 1))


def _contributions(
    value: FloatArray, unit: IntArray, rater: IntArray, cluster: IntArray, shape: tuple[int, int]
) -> Contributions:
    sizes, sums = np.bincount(unit).astype(np.float64), np.bincount(unit, weights=value)
    of_unit = np.zeros(len(sizes), dtype=np.int64)
    of_unit[unit] = cluster
    ones = np.ones(len(unit))
    n_raters = (shape[1] - FIRST_RATER) // 2
    columns: list[tuple[IntArray, IntArray, FloatArray]] = [
        (cluster, np.full(len(unit), RATINGS), ones),
        (cluster, np.full(len(unit), SUM), value),
        (cluster, np.full(len(unit), SQUARES), value**2),
        (of_unit, np.full(len(sizes), UNIT_SQUARES), sums**2 / sizes),
        (of_unit, np.full(len(sizes), UNITS), np.ones(len(sizes))),
        (of_unit, np.full(len(sizes), SIZE_SQUARES), sizes**2),
        (cluster, FIRST_RATER + rater, ones),
        (cluster, FIRST_RATER + n_raters + rater, value),
    ]
    rows, places, weights = (np.concatenate(part) for part in zip(*columns, strict=True))
    return Contributions.from_cells(rows, places, weights, shape=shape)


def two_way(totals: FloatArray) -> FloatArray:
    """Variances of units, raters and what is left: (r, K) totals -> (r, 3), NaN where the ratings
    cannot tell them apart.

    Henderson's first method: sums of squares are set equal to what they are expected to be, which
    is analysis of variance where every rater rated every unit. A variance may come out below 0.
    """
    n, units, sizes = totals[:, RATINGS], totals[:, UNITS], totals[:, SIZE_SQUARES]
    by_rater, sums = np.split(totals[:, FIRST_RATER:], 2, axis=1)
    raters = (by_rater > 0).sum(axis=1)
    rater_squares = np.divide(sums**2, by_rater, out=np.zeros_like(sums), where=by_rater > 0).sum(
        axis=1
    )
    mean_square = totals[:, SUM] ** 2 / n
    of_units, of_raters = sizes / n, (by_rater**2).sum(axis=1) / n
    squares = (
        np.stack([totals[:, UNIT_SQUARES], rater_squares, totals[:, SQUARES]], axis=1)
        - mean_square[:, None]
    )
    expected = np.stack(
        [
            np.stack([n - of_units, units - of_raters, units - 1], axis=1),
            np.stack([raters - of_units, n - of_raters, raters - 1], axis=1),
            np.stack([n - of_units, n - of_raters, n - 1], axis=1),
        ],
        axis=1,
    )
    return _solved(expected / n[:, None, None], squares / n[:, None])


def one_way(totals: FloatArray) -> FloatArray:
    """Variances of units and of ratings within them: (r, K) -> (r, 2), NaN with a single unit.

    Analysis of variance, with the sizes of units as they are (Searle, Casella and McCulloch 1992).
    """
    n, units, sizes = totals[:, RATINGS], totals[:, UNITS], totals[:, SIZE_SQUARES]
    within = (totals[:, SQUARES] - totals[:, UNIT_SQUARES]) / (n - units)
    between = totals[:, UNIT_SQUARES] - totals[:, SUM] ** 2 / n
    share = n - sizes / n
    result = np.full((len(n), 2), np.nan)
    several = units > 1
    np.divide(between - (units - 1) * within, share, out=result[:, 0], where=several)
    result[:, 1] = within
    return result


def _solved(expected: FloatArray, squares: FloatArray) -> FloatArray:
    """The solutions of (r, 3, 3) systems, NaN where there is none."""
    result = np.full(squares.shape, np.nan)
    solvable = np.abs(np.linalg.det(expected)) > SINGULAR
    if solvable.any():
        right = squares[solvable][:, :, None]
        result[solvable] = np.linalg.solve(expected[solvable], right)[:, :, 0]
    return result
