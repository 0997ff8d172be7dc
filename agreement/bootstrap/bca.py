"""Levels of quantiles corrected for bias and acceleration (BCa)."""

from statistics import NormalDist

import numpy as np

from ..values.coding import FloatArray
from .resampling import Contributions, Statistic, left_out_totals

# Cells of the jackknife's table, classes x totals, beyond which BCa is not attempted: minutes.
MOST_JACKKNIFE_CELLS = 1 << 30


def corrected_levels(
    contributions: Contributions,
    statistic: Statistic,
    value: float,
    resampled: FloatArray,
    confidence: float,
) -> tuple[float, float] | None:
    """The corrected quantile levels, or None where a correction is infinite or undefined."""
    below = float(np.mean(resampled < value) + np.mean(resampled == value) / 2)
    acceleration = _acceleration(contributions, statistic)
    if not 0 < below < 1 or acceleration is None:
        return None
    normal = NormalDist()
    bias = normal.inv_cdf(below)

    def corrected(level: float) -> float | None:
        shifted = bias + normal.inv_cdf(level)
        if acceleration * shifted >= 1:  # beyond the pole of the transformation
            return None
        return normal.cdf(bias + shifted / (1 - acceleration * shifted))

    tail = (1 - confidence) / 2
    low, high = corrected(tail), corrected(1 - tail)
    return None if low is None or high is None else (low, high)


def _acceleration(contributions: Contributions, statistic: Statistic) -> float | None:
    """Skewness of the jackknife over clusters, a = sum d^3 / (6 (sum d^2)^1.5)."""
    if len(contributions.classes[1]) * contributions.width > MOST_JACKKNIFE_CELLS:
        return None
    parts = [(statistic(totals), sizes) for totals, sizes in left_out_totals(contributions)]
    left_out = np.concatenate([values for values, _ in parts])
    sizes = np.concatenate([counts for _, counts in parts]).astype(np.float64)
    if np.isnan(left_out).any():
        return None
    deviation = np.average(left_out, weights=sizes) - left_out
    spread = float(np.sum(sizes * deviation**2))
    if spread == 0:
        return None
    return float(np.sum(sizes * deviation**3) / (6 * spread**1.5))
