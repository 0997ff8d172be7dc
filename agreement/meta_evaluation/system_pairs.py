"""Pairwise accuracy of systems: how many pairs of systems a judge orders as people do."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap, bootstrap_interval
from ..bootstrap.resampling import Contributions
from ..values.coding import FloatArray, as_floats, code_ids
from ..values.estimate import Estimate
from ..values.ratings import Ids

FEW_SYSTEMS = "fewer than two systems with both numbers"
# Means that differ by no more than this share of the largest are tied: rounding is no order.
TIED = 1e-9

Numbers = Sequence[object] | npt.NDArray[Any]


def pairwise_accuracy(
    people: Numbers,
    judge: Numbers,
    *,
    systems: Ids,
    sources: Ids,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """The share of pairs of systems whose means a judge orders as people do.

    Parameters
    ----------
    people, judge : (N,) numbers in units of their own; a pair with a missing one (None or NaN)
        drops out.
    systems, sources : (N,) ids; sources are what the interval resamples.
    bootstrap : as for `alpha`. The interval is the percentile interval whatever method it asks for:
        the statistic moves in steps, which the jackknife does not bear.

    Returns an Estimate in [0, 1]; 1/2 by chance. Means that are tied for both are ordered alike,
    those tied for one are not. n_units counts systems, n_ratings pairs of numbers. It speaks of
    these systems and of people held fixed. Undefined: fewer than two systems. Raises ValueError
    for different lengths and infinite numbers.

    Source: Kocmi, Federmann, Grundkiewicz, Junczys-Dowmunt, Matsushita and Menezes (2021), "To Ship
    or Not to Ship: An Extensive Evaluation of Automatic Metrics for Machine Translation",
    section 4.1.
    """
    x, y = as_floats(people), as_floats(judge)
    if {len(y), len(systems), len(sources)} != {len(x)}:
        raise ValueError("numbers and ids differ in length")
    both = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
    system, n_systems = code_ids(code_ids(systems)[0][both])
    if n_systems < 2:
        return Estimate.missing(FEW_SYSTEMS, n_units=n_systems, n_ratings=len(both))
    source, n_sources = code_ids(code_ids(sources)[0][both])
    table = Contributions.from_cells(
        np.tile(source, 3),
        np.concatenate([system + at * n_systems for at in range(3)]),
        np.concatenate([np.ones(len(both)), x[both], y[both]]),
        shape=(n_sources, 3 * n_systems),
    )
    value = float(_accuracy(table.total())[0])
    how = bootstrap and replace(bootstrap, method="percentile", resample="sources", live=None)
    bounds = bootstrap_interval(table, _accuracy, value, how)
    return Estimate(value=value, n_units=n_systems, n_ratings=len(both), **vars(bounds))


def _accuracy(totals: FloatArray) -> FloatArray:
    """(r, 3 S) sizes and both sums -> (r,), NaN where a system is missing."""
    sizes, first, second = np.split(totals, 3, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = first / sizes, second / sizes
    one, other = np.triu_indices(sizes.shape[1], 1)
    by_people, by_judge = (_order(side, one, other) for side in means)
    return np.where((sizes > 0).all(axis=1), (by_people == by_judge).mean(axis=1), np.nan)


def _order(means: FloatArray, one: Any, other: Any) -> FloatArray:
    """(r, S) means -> (r, P) 1, 0 or -1 of every pair."""
    apart = means[:, one] - means[:, other]
    slack = TIED * np.nanmax(np.abs(means), axis=1, keepdims=True, initial=0.0)
    return np.where(np.abs(apart) <= slack, 0.0, np.sign(apart))
