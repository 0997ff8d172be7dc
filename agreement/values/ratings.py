"""Tidy ratings reduced to what agreement needs: how often each unit got each value."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .coding import (
    Coded,
    Domain,
    FloatArray,
    IntArray,
    Kind,
    code_ids,
    code_values,
    take,
)
from .estimate import Counts

Ids = Sequence[Hashable] | npt.NDArray[Any]
Values = Sequence[object] | npt.NDArray[Any] | Coded

NO_RATINGS = "no ratings"
ONE_RATER = "one rater only"
NO_PAIRS = "no unit has two ratings"
# Of coefficients, which set what raters do against chance. What chance gives is estimated from the
# same units: of one alpha is 0 whatever its ratings are, and of two a coefficient takes a few
# values only, often its largest one.
FEWEST_UNITS = 3


@dataclass(frozen=True, eq=False)
class TidyRatings:
    """The N ratings that are not missing, ids and values as codes.

    unit, rater, code: (N,). domain: the values that codes stand for.
    cluster_of_unit: the cluster of each unit code.
    """

    unit: IntArray
    rater: IntArray
    code: IntArray
    domain: Domain
    cluster_of_unit: IntArray

    def of(self, chosen: npt.NDArray[np.bool_] | IntArray) -> "TidyRatings":
        """Some of the ratings."""
        unit, rater, code = self.unit[chosen], self.rater[chosen], self.code[chosen]
        return TidyRatings(unit, rater, code, self.domain, self.cluster_of_unit)


@dataclass(frozen=True, eq=False)
class UnitCounts:
    """The pairable ratings (those of units with two or more), as E sparse counts.

    unit, code, count: (E,) sorted by unit, then code: unit u was given value `code` `count` times.
    sizes: (U,) ratings of each unit, m_u >= 2 (or >= `least` of `count_units`).
    cluster: (U,) the cluster of each unit, 0..n_clusters-1.
    domain: the V values that occur.
    of_rating, rater: (N,) unit * V + code, and the rater's code, of each rating, in no order.
    n_raters, n_ratings: of the pairable ratings; of all ratings where none is pairable.
    undefined: why no pair of ratings exists, or None.
    """

    unit: IntArray
    code: IntArray
    count: FloatArray
    sizes: FloatArray
    cluster: IntArray
    n_clusters: int
    domain: Domain
    of_rating: IntArray
    rater: IntArray
    n_units: int
    n_raters: int
    n_ratings: int
    undefined: str | None

    @property
    def n_values(self) -> int:
        """V, the number of distinct values."""
        return len(self.domain)

    @property
    def n(self) -> Counts:
        """The same counts as an Estimate has them."""
        return Counts(n_units=self.n_units, n_raters=self.n_raters, n_ratings=self.n_ratings)

    def per_unit(self, weights: FloatArray) -> FloatArray:
        """Sum over the entries of each unit: (E,) -> (U,)."""
        return np.asarray(np.bincount(self.unit, weights, len(self.sizes)), dtype=np.float64)

    def pairs(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Every pair of entries of one unit, once, as positions (i, j) with i < j.

        Comes in passes over the distance j - i, so at most E pairs are in memory at a time.
        """
        first = np.arange(len(self.unit))
        for step in range(1, len(self.unit)):
            first = first[: np.searchsorted(first, len(self.unit) - step)]
            first = first[self.unit[first + step] == self.unit[first]]
            if not len(first):
                return
            yield first, first + step


def read_ratings(
    units: Ids, raters: Ids, values: Values, *, kind: Kind, clusters: Ids | None = None
) -> TidyRatings:
    """Ratings as codes; a value that is None or NaN is no rating.

    units, raters, values, clusters: parallel, (N,). Raises ValueError for lengths that differ,
    for two ratings of a unit by one rater, and for a unit in two clusters.
    """
    n_values = len(np.asarray(values.codes) if isinstance(values, Coded) else values)
    lengths = {len(units), len(raters), n_values, n_values if clusters is None else len(clusters)}
    if len(lengths) > 1:
        raise ValueError(f"units, raters, values and clusters differ in length: {sorted(lengths)}")
    code, domain = code_values(values, kind)
    unit, n_units = code_ids(units)
    rater, n_raters = code_ids(raters)
    rated = code >= 0
    _refuse_double(units, raters, np.where(rated, unit * n_raters + rater, -1))
    cluster_of_unit = _clusters_of_units(unit, n_units, units, clusters)
    return TidyRatings(unit, rater, code, domain, cluster_of_unit).of(rated)


