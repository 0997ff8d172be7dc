"""Jackknife intervals: Student's t around a value, over clusters, or over clusters and raters."""

import numpy as np

from ..values.coding import FloatArray
from .definitions import (
    FEWEST_RATERS,
    ONE_RATER,
    THESE_RATERS,
    Bootstrap,
    CrossedStatistic,
    Interval,
    Sampled,
    no_bounds,
    several_text,
)
from .jackknife import (
    Spread,
    crossed_draws_without,
    crossed_spread,
    half_width,
    left_out_groups,
    spread_of,
)
from .scales import AT_AN_END

ROUNDING = 1e-12


def jackknife_interval(of: Sampled, bootstrap: Bootstrap, aside: str = "") -> Interval:
    """As `bootstrap_interval` describes it. aside: what the description says of raters."""
    text = f"jackknife over {several_text(len(of.contributions), 'cluster')}"
    if of.few:
        return no_bounds(bootstrap, text + aside, of.few)
    left_out = of.statistic(left_out_groups(of.contributions, bootstrap.seed))
    text += _grouped(len(of.contributions), len(left_out), bootstrap.seed)
    reason = _lack(of, left_out)
    if reason:
        return no_bounds(bootstrap, text + aside, reason)
    spread = spread_of(of.scale.placed(left_out, of.value))
    return _around(of, spread, bootstrap, text=text, aside=aside)


def crossed_jackknife(
    of: Sampled, statistic: CrossedStatistic, bootstrap: Bootstrap, n_raters: int, cells: int
) -> Interval:
    """As `crossed_interval` describes it."""
    if n_raters < FEWEST_RATERS or of.few:
        few = THESE_RATERS if n_raters > 1 else ONE_RATER
        return jackknife_interval(of, bootstrap, "" if of.few else few)
    n_clusters, seed = len(of.contributions), bootstrap.seed
    blocks, shape = crossed_draws_without(n_clusters, n_raters, cells=cells, seed=seed)
    crossed = np.concatenate([statistic(draws) for draws in blocks])
    if np.isnan(crossed[: shape[1]]).any():
        return jackknife_interval(of, bootstrap, THESE_RATERS)
    left_out = of.statistic(left_out_groups(of.contributions, seed))
    text = f"jackknife over {several_text(n_clusters, 'cluster')}"
    text += _grouped(n_clusters, len(left_out), seed)
    text += f" and {several_text(n_raters, 'rater')}" + _grouped(n_raters, shape[1] - 1, seed)
    reason = _lack(of, left_out)
    if reason:
        return no_bounds(bootstrap, text, reason)
    placed = of.scale.placed(np.concatenate([left_out, crossed]), of.value)
    one_way, two_way = placed[: len(left_out)], placed[len(left_out) :].reshape(shape)
    return _around(of, crossed_spread(spread_of(one_way), two_way), bootstrap, text=text)


def _lack(of: Sampled, left_out: FloatArray) -> str:
    """Why there is no spread on the scale; empty where there is one. What is no more than rounding
    is none."""
    if np.isnan(left_out).any():
        return "undefined without one of the sources"
    if spread_of(left_out).variance <= (ROUNDING * max(1.0, abs(of.value))) ** 2:
        return "the sources do not differ"
    return "" if of.scale.holds(np.array([of.value])) else AT_AN_END


def _around(
    of: Sampled, spread: Spread, bootstrap: Bootstrap, *, text: str, aside: str = ""
) -> Interval:
    """Bounds around the value."""
    low, high = of.scale.bounds(of.value, half_width(spread, bootstrap.confidence))
    text += f", t with {spread.degrees:.4g} degrees of freedom{aside}"
    return Interval(low=low, high=high, confidence=bootstrap.confidence, interval_method=text)


def _grouped(size: int, groups: int, seed: int) -> str:
    return "" if groups == size else f" in {groups} groups, seed {seed}"
