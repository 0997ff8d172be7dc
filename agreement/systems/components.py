"""How much more some raters, and some sources, like one system than another: one variance of each,
pooled over all systems."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import sqrt
from typing import Any

import numpy as np

from ..bootstrap.crossed_error import CrossedError, combined
from ..bootstrap.jackknife import Spread
from ..values.coding import FloatArray, IntArray

# Raters whose degrees of freedom are counted exactly: beyond, there are many of them.
MOST_EXACT = 300
# Floats of the shares of all raters in all outputs; larger tables are kept sparse.
MOST_DENSE = 1 << 20
NOTHING = 1e-9


@dataclass(frozen=True, eq=False)
class Cells:
    """The N ratings of K systems on S sources by R raters.

    source, rater, system: (N,) codes. value: (N,) numbers, none missing. shape: S, R, K.
    """

    source: IntArray
    rater: IntArray
    system: IntArray
    value: FloatArray
    shape: tuple[int, int, int]

    @cached_property
    def place(self) -> IntArray:
        """(N,) the source and system of a rating as one number."""
        return self.source * self.shape[2] + self.system

    @cached_property
    def size(self) -> FloatArray:
        """(S K,) how many ratings a system has on a source."""
        return np.bincount(self.place, minlength=self.shape[0] * self.shape[2]).astype(np.float64)

    @cached_property
    def mean(self) -> FloatArray:
        """(S, K) their mean, NaN where there are none."""
        sums = np.bincount(self.place, self.value, len(self.size))
        none = np.full(len(sums), np.nan)
        means = np.divide(sums, self.size, out=none, where=self.size > 0)
        return np.asarray(means.reshape(self.shape[0], self.shape[2]))

    @cached_property
    def rated(self) -> FloatArray:
        """(K, S) 1 where a system was rated on a source, else 0."""
        return (~np.isnan(self.mean.T)).astype(np.float64)

    @cached_property
    def entries(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """By source, rater and system, as one number each: the rater's share p of the ratings there
        and t, p times how far the rater's mean there lies from the mean of all."""
        n_raters, n_systems = self.shape[1:]
        key = (self.source * n_raters + self.rater) * n_systems + self.system
        entry, which = np.unique(key, return_inverse=True)
        weight = 1 / self.size[self.place]
        apart = (self.value - self.mean.ravel()[self.place]) * weight
        share, t = (np.bincount(which, of).astype(np.float64) for of in (weight, apart))
        return entry, share, t

    @cached_property
    def shares(self) -> list[Any]:
        """Of each system p as a matrix (S, R), sparse where all of them together are large: numpy's
        and scipy's arrays are used alike."""
        entry, share, _ = self.entries
        n_sources, n_raters, n_systems = self.shape
        if n_sources * n_raters * n_systems <= MOST_DENSE:
            dense = np.zeros(n_sources * n_raters * n_systems)
            dense[entry] = share
            return list(np.moveaxis(dense.reshape(self.shape), 2, 0).copy())
        from scipy.sparse import csr_array  # late, as importing it takes a tenth of a second

        matrices, pair = [], entry // n_systems
        for system in range(n_systems):
            own = np.flatnonzero(entry % n_systems == system)
            at = (pair[own] // n_raters, pair[own] % n_raters)
            matrices.append(csr_array((share[own], at), shape=(n_sources, n_raters)))
        return matrices

    @cached_property
    def met(self) -> dict[tuple[int, int], FloatArray]:
        """(S,) the sum over raters of p times p, of every two systems and of each with itself."""
        pairs = combinations_with_replacement(range(self.shape[2]), 2)
        return {
            (one, other): np.asarray((self.shares[one] * self.shares[other]).sum(axis=1))
            for one, other in pairs
        }

    @cached_property
    def components(self) -> "Components | None":
        """As `components` finds them."""
        return components(self)

    def shared(self, first: int, second: int) -> FloatArray:
        """(S,) 1 where both systems were rated, else 0."""
        return np.asarray(self.rated[first] * self.rated[second])


@dataclass(frozen=True)
class Components:
    """Variances of what raters and sources add to one system, in the squared unit of the ratings.

    of_raters, of_rest: mean squares whose difference is the variance of raters x systems; their
    degrees of freedom. severity: the variance of raters, over all systems. of_sources: the variance
    of the difference of two systems between sources, single ratings and all, and its degrees.
    """

    of_raters: float
    rater_degrees: float
    of_rest: float
    rest_degrees: float
    severity: float
    of_sources: float
    source_degrees: float

    @property
    def raters_sd(self) -> float:
        """The standard deviation of raters x systems: 0 where it comes out below."""
        return sqrt(max(0.0, self.of_raters - self.of_rest))


def components(cells: Cells) -> Components | None:
    """The variances, by moments; None where nothing was rated by two raters.

    What a rater gives to a system on a source, minus the mean of all raters there, holds nothing of
    the source. Products of two of these of one rater on different sources hold nothing of single
    ratings either: of one system they are due to raters and to raters x systems, of two systems to
    raters alone. Sums of such products are divided by what they are expected to be for a
    variance of 1. In a complete design these are the mean squares of the analysis of variance,
    and the variances, where they are above 0, those of restricted maximum likelihood.

    Source: Koch (1967), "A General Approach to the Estimation of Variance Components", for products
    in place of mean squares.
    """
    hats = [_hat(share) for share in cells.shares]
    per_rater = len(cells.entries[0]) / max(1, sum(_columns(share) for share in cells.shares))
    own, across = _expected(cells, hats)
    if own <= NOTHING:
        return None
    (of_raters, of_rest), (of_both, of_both_rest) = _sums(cells)
    mean_square, rest, severity = of_raters / own, of_rest / own, 0.0
    if across > NOTHING:
        severity = (of_both - of_both_rest) / across
        mean_square, rest = mean_square - of_both / across, rest - of_both_rest / across
    # The sum of single squares holds that of the raters' means, once for each source.
    rest, mean_square = rest - mean_square / per_rater, mean_square * (1 - 1 / per_rater)
    n_systems = cells.shape[2]
    each_rater = sum(_degrees(hat) for hat in hats)
    single = sum(max(0.0, float((share > 0).sum()) - _rows(share)) for share in cells.shares)
    once = (n_systems - 1) / n_systems
    return Components(
        of_raters=max(0.0, mean_square),
        rater_degrees=max(1.0, once * each_rater),
        of_rest=max(0.0, rest),
        rest_degrees=max(1.0, once * (single - each_rater)),
        severity=severity,
        **_of_sources(cells),
    )


def _hat(share: Any) -> Any:
    """(R, R) sum over sources of diag(p) - p p', what centring does to what raters add."""
    total, met = np.asarray(share.sum(axis=0)).ravel(), share.T @ share
    if isinstance(share, np.ndarray):
        return np.diag(total) - met
    from scipy.sparse import diags_array

    return diags_array(total) - met


def _rows(share: Any) -> int:
    """Sources with a rating."""
    return int((share.sum(axis=1) > 0).sum())


def _columns(share: Any) -> int:
    """Raters with a rating."""
    return int((share.sum(axis=0) > 0).sum())


def _expected(cells: Cells, hats: list[Any]) -> tuple[float, float]:
    """What the products within a system, and of two systems, are expected to be."""
    total = sum(hats[1:], start=hats[0])
    own = sum(float((hat * hat).sum()) for hat in hats)
    across = float((total * total).sum()) - own
    n_systems = cells.shape[2]
    entry, p, _ = cells.entries
    _, pair = np.unique(entry // n_systems, return_inverse=True)
    q1, q2, q3 = (np.bincount(pair, p**power) for power in (1, 2, 3))
    own -= float((p**2 - 2 * p**3).sum())
    across -= float((q1**2 - q2 - 2 * (q2 * q1 - q3)).sum())
    for (one, other), met in cells.met.items():
        if one == other:
            own -= float(met @ met)
        else:
            across -= 2 * float(met @ met)
    return own, across


def _sums(cells: Cells) -> tuple[tuple[float, float], tuple[float, float]]:
    """Of t: squares of sums over a rater's sources, and of single ones; within a system, and
    products of two systems."""
    (_, n_raters, n_systems), (entry, _, t) = cells.shape, cells.entries
    source_rater, system = entry // n_systems, entry % n_systems
    rater = source_rater % n_raters
    of_rater = np.bincount(rater * n_systems + system, t, n_raters * n_systems)
    of_rater = of_rater.reshape(n_raters, n_systems)
    _, pair = np.unique(source_rater, return_inverse=True)
    sums, single = float((of_rater**2).sum()), float((t**2).sum())
    all_sums = float((of_rater.sum(axis=1) ** 2).sum()) - sums
    all_single = float((np.bincount(pair, t) ** 2).sum()) - single
    return (sums, single), (all_sums, all_single)


def _degrees(hat: Any) -> float:
    """Of a sum of squares of so centred effects, by its first two moments (Satterthwaite); R - 1
    where all raters rate all sources."""
    if hat.shape[0] > MOST_EXACT:
        squares = hat.diagonal() ** 2
        return max(0.0, float(squares.sum()) ** 2 / max(1e-300, float((squares**2).sum())) - 1)
    dense = hat if isinstance(hat, np.ndarray) else hat.toarray()
    square = dense @ dense
    fourth = float((square**2).sum())
    return float(np.trace(square)) ** 2 / fourth if fourth > 0 else 0.0


def _of_sources(cells: Cells) -> dict[str, float]:
    """The variance between sources of the difference of two systems, over all pairs of these."""
    squares, degrees, n_systems = 0.0, 0, cells.shape[2]
    pairs = 0
    for first, second in combinations(range(n_systems), 2):
        apart = cells.mean[:, first] - cells.mean[:, second]
        apart = apart[~np.isnan(apart)]
        if len(apart) > 1:
            squares += float(((apart - apart.mean()) ** 2).sum())
            degrees, pairs = degrees + len(apart) - 1, pairs + 1
    each = degrees / max(1, pairs)
    return {
        "of_sources": squares / max(1, degrees),
        "source_degrees": max(1.0, (n_systems - 1) * each),
    }


def rater_weights(cells: Cells, first: int, second: int) -> tuple[float, float]:
    """How many times the variance of raters x systems, and that of raters, are in the mean over the
    shared sources of one system's mean minus the other's, beyond what differs between sources."""
    shared = cells.shared(first, second)
    n = float(shared.sum())
    totals = [shared @ cells.shares[system] for system in (first, second)]
    within = [float(shared @ cells.met[system, system]) for system in (first, second)]
    across = float(shared @ cells.met[min(first, second), max(first, second)])
    tastes = sum(float(total @ total) for total in totals) - sum(within)
    apart = totals[0] - totals[1]
    levels = float(apart @ apart) - sum(within) + 2 * across
    return tastes / (n * (n - 1)), levels / (n * (n - 1))


def with_raters(
    parts: Components, weights: tuple[float, float], n_sources: int, shape: tuple[int, int, int]
) -> CrossedError:
    """The error for raters like these, of a difference over so many sources.

    The variance between sources holds what single ratings cause; what raters add to it is the
    variance of raters x systems, the difference of two mean squares, times the first of `weights`,
    and that of raters times the second (see `rater_weights`).
    """
    who = f"sources x systems and {shape[1]} raters x systems, pooled over {shape[2]} systems"
    return combined(
        Spread(parts.of_sources / n_sources, parts.source_degrees),
        Spread(weights[0] * parts.of_raters, parts.rater_degrees),
        Spread(weights[0] * parts.of_rest, parts.rest_degrees),
        Spread(weights[1] * parts.severity, parts.rater_degrees / max(1, shape[2] - 1)),
        who,
    )
