"""Jackknife intervals: Student's t around a value, over clusters, or over clusters and raters."""

from dataclasses import replace
from math import sqrt
from typing import NamedTuple

import numpy as np

from ..values.coding import FloatArray
from .crossed_error import CrossedError, combined
from .definitions import (
    FEWEST_RATERS,
    ONE_RATER,
    THESE_RATERS,
    TOO_FEW_RATERS,
    Bootstrap,
    CrossedStatistic,
    Interval,
    Sampled,
    no_bounds,
    several_text,
)
from .jackknife import (
    NOTHING,
    Spread,
    crossed_draws_without,
    left_out_groups,
    rater_spreads,
    spread_of,
)
from .scales import AT_AN_END

ROUNDING = 1e-12
UNDEFINED_WITHOUT = "undefined without one of the raters"


def jackknife_interval(
    of: Sampled, bootstrap: Bootstrap, left_out: FloatArray | None = None
) -> Interval:
    """As `bootstrap_interval` describes it. left_out: the statistic without each group of clusters,
    where it is known."""
    text = f"jackknife over {several_text(len(of.contributions), 'cluster')}"
    if of.few:
        return no_bounds(bootstrap, text, of.few)
    if left_out is None:
        left_out = _left_out(of, bootstrap)
    text += _grouped(len(of.contributions), len(left_out), bootstrap.seed)
    reason = _lack(of, left_out)
    if reason:
        return no_bounds(bootstrap, text, reason)
    placed = of.scale.placed(left_out, of.value)
    spread = spread_of(placed)
    text += f", t with {spread.degrees:.4g} degrees of freedom"
    error = CrossedError.of_one(spread, text)
    return _unskewed(of, error, placed, bootstrap) if of.skewed else _around(of, error, bootstrap)


class Readings(NamedTuple):
    """The interval of these raters, that of raters like them, and the one of the two that there is
    where raters are to be drawn. raters: the spread that raters cause beyond the clusters, on the
    scale; None where it is not known."""

    these: Interval
    others: Interval
    drawn: Interval
    raters: Spread | None = None

    @classmethod
    def only(cls, these: Interval, why: str, aside: str) -> "Readings":
        """Where there is no more than these raters, and why. aside: what is said of that."""
        text, none, reason = (these.interval_method or "").partition("; none: ")
        others = Interval(confidence=these.confidence, interval_method=f"{text}; none: {why}")
        drawn = replace(these, interval_method=f"{text}{aside}{none}{reason}")
        return cls(these, others, drawn)


def crossed_jackknife(
    of: Sampled, statistic: CrossedStatistic, bootstrap: Bootstrap, n_raters: int, cells: int
) -> Readings:
    """As `crossed_interval` describes it."""
    if of.few or n_raters < FEWEST_RATERS:
        few = THESE_RATERS if n_raters > 1 else ONE_RATER
        these = jackknife_interval(of, bootstrap)
        return Readings.only(these, of.few or TOO_FEW_RATERS, "" if of.few else few)
    n_clusters, seed = len(of.contributions), bootstrap.seed
    left_out = _left_out(of, bootstrap)
    these = jackknife_interval(of, bootstrap, left_out)
    blocks, shape = crossed_draws_without(n_clusters, n_raters, cells=cells, seed=seed)
    crossed = np.concatenate([statistic(draws) for draws in blocks])
    if np.isnan(crossed[: shape[1]]).any():
        return Readings.only(these, UNDEFINED_WITHOUT, THESE_RATERS)
    text = f"jackknife over {several_text(n_clusters, 'cluster')}"
    text += _grouped(n_clusters, len(left_out), seed)
    text += f" and {several_text(n_raters, 'rater')}" + _grouped(n_raters, shape[1] - 1, seed)
    reason = _lack(of, left_out)
    if reason:
        none = no_bounds(bootstrap, text, reason)
        return Readings(these, none, none)
    others, beyond = both_ways(of, left_out, crossed.reshape(shape), bootstrap, text)
    return Readings(these, others, others, beyond)


def both_ways(
    of: Sampled, left_out: FloatArray, crossed: FloatArray, bootstrap: Bootstrap, text: str
) -> tuple[Interval, Spread | None]:
    """The interval of raters like these, and what raters add to its spread.

    left_out: (g,) the statistic without each group of clusters. crossed: (1 + B, 1 + R) as for
    `rater_spreads`. text: what was left out.
    """
    placed = of.scale.placed(np.concatenate([left_out, crossed.ravel()]), of.value)
    one_way, two_way = placed[: len(left_out)], placed[len(left_out) :].reshape(crossed.shape)
    error = combined(spread_of(one_way), *rater_spreads(two_way), NOTHING, text)
    return _around(of, error, bootstrap), error.raters


def _left_out(of: Sampled, bootstrap: Bootstrap) -> FloatArray:
    return of.statistic(left_out_groups(of.contributions, bootstrap.seed))


def _lack(of: Sampled, left_out: FloatArray) -> str:
    """Why there is no spread on the scale; empty where there is one. What is no more than rounding
    is none."""
    if np.isnan(left_out).any():
        return "undefined without one of the sources"
    if spread_of(left_out).variance <= (ROUNDING * max(1.0, abs(of.value))) ** 2:
        return "the sources do not differ"
    return "" if of.scale.holds(np.array([of.value])) else AT_AN_END


def _around(of: Sampled, error: CrossedError, bootstrap: Bootstrap) -> Interval:
    """Bounds around the value."""
    low, high = of.scale.bounds(of.value, error.half_width(1 - bootstrap.confidence))
    return Interval(low=low, high=high, confidence=bootstrap.confidence, interval_method=error.text)


def _unskewed(
    of: Sampled, error: CrossedError, left_out: FloatArray, bootstrap: Bootstrap
) -> Interval:
    """Bounds at different distances, where clusters pull one way more than the other.

    Source: Hall (1992), "On the Removal of Skewness by Transformation", equation 2.3, with the
    skewness g of the changes by cluster.
    """
    n, changes = len(left_out), left_out.mean() - left_out
    skewness = float((changes**3).mean() / (changes**2).mean() ** 1.5)
    half = error.half_width(1 - bootstrap.confidence)
    if abs(skewness) < ROUNDING:
        return _around(of, error, bootstrap)
    sd = sqrt(float(error.variances[0]) * n)
    places = np.array([half, -half]) / sd - skewness / (6 * n)
    below, above = sd * 3 / skewness * (np.cbrt(1 + skewness * places) - 1)
    low, high = of.scale.beside(of.value, float(below), -float(above))
    text = f"{error.text}, corrected for skewness"
    return Interval(low=low, high=high, confidence=bootstrap.confidence, interval_method=text)


def _grouped(size: int, groups: int, seed: int) -> str:
    return "" if groups == size else f" in {groups} groups, seed {seed}"
