"""Medians and other quantiles, beside means."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap, bootstrap_interval
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

    Returns an Estimate in the unit of the values. None and NaN are missing values. Undefined: no
    ratings. Errors as for `mean_by`, and ValueError for a level outside [0, 1].

    Source: Hyndman and Fan (1996), "Sample Quantiles in Statistical Packages", definition 7.
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
    bounds = bootstrap_interval(contributions, quantile, value, drawn)
    return Estimate(value=value, **vars(bounds), **grouped.n)


def _place(up_to: FloatArray, at: FloatArray) -> npt.NDArray[np.int64]:
    """Which value stands at place `at`, from 0, of each row in order."""
    return np.asarray((up_to <= at[:, None]).sum(axis=1), dtype=np.int64)
