"""Correlation of two scores at sample, summary and system level."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap, Sampled, bootstrap_interval, interval_of
from ..bootstrap.resampling import CELLS, Contributions, Statistic
from ..bootstrap.scales import COEFFICIENTS
from ..scores.means import mean_of_totals, sums_and_sizes
from ..values.coding import FloatArray, IntArray, as_floats, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids
from .coefficients import CORRELATIONS, Coefficient
from .fisher import check_fisher, of_other_systems, with_fisher

NO_PAIRS = "no pair has both numbers"
CONSTANT = "no variation: one side always has the same value"
NO_SOURCE = "no source in which both sides vary"
# Two points always lie on a line: their correlation is 1 or -1, whatever they are.
LEAST = 3
FEW_PAIRS = "fewer than three pairs"
FEW_SYSTEMS = "fewer than three systems"
FEW_ITEMS = "no source with three items"

Numbers = Sequence[object] | npt.NDArray[Any]
# Means of the systems on both sides, (r, S) each -> (r,).
OfMeans = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The N pairs that have both numbers; source, system and cluster as codes (N,)."""

    x: FloatArray
    y: FloatArray
    source: IntArray | None
    system: IntArray | None
    cluster: IntArray
    tie_tolerance: float
    least: int


def correlation(
    first: Numbers,
    second: Numbers,
    *,
    method: str = "pearson",
    level: str = "sample",
    sources: Ids | None = None,
    systems: Ids | None = None,
    clusters: Ids | None = None,
    tie_tolerance: float = 1e-12,
    least: int = LEAST,
    bootstrap: Bootstrap | None = None,
    fisher: float | None = None,
) -> Estimate:
    """Pearson, Spearman or Kendall correlation of N pairs of numbers.

    Parameters
    ----------
    first, second : (N,) numbers in any units; a pair with a missing one (None or NaN) drops out.
    method : pearson; spearman (Pearson of mid-ranks, ties sharing the mean of their ranks);
        kendall_tau_b (pairs in order minus pairs out of order over the geometric mean of the
        pairs untied in `first` and untied in `second`). See `CORRELATIONS`.
    level : sample, over all pairs at once; summary, within each source, then the plain mean over
        the sources in which both sides vary; system, over the systems' means. See `LEVELS`.
    sources, systems : (N,) ids; what level summary and level system need.
    clusters : (N,) ids of what is resampled; the sources when left out, each pair without them.
    tie_tolerance : system means that differ by no more than about this share of the largest are
        tied, as sums of the same numbers in another order differ by rounding. 0 takes the means
        as numpy computes them, where rounding decides between equal ones.
    least : how many pairs, systems or items of some source are needed, 3: two always correlate to
        1 or -1. With 2 tau says of two things whether their order is the same.
    bootstrap : as for `alpha`. At level system a jackknife interval is that of
        `of_other_systems`: systems are the sample, on these sources.
    fisher : confidence in (0, 1) of Fisher's interval in place of a bootstrap (Pearson at sample
        level only): z = atanh r with standard error 1 / sqrt(N - 3), which takes pairs to be
        independent and normal.

    Returns
    -------
    Estimate in [-1, 1], unitless. n_ratings is the number of pairs that entered; n_units that of
    pairs, of sources used or of systems, by level. At level summary `sd` is the population
    standard deviation over sources. At level system a resample that misses a system is undefined.
    Undefined: no pair has both numbers; fewer than `least` pairs or systems, or no source with so
    many items (one with two counts where another has three); a side is constant; no source in
    which both sides vary.

    Raises ValueError for an unknown method or level, ids that the level needs and that are
    missing, different lengths, infinite numbers, a source in two clusters, Fisher's interval
    elsewhere or beside a bootstrap; TypeError for a value that is not a number.

    Source: Pearson (1896), "Regression, heredity and panmixia"; Spearman (1904), "The proof and
    measurement of association between two things"; Kendall (1945), "The treatment of ties in
    ranking problems"; Fisher (1921), "On the probable error of a coefficient of correlation";
    levels as in Deutsch, Dror and Roth (2021), "A Statistical Analysis of Summarization
    Evaluation Metrics Using Resampling Methods", section 2.
    """
    if method not in CORRELATIONS:
        raise ValueError(f"unknown method {method!r}: one of {', '.join(CORRELATIONS)}")
    if least < 2:
        raise ValueError("one point has no correlation: least is 2 or more")
    if level not in LEVELS:
        raise ValueError(f"unknown level {level!r}: one of {', '.join(LEVELS)}")
    if fisher is not None:
        check_fisher(fisher, method, level, bootstrap)
    pairs = _read(
        first,
        second,
        sources=sources,
        systems=systems,
        clusters=clusters,
        tie_tolerance=tie_tolerance,
        least=least,
    )
    estimate = LEVELS[level](pairs, CORRELATIONS[method], bootstrap)
    return estimate if fisher is None else with_fisher(estimate, fisher)


