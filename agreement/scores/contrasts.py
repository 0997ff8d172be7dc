"""Means, and differences of two means, tested over clusters such as sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.scales import AT_AN_END, difference_bounds
from ..values.coding import FloatArray, IntArray, as_floats, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids
from .clustered import NO_SPREAD, ROUNDING
from .shares import LEAST_CLUSTERS
from .student import t_quantile

NO_VALUES = "no unit to compare"
NONE_INSIDE, NONE_OUTSIDE = "no unit in this part", "no unit outside of this part"
FEW_INSIDE = f"too few sources for an interval: fewer than {LEAST_CLUSTERS}"
FEW_APART = f"too few sources for an interval: fewer than {LEAST_CLUSTERS} in this part or outside"


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """estimate: the mean, or difference of means. p_value: of its being 0 in truth."""

    estimate: Estimate
    p_value: Estimate


def contrast(
    values: Sequence[object] | npt.NDArray[Any],
    inside: Sequence[bool] | npt.NDArray[np.bool_] | None = None,
    *,
    clusters: Ids | None = None,
    reach: float = inf,
    confidence: float = 0.95,
) -> Contrast:
    """A mean, or that of some units minus that of the others, with a t test over clusters.

    The squared standard error is G / (G - 1) times the sum over the G clusters of their squared
    influence, which lets units of one cluster depend on each other, also across the two parts.

    Parameters
    ----------
    values : (N,) numbers in any unit, None or NaN where missing (they drop out).
    inside : (N,) which units are in the part; all without it, whose mean is then taken.
    clusters : (N,) ids, usually of sources; each unit its own when left out.
    reach : the largest mean, or difference of means, that there can be, up or down: the bounds stay
        within it, see `difference_bounds`, and leave 0 out just where p is below 1 - confidence.
    confidence : coverage of the interval, in (0, 1).

    Returns a Contrast; n_units counts the units of the part. The interval and the two-sided p take
    Student's t with one degree of freedom less than clusters, or than the fewer of those in the
    part and outside. Below ten clusters, and where nothing varies between them, there is no
    interval and p is undefined. Undefined: no value inside, or none outside. Raises ValueError for
    different lengths, infinite numbers and a confidence out of range.

    Source: Liang and Zeger (1986), "Longitudinal data analysis using generalized linear models";
    the degrees of freedom of the smaller part are ours, and err towards wide.
    """
    if not 0 < confidence < 1:
        raise ValueError("confidence must lie between 0 and 1")
    numbers = as_floats(values)
    part = np.ones(len(numbers), dtype=bool) if inside is None else np.asarray(inside, dtype=bool)
    codes = np.arange(len(numbers)) if clusters is None else code_ids(clusters)[0]
    if {len(part), len(codes)} != {len(numbers)}:
        raise ValueError("values, inside and clusters differ in length")
    present = ~np.isnan(numbers)
    numbers, part, codes = numbers[present], part[present], codes[present]
    n = Counts(n_units=int(part.sum()))
    if not len(numbers):
        return _missing(NO_VALUES, n)
    sides = [part] if inside is None else [part, ~part]
    if not all(side.any() for side in sides):
        return _missing(NONE_OUTSIDE if part.any() else NONE_INSIDE, n)
    return _tested(numbers, sides, codes, n, confidence=confidence, reach=reach)


def _tested(
    numbers: FloatArray,
    sides: list[npt.NDArray[np.bool_]],
    codes: IntArray,
    n: Counts,
    *,
    confidence: float,
    reach: float,
) -> Contrast:
    means = [float(numbers[side].mean()) for side in sides]
    value = means[0] - (means[1] if len(means) > 1 else 0.0)
    clusters = min(len(np.unique(codes[side])) for side in sides)
    few = FEW_INSIDE if len(sides) == 1 else FEW_APART
    error = _error(numbers, sides, means, codes)
    reason = few if clusters < LEAST_CLUSTERS else NO_SPREAD if error < ROUNDING else ""
    text = f"Student, error over {len(np.unique(codes))} clusters"
    if reason:
        text = f"{text}; none: {reason}"
        estimate = Estimate(value=value, confidence=confidence, interval_method=text, **n)
        return Contrast(estimate=estimate, p_value=Estimate.missing(reason, **n))
    half = t_quantile((1 + confidence) / 2, clusters - 1) * error
    low, high = difference_bounds(value, half, reach) or (None, None)
    estimate = Estimate(
        value=value,
        low=low,
        high=high,
        confidence=confidence,
        interval_method=text if low is not None else f"{text}; none: {AT_AN_END}",
        **n,
    )
    return Contrast(estimate=estimate, p_value=_p_value(value / error, clusters - 1, n))


def _error(
    numbers: FloatArray,
    sides: list[npt.NDArray[np.bool_]],
    means: list[float],
    codes: IntArray,
) -> float:
    """The standard error of the first side's mean minus the second's."""
    influence = np.zeros(len(numbers))
    for sign, side, mean in zip((1, -1), sides, means, strict=False):
        influence[side] = sign * (numbers[side] - mean) / side.sum()
    sums = np.bincount(code_ids(codes)[0], weights=influence)
    if len(sums) < 2:
        return 0.0
    return sqrt(len(sums) / (len(sums) - 1) * float((sums**2).sum()))


def _p_value(statistic: float, degrees: int, n: Counts) -> Estimate:
    from scipy.stats import t  # late, as importing it takes half a second

    return Estimate(value=float(min(1.0, 2 * t.sf(abs(statistic), degrees))), **n)


def _missing(reason: str, n: Counts) -> Contrast:
    nothing = Estimate.missing(reason, **n)
    return Contrast(estimate=nothing, p_value=nothing)