def count_units(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    kind: Kind,
    clusters: Ids | None = None,
    least: int = 2,
) -> UnitCounts:
    """Count the values of each unit; units with fewer ratings than `least` drop out.

    Parameters and errors as for `read_ratings`.
    """
    tidy = read_ratings(units, raters, values, kind=kind, clusters=clusters)
    size = np.bincount(tidy.unit)[tidy.unit]
    if not (size >= 2).any():
        return _without_pairs(tidy)
    return _count(tidy.of(size >= least))


def count_complete(code: IntArray, domain: Domain, cluster: IntArray) -> UnitCounts:
    """The same of a complete table: code (U, M) of M >= 2 ratings of each unit, cluster (U,) from
    0 to C - 1."""
    n_units, n_raters = code.shape
    of_rating = np.arange(n_units)[:, None] * len(domain) + code
    key = np.sort(of_rating, axis=1).ravel()
    start = np.flatnonzero(np.diff(key, prepend=-1))
    return UnitCounts(
        unit=key[start] // len(domain),
        code=key[start] % len(domain),
        count=np.diff(start, append=len(key)).astype(np.float64),
        sizes=np.full(n_units, float(n_raters)),
        cluster=cluster,
        n_clusters=int(cluster.max()) + 1,
        domain=domain,
        of_rating=of_rating.ravel(),
        rater=np.tile(np.arange(n_raters), n_units),
        n_units=n_units,
        n_raters=n_raters,
        n_ratings=code.size,
        undefined=None,
    )


def _refuse_double(units: Ids, raters: Ids, key: IntArray) -> None:
    """Two ratings of a unit by one rater would count as agreement between raters."""
    ordered = np.sort(key)
    twice = ordered[1:][(ordered[1:] == ordered[:-1]) & (ordered[1:] >= 0)]
    if len(twice):
        at = int(np.flatnonzero(key == twice[0])[1])
        raise ValueError(f"unit {units[at]!r} has two ratings by rater {raters[at]!r}")


def _clusters_of_units(unit: IntArray, n_units: int, units: Ids, clusters: Ids | None) -> IntArray:
    if clusters is None:
        return np.arange(n_units)
    cluster, _ = code_ids(clusters)
    of_unit = np.zeros(n_units, dtype=np.int64)
    of_unit[unit] = cluster
    astray = np.flatnonzero(of_unit[unit] != cluster)
    if len(astray):
        raise ValueError(f"unit {units[astray[0]]!r} lies in two clusters")
    return of_unit


def _without_pairs(tidy: TidyRatings) -> UnitCounts:
    """Counts without entries; n_units, n_raters and n_ratings are those of all ratings."""
    none, nothing = np.zeros(0, dtype=np.int64), np.zeros(0)
    n_units, n_raters = len(np.unique(tidy.unit)), len(np.unique(tidy.rater))
    reason = why_no_pairs(n_raters)
    return UnitCounts(
        none,
        none,
        nothing,
        nothing,
        none,
        0,
        tidy.domain,
        none,
        none,
        n_units,
        n_raters,
        len(tidy.unit),
        reason,
    )


def few_units(least: int) -> str:
    """Why so few units have no coefficient."""
    return f"fewer than {least} units with two ratings"


def why_no_pairs(n_raters: int) -> str:
    """Why nothing can be compared, by how many raters there are."""
    return NO_RATINGS if not n_raters else ONE_RATER if n_raters == 1 else NO_PAIRS


def _count(tidy: TidyRatings) -> UnitCounts:
    used_units = np.flatnonzero(np.bincount(tidy.unit))
    unit, _ = code_ids(tidy.unit)
    used_codes = np.flatnonzero(np.bincount(tidy.code))
    code, n_codes = code_ids(tidy.code)
    of_rating = unit * n_codes + code
    key = np.sort(of_rating)
    rater, n_raters = code_ids(tidy.rater)
    start = np.flatnonzero(np.diff(key, prepend=-1))
    cluster, n_clusters = code_ids(tidy.cluster_of_unit[used_units])
    return UnitCounts(
        unit=key[start] // n_codes,
        code=key[start] % n_codes,
        count=np.diff(start, append=len(key)).astype(np.float64),
        sizes=np.bincount(unit).astype(np.float64),
        cluster=cluster,
        n_clusters=n_clusters,
        domain=take(tidy.domain, used_codes),
        n_units=len(used_units),
        of_rating=of_rating,
        rater=rater,
        n_raters=n_raters,
        n_ratings=len(key),
        undefined=None,
    )
