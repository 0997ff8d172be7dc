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
from .scales import Scale


def jackknife_interval(of: Sampled, bootstrap: Bootstrap, aside: str = "") -> Interval:
    """As `bootstrap_interval` describes it. aside: what the description says of raters."""
    text = f"jackknife over {several_text(len(of.contributions), 'cluster')}"
    if of.few:
        return no_bounds(bootstrap, text + aside, of.few)
    left_out = of.statistic(left_out_groups(of.contributions, bootstrap.seed))
    scale, placed = _placed(of, left_out)
    spread = spread_of(placed) if not np.isnan(placed).any() else None
    text += _grouped(len(of.contributions), len(left_out), bootstrap.seed)
    return _around(of, scale, spread, bootstrap, text=text, aside=aside)


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
    scale, placed = _placed(of, np.concatenate([left_out, crossed]))
    one_way, two_way = placed[: len(left_out)], placed[len(left_out) :].reshape(shape)
    undefined = np.isnan(one_way).any()
    spread = None if undefined else crossed_spread(spread_of(one_way), two_way)
    text = f"jackknife over {several_text(n_clusters, 'cluster')}"
    text += _grouped(n_clusters, len(left_out), seed)
    text += f" and {several_text(n_raters, 'rater')}" + _grouped(n_raters, shape[1] - 1, seed)
    return _around(of, scale, spread, bootstrap, text=text)


def _placed(of: Sampled, left_out: FloatArray) -> tuple[Scale, FloatArray]:
    """The scale that all defined values fit, and the values on it."""
    defined = left_out[~np.isnan(left_out)]
    scale = of.scale.fitting(np.append(defined, of.value))
    return scale, scale.forward(left_out)


def _around(
    of: Sampled,
    scale: Scale,
    spread: Spread | None,
    bootstrap: Bootstrap,
    *,
    text: str,
    aside: str = "",
) -> Interval:
    """Bounds around the value. What is no more than rounding is no spread."""
    if spread is None:
        return no_bounds(bootstrap, text + aside, "undefined without one of the sources")
    middle = float(scale.forward(np.array([of.value]))[0])
    if spread.variance <= (1e-12 * max(1.0, abs(middle))) ** 2:
        return no_bounds(bootstrap, text + aside, "the sources do not differ")
    low, high = scale.bounds(middle, half_width(spread, bootstrap.confidence))
    text += f", t with {spread.degrees:.4g} degrees of freedom{aside}"
    return Interval(low=low, high=high, confidence=bootstrap.confidence, interval_method=text)


def _grouped(size: int, groups: int, seed: int) -> str:
    return "" if groups == size else f" in {groups} groups, seed {seed}"
