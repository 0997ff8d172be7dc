"""Fisher's interval of Pearson's r."""

from dataclasses import replace
from math import atanh, sqrt, tanh
from statistics import NormalDist

from agreement.bootstrap.intervals import Bootstrap, Interval
from agreement.values.estimate import Estimate


def check_fisher(confidence: float, method: str, level: str, bootstrap: Bootstrap | None) -> None:
    """Refuse Fisher's interval where it is not defined, with ValueError."""
    if (method, level) != ("pearson", "sample"):
        raise ValueError("Fisher's interval is for Pearson at sample level")
    if bootstrap is not None:
        raise ValueError("an interval is either Fisher's or from a bootstrap")
    if not 0 < confidence < 1:
        raise ValueError("confidence must lie between 0 and 1")


def with_fisher(estimate: Estimate, confidence: float) -> Estimate:
    """Pearson's r with Fisher's interval in place of any other."""
    if estimate.value is None:
        return estimate
    bounds = _fisher(estimate.value, estimate.n_ratings or 0, confidence)
    return replace(estimate, **vars(bounds))


def _fisher(r: float, n: int, confidence: float) -> Interval:
    text = f"Fisher z, {n} pairs"
    if n <= 3 or abs(r) == 1:
        reason = "fewer than four pairs" if n <= 3 else "all pairs lie on a line"
        return Interval(confidence=confidence, interval_method=f"{text}; none: {reason}")
    half = NormalDist().inv_cdf((1 + confidence) / 2) / sqrt(n - 3)
    return Interval(
        low=tanh(atanh(r) - half),
        high=tanh(atanh(r) + half),
        confidence=confidence,
        interval_method=text,
    )