def order_tau(first: Sequence[Hashable], second: Sequence[Hashable]) -> Estimate:
    """Kendall's tau of two orders of the same things, over those that both list.

    first, second: ids from the first place to the last, each once; of different length where one
    leaves some out. Without ties tau-b is tau.

    Returns an Estimate in [-1, 1]; n_units counts what both list. Undefined: fewer than two
    things in both orders. A missing order must be left out by the caller. Raises ValueError for
    an order that lists a thing twice. No interval: average over items with `mean_by`.

    Source: Kendall (1938), "A new measure of rank correlation".
    """
    places = [{thing: at for at, thing in enumerate(order)} for order in (first, second)]
    if len(places[0]) < len(first) or len(places[1]) < len(second):
        raise ValueError("an order lists a thing twice")
    shared = [thing for thing in first if thing in places[1]]
    if len(shared) < 2:
        return Estimate.missing("fewer than two things in both orders", n_units=len(shared))
    ranks = [[place[thing] for thing in shared] for place in places]
    tau = correlation(*ranks, method="kendall_tau_b", least=2)
    return Estimate(value=tau.value, n_units=len(shared))


def _read(
    first: Numbers,
    second: Numbers,
    *,
    sources: Ids | None,
    systems: Ids | None,
    clusters: Ids | None,
    tie_tolerance: float,
    least: int,
) -> _Pairs:
    x, y = as_floats(first), as_floats(second)
    columns = (first, second, sources, systems, clusters)
    lengths = {len(column) for column in columns if column is not None}
    if len(lengths) > 1:
        raise ValueError(f"numbers and ids differ in length: {sorted(lengths)}")
    both = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))

    def codes(ids: Ids | None) -> IntArray | None:
        return None if ids is None else code_ids(code_ids(ids)[0][both])[0]

    source = codes(sources)
    cluster = source if clusters is None else codes(clusters)
    if cluster is None:
        cluster = np.arange(len(both))
    return _Pairs(x[both], y[both], source, codes(systems), cluster, tie_tolerance, least)


def _sample(pairs: _Pairs, coefficient: Coefficient, bootstrap: Bootstrap | None) -> Estimate:
    n = Counts(n_units=len(pairs.x), n_ratings=len(pairs.x))
    if not len(pairs.x):
        return Estimate.missing(NO_PAIRS, **n)
    if len(pairs.x) < pairs.least:
        return Estimate.missing(FEW_PAIRS, **n)
    if _is_constant(pairs.x) or _is_constant(pairs.y):
        return Estimate.missing(CONSTANT, **n)
    table = coefficient.pool(pairs.x, pairs.y, pairs.cluster)
    value = float(table.coefficient(table.contributions.total())[0])
    bounds = bootstrap_interval(
        table.contributions, table.coefficient, value, bootstrap, scale=COEFFICIENTS
    )
    return Estimate(value=value, **vars(bounds), **n)


