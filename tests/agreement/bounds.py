"""The bounds of an estimate that has some."""

from agreement import Estimate


def bounds(estimate: Estimate) -> tuple[float, float]:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high
