"""What an estimate lets one say: whether there is a number, an interval, and whom it is about."""

import re
from dataclasses import replace
from typing import Any

from agreement import Estimate
from agreement.values.estimate import BOUNDS

# In how an interval was made: raters were taken as drawn from others like them.
DRAWN = re.compile(r"and \d+ raters")


def defined(estimate: Estimate | None) -> bool:
    """Whether there is a number."""
    return estimate is not None and estimate.value is not None


def bounded(estimate: Estimate | None) -> bool:
    """Whether there is a number with an interval."""
    return estimate is not None and estimate.low is not None


def generalises(estimate: Estimate | None) -> bool:
    """Whether the interval or test is about raters like these, not about these raters alone."""
    return estimate is not None and DRAWN.search(estimate.interval_method or "") is not None


def for_these_raters(estimate: Estimate) -> Estimate:
    """The estimate with its interval for these raters and other sources: the first reading."""
    if estimate.these_method is None:
        return estimate if not generalises(estimate) else _without_bounds(estimate)
    return replace(
        estimate,
        low=estimate.these_low,
        high=estimate.these_high,
        interval_method=estimate.these_method,
    )


def for_raters_like_them(estimate: Estimate) -> Estimate:
    """The estimate with its interval for raters like these and other sources: the second reading.
    Without bounds where these raters cannot carry it."""
    if estimate.others_method is None:
        return estimate if generalises(estimate) else _without_bounds(estimate)
    return replace(
        estimate,
        low=estimate.others_low,
        high=estimate.others_high,
        interval_method=estimate.others_method,
    )


def _without_bounds(estimate: Estimate) -> Estimate:
    return replace(estimate, low=None, high=None)


def overlap(one: Estimate | None, other: Estimate | None) -> bool | None:
    """Whether the intervals of two estimates overlap; None where one of them has none."""
    if one is None or one.low is None or one.high is None:
        return None
    if other is None or other.low is None or other.high is None:
        return None
    return one.low <= other.high and other.low <= one.high


def excludes(estimate: Estimate | None, value: float = 0.0) -> bool:
    """Whether there is an interval, and the value is outside of it."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return False
    return not estimate.low <= value <= estimate.high


def turned(estimate: Estimate) -> Estimate:
    """The same with its sign turned, as of a difference the other way round."""
    if estimate.value is None:
        return estimate
    other: dict[str, Any] = {}
    for low, high in BOUNDS:
        old_low, old_high = getattr(estimate, low), getattr(estimate, high)
        if old_low is not None and old_high is not None:
            other |= {low: 0.0 - old_high, high: 0.0 - old_low}
    return replace(estimate, value=0.0 - estimate.value, **other)
