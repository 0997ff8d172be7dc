"""Ranks within a comparison: mean rank of each system."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import (
    Bootstrap,
    Sampled,
    bootstrap_interval,
    crossed_interval,
)
from ..bootstrap.resampling import Contributions, Draws
from ..bootstrap.scales import Scale
from ..values.coding import FloatArray, IntArray, as_floats, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import NO_RATINGS, Ids

Numbers = Sequence[object] | npt.NDArray[Any]

# How many of its group lie below a value, how many equal it (itself included) -> its rank.
TIES: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "mean": lambda below, equal: below + (equal + 1) / 2,
    "competition": lambda below, _equal: below + 1,
}

# For `mean_ranks`: the values are ranks already, and count as they are.
ENTERED = "entered"


class MeanRanks(NamedTuple):
    """Mean rank of each system, lower is better: overall, and by each rater."""

    overall: dict[Hashable, Estimate]
    by_rater: dict[Hashable, dict[Hashable, Estimate]]


def rank_within(
    groups: Ids, values: Numbers, *, ties: str = "mean", descending: bool = False
) -> FloatArray:
    """Rank of each value among those of its group, 1 for the smallest.

    groups, values: (N,). ties: mean (equal values share the mean of their places: 1, 2.5, 2.5) or
    competition (they all get the best of them: 1, 2, 2). descending: 1 for the largest.

    Returns (N,) ranks; NaN throughout a group in which a value is missing (None or NaN), because
    the ranks of the others depend on it. Raises ValueError for unknown ties, different lengths or
    an infinite value. No interval: it is a transformation, and never undefined otherwise.

    Source: Kendall (1945), "The treatment of ties in ranking problems", for the mean.
    """
    if ties not in TIES:
        raise ValueError(f"unknown ties {ties!r}: one of {', '.join(TIES)}")
    numbers = as_floats(values)
    if len(groups) != len(numbers):
        raise ValueError(f"{len(groups)} groups for {len(numbers)} values")
    group, n_groups = code_ids(groups)
    if not len(group):
        return np.zeros(0)
    signed = -numbers if descending else numbers
    order = np.lexsort((signed, group))
    start = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=n_groups))])
    new = np.diff(group[order], prepend=-1) != 0
    new[1:] |= signed[order][1:] != signed[order][:-1]
    tie = np.cumsum(new) - 1  # which run of equal values of one group
    below = np.flatnonzero(new)[tie] - start[group[order]]
    ranks = np.empty(len(numbers))
    ranks[order] = TIES[ties](below.astype(np.float64), np.bincount(tie)[tie].astype(np.float64))
    return np.where(np.isnan(_where_complete(group, numbers)), np.nan, ranks)


def _where_complete(groups: Ids, numbers: FloatArray) -> FloatArray:
    """The numbers, NaN throughout a group in which one is missing."""
    group, n_groups = code_ids(groups)
    incomplete = np.bincount(group, weights=np.isnan(numbers), minlength=n_groups) > 0
    return np.where(incomplete[group], np.nan, numbers)


def mean_ranks(
    units: Ids,
    raters: Ids,
    systems: Ids,
    values: Numbers,
    *,
    ties: str = "mean",
    descending: bool = False,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> MeanRanks:
    """Mean rank of each system, by each rater and overall, from raw ranks or scores.

    A rater's values for the systems of a unit are ranked anew among each other (`rank_within`), or
    taken as they are; a rater's mean rank of a system is the mean over units; overall is the plain
    mean of the raters' mean ranks, however many units each of them ranked.

    Parameters
    ----------
    units, raters, systems : (N,) ids of one value each.
    values : (N,) ranks, 1 or any smallest number being best (scores with `descending`).
    ties : mean or competition (see `TIES`), or entered, which takes ranks as they are; it changes
        the figures, so say which.
    clusters : (N,) ids of what is resampled; the units when left out.
    bootstrap : as for `alpha`.

    Returns MeanRanks of Estimates, systems in order of appearance. A ranking with a missing value
    (None or NaN) does not count at all. Undefined: a system in no complete ranking ("no
    ratings"). Raises ValueError as `rank_within`, and for a system ranked twice in one ranking.

    Source: Gao, Ruan and Wan (2024), "ReproHum #0087-01: A Reproduction Study of the Human
    Evaluation of the Coverage of Fact Checking Explanations", Table 5.
    """
    ranking = groups_of_raters(units, raters)
    refuse_twice(ranking, systems)
    if ties == ENTERED:
        ranks = _where_complete(ranking, as_floats(values))
    else:
        ranks = rank_within(ranking, values, ties=ties, descending=descending)
    unit, rater = code_ids(units)[0], code_ids(raters)[0]
    cluster = unit if clusters is None else code_ids(clusters)[0]

    most = int(np.bincount(ranking).max(initial=1))
    scale = Scale.within((1.0, float(most)), ranks[~np.isnan(ranks)])

    def mean(rows: IntArray) -> Estimate:
        about = (unit[rows], rater[rows], cluster[rows])
        return _mean_of_raters(ranks[rows], *about, scale=scale, bootstrap=bootstrap)

    by_system = rows_of(list(systems))
    return MeanRanks(
        {system: mean(rows) for system, rows in by_system.items()},
        {
            name: {
                system: mean(np.intersect1d(rows, own))
                for system, rows in by_system.items()
                if np.isin(rows, own).any()
            }
            for name, own in rows_of(list(raters)).items()
        },
    )


def groups_of_raters(units: Ids, raters: Ids) -> IntArray:
    """One code for every pair of unit and rater."""
    if len(units) != len(raters):
        raise ValueError(f"{len(units)} units for {len(raters)} raters")
    (unit, _), (rater, n_raters) = code_ids(units), code_ids(raters)
    return unit * n_raters + rater


def refuse_twice(ranking: IntArray, systems: Ids) -> None:
    """ValueError for a system that a ranking holds twice."""
    if len(systems) != len(ranking):
        raise ValueError(f"{len(systems)} systems for {len(ranking)} units")
    system, n_systems = code_ids(systems)
    key = np.sort(ranking * n_systems + system)
    if (key[1:] == key[:-1]).any():
        raise ValueError("a ranking holds a system twice")


def rows_of(ids: Sequence[Hashable]) -> dict[Hashable, IntArray]:
    """The places of each id, in order of first appearance."""
    rows: dict[Hashable, list[int]] = {}
    for at, key in enumerate(ids):
        rows.setdefault(key, []).append(at)
    return {key: np.array(places) for key, places in rows.items()}


def _mean_of_raters(
    ranks: FloatArray,
    unit: IntArray,
    rater: IntArray,
    cluster: IntArray,
    *,
    scale: Scale,
    bootstrap: Bootstrap | None,
) -> Estimate:
    """Totals are the sum and the number of the ranks by each rater."""
    rows = np.flatnonzero(~np.isnan(ranks))
    who, n_raters = code_ids(rater[rows])
    n = Counts(n_units=len(np.unique(unit[rows])), n_raters=n_raters, n_ratings=len(rows))
    if not len(rows):
        return Estimate.missing(NO_RATINGS, **n)
    group, n_clusters = code_ids(cluster[rows])
    contributions = Contributions.from_cells(
        np.tile(group, 2),
        np.concatenate([who, who + n_raters]),
        np.concatenate([ranks[rows], np.ones(len(rows))]),
        shape=(n_clusters, 2 * n_raters),
    )

    def statistic(totals: FloatArray) -> FloatArray:
        """A rater whom a resample misses leaves its mean to the others."""
        sums, sizes = np.split(totals, 2, axis=1)
        return np.asarray((sums / np.maximum(sizes, 1)).sum(axis=1) / (sizes > 0).sum(axis=1))

    value = float(statistic(contributions.total())[0])
    if bootstrap is None or not bootstrap.crossed:
        bounds = bootstrap_interval(contributions, statistic, value, bootstrap, scale=scale)
    else:
        table = contributions.dense(np.arange(n_clusters))

        def of_draws(draws: Draws) -> FloatArray:
            """A rater's mean counts as often as the rater was drawn."""
            sums, sizes = np.split(draws.clusters @ table, 2, axis=1)
            times = draws.raters * (sizes > 0)
            drawn = times.sum(axis=1)
            total = (times * sums / np.maximum(sizes, 1)).sum(axis=1)
            mean = np.full(len(drawn), np.nan)
            np.divide(total, drawn, out=mean, where=drawn > 0)
            return mean

        of = Sampled(contributions, statistic, value, scale)
        cells = n_clusters + 2 * n_raters
        bounds = crossed_interval(of, of_draws, bootstrap, n_raters=n_raters, cells=cells)
    return Estimate(value=value, **vars(bounds), **n)
