"""Intervals of correlations on Fisher's scale: of Pearson's r over pairs, of systems' means."""

from dataclasses import replace
from math import atanh, sqrt, tanh
from statistics import NormalDist

from ..bootstrap.intervals import Bootstrap, Interval
from ..values.estimate import Estimate

# Below it ranks of systems are in the very same order by chance in one case of five.
FEWEST_SYSTEMS = 5


def of_other_systems(method: str, value: float, n_systems: int, confidence: float) -> Interval:
    """Interval of a correlation of k systems' means, for other systems on as many sources.

    tanh(atanh value -+ z s) with z the normal quantile and s = 1 / sqrt(k - 3) for pearson,
    sqrt((1 + value^2 / 2) / (k - 3)) for spearman, sqrt(.437 / (k - 4)) for kendall_tau_b. Systems
    are the sample; the noise of means over few sources makes the correlation itself smaller, which
    no interval around it shows. No bounds below five systems, nor where the value is 1 or -1.

    Source: Fisher (1921); Bonett and Wright (2000), "Sample size requirements for estimating
    Pearson, Kendall and Spearman correlations", equations 1 to 3. Systems as the sample: Deutsch,
    Dror and Roth (2021), section 4.
    """
    text = f"Fisher z, {n_systems} systems"
    edge = abs(value) > 1 - 1e-9
    if n_systems < FEWEST_SYSTEMS or edge:
        few = f"too few systems ({n_systems}, {FEWEST_SYSTEMS} are needed)"
        reason = few if n_systems < FEWEST_SYSTEMS else "all systems lie on a line"
        return Interval(confidence=confidence, interval_method=f"{text}; none: {reason}")
    half = NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(_variance(method, value, n_systems))
    return Interval(
        low=tanh(atanh(value) - half),
        high=tanh(atanh(value) + half),
        confidence=confidence,
        interval_method=text,
    )


def _variance(method: str, value: float, n: int) -> float:
    if method == "kendall_tau_b":
        return 0.437 / (n - 4)
    return (1 + value**2 / 2 if method == "spearman" else 1.0) / (n - 3)


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