def _summary(pairs: _Pairs, coefficient: Coefficient, bootstrap: Bootstrap | None) -> Estimate:
    if pairs.source is None:
        raise ValueError("level summary needs sources")
    order = np.argsort(pairs.source, kind="stable")
    starts = np.flatnonzero(np.diff(pairs.source[order], prepend=-1))
    values, clusters, n_pairs = [], [], 0
    for members in np.split(order, starts[1:]) if len(order) else []:
        x, y = pairs.x[members], pairs.y[members]
        if (pairs.cluster[members] != pairs.cluster[members[0]]).any():
            raise ValueError("a source lies in two clusters")
        if _is_constant(x) or _is_constant(y):
            continue
        table = coefficient.pool(x, y, np.zeros(len(x), dtype=np.int64))
        values.append(float(table.coefficient(table.contributions.total())[0]))
        clusters.append(int(pairs.cluster[members[0]]))
        n_pairs += len(members)
    n = Counts(n_units=len(values), n_ratings=n_pairs)
    if not values:
        return Estimate.missing(NO_SOURCE if len(order) else NO_PAIRS, **n)
    if n_pairs == 2 * len(values) and pairs.least > 2:
        return Estimate.missing(FEW_ITEMS, **n)
    each = np.array(values)
    cluster, n_clusters = code_ids(np.array(clusters))
    contributions = sums_and_sizes(each, cluster, n_clusters)
    value = float(each.mean())
    of = Sampled(contributions, mean_of_totals, value, COEFFICIENTS, skewed=True)
    bounds = interval_of(of, bootstrap)
    return Estimate(value=value, sd=float(each.std()), sd_ddof=0, **vars(bounds), **n)


def _system(pairs: _Pairs, coefficient: Coefficient, bootstrap: Bootstrap | None) -> Estimate:
    if pairs.system is None:
        raise ValueError("level system needs systems")
    n_systems = len(np.unique(pairs.system))
    n = Counts(n_units=n_systems, n_ratings=len(pairs.x))
    if not len(pairs.x):
        return Estimate.missing(NO_PAIRS, **n)
    if n_systems < pairs.least:
        return Estimate.missing(FEW_SYSTEMS, **n)
    contributions = Contributions.from_cells(
        np.tile(pairs.cluster, 3),
        np.concatenate([pairs.system + at * n_systems for at in range(3)]),
        np.concatenate([np.ones(len(pairs.x)), pairs.x, pairs.y]),
        shape=(int(pairs.cluster.max()) + 1, 3 * n_systems),
    )
    order = np.argsort(pairs.system, kind="stable")
    starts = np.flatnonzero(np.diff(pairs.system[order], prepend=-1))[1:]
    x, y = (
        np.array([[part.mean() for part in np.split(side[order], starts)]])
        for side in (pairs.x, pairs.y)
    )
    of_means = _tying(coefficient, pairs.tie_tolerance)
    value = float(of_means(x, y)[0])
    if np.isnan(value):
        return Estimate.missing(CONSTANT, **n)
    if bootstrap is not None and bootstrap.method == "jackknife":
        bounds = of_other_systems(coefficient.name, value, n_systems, bootstrap.confidence)
    else:
        statistic = _of_sizes_and_sums(of_means)
        bounds = bootstrap_interval(contributions, statistic, value, bootstrap)
    return Estimate(value=value, **vars(bounds), **n)


LEVELS: dict[str, Callable[[_Pairs, Coefficient, Bootstrap | None], Estimate]] = {
    "sample": _sample,
    "summary": _summary,
    "system": _system,
}


def _tying(coefficient: Coefficient, tolerance: float) -> OfMeans:
    """The coefficient of rows of means, with means tied that differ by rounding only."""

    def rounded(means: FloatArray) -> FloatArray:
        largest = np.abs(means).max(axis=1, keepdims=True)
        return np.asarray(np.round(means / np.where(largest > 0, largest, 1.0) / tolerance))

    if tolerance == 0:
        return coefficient.of_rows
    return lambda x, y: coefficient.of_rows(rounded(x), rounded(y))


def _of_sizes_and_sums(of_means: OfMeans) -> Statistic:
    """The same as a function of each system's size and sums (r, 3S)."""

    def statistic(totals: FloatArray) -> FloatArray:
        sizes, x, y = np.split(totals, 3, axis=1)
        result = np.full(len(totals), np.nan)
        complete = np.flatnonzero((sizes > 0).all(axis=1))
        at_once = max(1, CELLS // sizes.shape[1] ** 2)  # every system meets every other
        for start in range(0, len(complete), at_once):
            rows = complete[start : start + at_once]
            result[rows] = of_means(x[rows] / sizes[rows], y[rows] / sizes[rows])
        return result

    return statistic


def _is_constant(values: FloatArray) -> bool:
    return bool((values == values[0]).all())
