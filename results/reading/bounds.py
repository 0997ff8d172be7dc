"""What an estimate lets one say: whether there is a number, an interval, and whom it is about."""

import re
from dataclasses import replace

from agreement import Estimate

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
    low, high = (None if bound is None else 0.0 - bound for bound in (estimate.high, estimate.low))
    return replace(estimate, value=0.0 - estimate.value, low=low, high=high)
