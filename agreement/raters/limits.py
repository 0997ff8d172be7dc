"""Limits of agreement: how far a judge's numbers lie from people's, text by text."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from ..scores.clustered import Clusters, student
from ..values.coding import FloatArray, as_floats
from ..values.estimate import Counts, Estimate
from ..values.ratings import NO_RATINGS, Ids

ONE_DIFFERENCE = "one difference only"


@dataclass(frozen=True, kw_only=True)
class LimitsOfAgreement:
    """The mean difference, with the standard deviation of the differences (divisor n - 1), and the
    limits between which so many of the differences are expected to lie."""

    bias: Estimate
    low: Estimate
    high: Estimate


def limits_of_agreement(
    differences: Sequence[object] | npt.NDArray[Any],
    *,
    clusters: Ids | None = None,
    coverage: float = 0.95,
    reach: float = inf,
    confidence: float | None = 0.95,
) -> LimitsOfAgreement:
    """Bland and Altman's limits of agreement: m - z s and m + z s of the differences.

    m is their mean (the bias of one method against the other), s their standard deviation with
    divisor n - 1, and z the normal quantile of the coverage, 1.96 for 95 %. Limits far apart mean
    that single texts are judged differently, whatever the correlation.

    Parameters
    ----------
    differences : (N,) first minus second method on the same unit, in their unit; None and NaN are
        missing and drop out.
    clusters : (N,) ids of what is independent, such as sources; each difference when left out.
    coverage : share of differences that the limits are to hold, in (0, 1).
    reach : the largest difference that there can be; the bounds of the bias stay within it (see
        `difference_bounds`). The limits are those of a normal distribution, which has no ends.
    confidence : of the intervals, by Student's t; None for none.

    Returns LimitsOfAgreement. Where no two differences share a cluster, the error of m is
    s / sqrt(n) and that of a limit s sqrt((1 + z^2 / 2) / n), with n - 1 degrees of freedom (which
    the authors round to sqrt(3 s^2 / n)); else it is that of the clusters' sums of influences
    (d - m) +- z ((d - m)^2 - s^2) / (2 s). No intervals below ten clusters. Undefined: no ratings;
    the limits with one difference only. Raises ValueError for a coverage outside (0, 1), an
    infinite number or clusters of another length; TypeError for a value that is no number.

    Source: Bland and Altman (1986), "Statistical methods for assessing agreement between two
    methods of clinical measurement"; Bland and Altman (1999), section 3, for the error of a limit;
    over clusters: Liang and Zeger (1986).
    """
    if not 0 < coverage < 1:
        raise ValueError("coverage must lie between 0 and 1")
    values = as_floats(differences)
    present = ~np.isnan(values)
    ids = None if clusters is None else np.asarray(clusters)[present]
    values, grouped = values[present], Clusters.of(ids, int(present.sum()))
    n = Counts(n_units=len(values), n_ratings=2 * len(values))
    if len(values) < 2:
        return _without(values, n)
    mean, spread = float(values.mean()), float(values.std(ddof=1))
    z = NormalDist().inv_cdf((1 + coverage) / 2)
    about = f"Student over {grouped.number} sources"

    def estimate(times: float) -> Estimate:
        error = _error(values, grouped, times)
        most = inf if times else reach
        value = mean + times * spread
        return student(value, error, grouped.number, confidence, about, reach=most, **n)

    bias = Estimate(**{**vars(estimate(0.0)), "sd": spread, "sd_ddof": 1})
    return LimitsOfAgreement(bias=bias, low=estimate(-z), high=estimate(z))


def _without(values: FloatArray, n: Counts) -> LimitsOfAgreement:
    nothing = Estimate.missing(ONE_DIFFERENCE if len(values) else NO_RATINGS, **n)
    bias = Estimate(value=float(values[0]), **n) if len(values) else nothing
    return LimitsOfAgreement(bias=bias, low=nothing, high=nothing)


def _error(values: FloatArray, clusters: Clusters, times: float) -> float:
    """The standard error of mean + times x standard deviation."""
    centred, spread = values - values.mean(), float(values.std(ddof=1))
    if clusters.apart:
        return spread * sqrt((1 + times**2 / 2) / len(values))
    if spread == 0:
        return 0.0
    squares = centred**2
    return clusters.error(centred + times * (squares - squares.mean()) / (2 * spread))
