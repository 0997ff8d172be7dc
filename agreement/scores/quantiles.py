"""Medians and other quantiles, beside means."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, inf, log
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap, Interval, bootstrap_interval
from ..bootstrap.resampling import Contributions
from ..values.coding import FloatArray
from ..values.estimate import Estimate
from ..values.ratings import NO_RATINGS, Ids
from .means import group_means


def quantile_by(
    values: Sequence[object] | npt.NDArray[Any],
    *groups: Ids,
    level: float = 0.5,
    clusters: Ids | None = None,
    units: Ids | None = None,
    raters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Quantile of the means of the outermost groups; the median unless `level` says otherwise.

    Between the two means around the place (n - 1) level, in order, it interpolates. Without
    groups it is the quantile of the values themselves.

    Parameters
    ----------
    values, groups, clusters, units, raters : as for `mean_by`.
    level : in [0, 1]: 0.5 the median, 0.25 and 0.75 the quartiles.
    bootstrap : as for `alpha`.

    Returns an Estimate in the unit of the values, with a percentile interval. It has none below so
    many clusters that all of them lie on one side of the quantile in one of 2 / (1 - confidence)
    samples (6 of a median, 13 of a quartile, at 95 %): then not even the smallest and the largest
    of them are bounds. Nor has it one where both bounds are one value, as of points of a scale: how
    far the quantile is from the next value, resamples cannot show. None and NaN are missing values.
    Undefined: no ratings. Errors as for `mean_by`, and ValueError for a level outside [0, 1].

    Source: Hyndman and Fan (1996), "Sample Quantiles in Statistical Packages", definition 7;
    Thompson (1936), "On Confidence Ranges for the Median", for how many it takes.
    """
    if not 0 <= level <= 1:
        raise ValueError("the level of a quantile must lie between 0 and 1")
    grouped = group_means(values, *groups, clusters=clusters, units=units, raters=raters)
    if not len(grouped.means):
        return Estimate.missing(NO_RATINGS, **grouped.n)
    distinct, code = np.unique(grouped.means, return_inverse=True)
    contributions = Contributions.from_cells(
        grouped.cluster,
        code.astype(np.int64),
        np.ones(len(code)),
        shape=(int(grouped.cluster.max()) + 1, len(distinct)),
    )

    # numpy.quantile takes weights for its inverted_cdf only, which does not interpolate.
    def quantile(totals: FloatArray) -> FloatArray:
        """How often each distinct mean was drawn (r, V) -> (r,)."""
        up_to = np.cumsum(totals, axis=1)
        place = (up_to[:, -1] - 1) * level
        below, above = (distinct[_place(up_to, at)] for at in (np.floor(place), np.ceil(place)))
        return np.asarray(below + (above - below) * (place - np.floor(place)))

    value = float(quantile(contributions.total())[0])
    # Leaving out one cluster hardly moves a quantile: the jackknife of it is not consistent.
    drawn = None if bootstrap is None else replace(bootstrap, method="percentile")
    bounds = _told(
        bootstrap_interval(contributions, quantile, value, drawn), level, len(contributions)
    )
    return Estimate(value=value, **vars(bounds), **grouped.n)


def fewest_clusters(level: float, confidence: float) -> float:
    """How many it takes for one to lie on either side of the quantile, but for a share of
    (1 - confidence) / 2 of samples."""
    most = max(level, 1 - level)
    return ceil(log((1 - confidence) / 2) / log(most) - 1e-9) if most < 1 else inf


def _told(interval: Interval, level: float, n_clusters: int) -> Interval:
    """The interval where it tells something, else none, and why."""
    if interval.low is None or interval.confidence is None:
        return interval
    fewest, reason = fewest_clusters(level, interval.confidence), ""
    if n_clusters < fewest:
        reason = f"too few sources ({n_clusters}, {fewest:g} are needed)"
    elif interval.low == interval.high:
        reason = "nearly all resamples have the same value there"
    if not reason:
        return interval
    text = f"{interval.interval_method}; none: {reason}"
    return replace(interval, low=None, high=None, interval_method=text)


def _place(up_to: FloatArray, at: FloatArray) -> npt.NDArray[np.int64]:
    """Which value stands at place `at`, from 0, of each row in order."""
    return np.asarray((up_to <= at[:, None]).sum(axis=1), dtype=np.int64)
