"""Live intervals: they hold at all looks together, however often figures are read as answers come.

The observations are clusters (in reports, sources): what each adds to a share, or its influence on
any other statistic. Raters are few and come once, so their part of the error is that of one look.

A study is looked at, and it ends with the answers that were planned. The looks together take a
fifth of the error that the interval at the planned end takes (Haybittle 1971; Peto and others
1976): of 100 studies six at most exclude the truth at a look or at the planned end.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import hypot, sqrt

import numpy as np

from ..sequences.means import mean_sequence
from ..sequences.shares import share_sequence
from ..values.coding import FloatArray
from .jackknife import Spread, half_width
from .resampling import Contributions, left_out_totals
from .scales import AT_AN_END, NUMBERS, Scale

# The error of all looks together, as a share of that of the interval at the planned end.
LOOKS = 0.2

# Below either, influence values tell too little of their spread: see docs/statistics.md.
LEAST_CLUSTERS, LEAST_APART = 10, 6
# Classes x totals of the jackknife's table, beyond which it would take minutes.
MOST_CELLS = 1 << 26
# Classes of sources beyond which betting would take seconds; a mean of so many is normal.
MOST_CLASSES = 5_000

TOO_FEW = f"too few sources: fewer than {LEAST_CLUSTERS}"
TOO_ALIKE = "too few answers differ yet"
TOO_LARGE = "too many different sources"
NO_RATERS = "how far raters differ is not known"
UNDEFINED = "undefined without one of the sources"


@dataclass(frozen=True, kw_only=True)
class Live:
    """Bounds of a live interval, or (both None) why there are none, in `live_method`."""

    live_low: float | None = None
    live_high: float | None = None
    live_method: str | None = None
    live_these_low: float | None = None
    live_these_high: float | None = None
    live_these_method: str | None = None


def looks_confidence(confidence: float) -> float:
    """The coverage of all looks together beside that of the planned end."""
    return 1 - LOOKS * (1 - confidence)


def live_interval(
    contributions: Contributions,
    statistic: Callable[[FloatArray], FloatArray],
    value: float,
    *,
    planned: int,
    confidence: float,
    share: bool = False,
    scale: Scale = NUMBERS,
) -> Live:
    """Anytime-valid interval of a statistic of totals, over the G clusters, for these raters.

    confidence: of the interval at the planned end, see `looks_confidence`. planned: the number of
    clusters at which it is to be narrowest. share: the statistic is the first total over the
    second, and the values summed in the first lie within 0 and 1. scale: on which the statistic is
    more nearly normal.

    A share has that of `share_sequence`; any other statistic that of `mean_sequence` on the scale,
    with the jackknife's standard error there. That has no bounds below ten clusters, where those
    with an influence above the mean, or below it, weigh less than six equal ones, or where the
    value has reached an end of its range.
    """
    n, confidence = len(contributions), looks_confidence(confidence)
    of_row, first = contributions.classes
    counts = np.bincount(of_row, minlength=len(first)).astype(np.float64)
    if share and len(first) <= MOST_CLASSES:
        sums, sizes = contributions.dense(first).T
        low, high = share_sequence(sums, sizes, counts, confidence=confidence)
        method = f"confidence sequence by betting, {n} clusters"
        # The wealth is searched for up to the value itself, which rounding may miss.
        return Live(live_low=min(low, value), live_high=max(high, value), live_method=method)
    reason, error = _jackknife(contributions, statistic, len(first), scale, value)
    about = mean_sequence(0.0, error, n, planned=planned, confidence=confidence)
    if reason or about is None:
        return Live(live_method=f"none: {reason or TOO_FEW}")
    low, high = scale.bounds(value, about[1])
    method = f"confidence sequence, Student mixture, {n} clusters, narrowest at {planned}"
    return Live(live_low=low, live_high=high, live_method=method)


def with_raters(
    live: Live, value: float, scale: Scale, raters: Spread | None, confidence: float
) -> Live:
    """The live interval for raters like these, beside the one for these raters.

    live: of these raters. raters: the spread that they cause, on the scale, with its
    degrees of freedom; None where it is not known. Squared distances from the value add up on the
    scale: those of the one interval, and of Student's t times the raters' error (Howe 1974; Zou and
    Donner 2008, "square and add"). Raters come once, so that looking again does not draw them anew:
    their t is that of the interval at the planned end.
    """
    low, high, method = live.live_low, live.live_high, live.live_method
    these = replace(live, live_these_low=low, live_these_high=high, live_these_method=method)
    if low is None or high is None:
        return these
    if raters is None:
        return replace(these, live_low=None, live_high=None, live_method=f"none: {NO_RATERS}")
    half = half_width(raters, confidence)
    return replace(
        these,
        live_low=min(_wider(value, low, scale, half), value),
        live_high=max(_wider(value, high, scale, half), value),
        live_method=f"{method}, and raters, t with {raters.degrees:.4g} degrees of freedom",
    )


def _wider(value: float, bound: float, scale: Scale, half: float) -> float:
    """The bound so much farther from the value, or itself where that is at an end of the scale."""
    if not scale.holds(np.array([value, bound])):
        return bound
    middle, end = scale.forward(np.array([value, bound])).tolist()
    apart = hypot(end - middle, half)
    return float(scale.back(np.array([middle + (apart if bound >= value else -apart)]))[0])


def _jackknife(
    contributions: Contributions,
    statistic: Callable[[FloatArray], FloatArray],
    classes: int,
    scale: Scale,
    value: float,
) -> tuple[str, float]:
    """Why the spread of the clusters' influence says too little, or "" and the standard error on
    the scale."""
    n = len(contributions)
    if n < LEAST_CLUSTERS:
        return TOO_FEW, 0.0
    if classes * contributions.width > MOST_CELLS:
        return TOO_LARGE, 0.0
    parts = [(statistic(totals), sizes) for totals, sizes in left_out_totals(contributions)]
    left_out = np.concatenate([values for values, _ in parts])
    sizes = np.concatenate([counts for _, counts in parts]).astype(np.float64)
    if np.isnan(left_out).any():
        return UNDEFINED, 0.0
    apart = left_out - np.average(left_out, weights=sizes)
    if min(_effective(np.maximum(side, 0), sizes) for side in (apart, -apart)) < LEAST_APART:
        return TOO_ALIKE, 0.0
    if not scale.holds(np.array([value])):
        return AT_AN_END, 0.0
    placed = scale.placed(left_out, value)
    spread = np.average((placed - np.average(placed, weights=sizes)) ** 2, weights=sizes)
    return "", sqrt(float(spread) * (n - 1))


def _effective(apart: FloatArray, sizes: FloatArray) -> float:
    """How many clusters of equal influence would weigh as much: (sum d)^2 / sum d^2, which few
    large ones keep small (Kish 1965)."""
    # Scaled, since the squares of tiny numbers vanish.
    scaled = apart / max(float(apart.max()), 1e-300)
    squares = float((sizes * scaled**2).sum())
    return float((sizes * scaled).sum()) ** 2 / squares if squares else 0.0
