"""Half an interval for other sources and other raters, by scipy's distributions."""

from math import sqrt

import numpy as np
from scipy import optimize, stats

# A variance and its degrees of freedom.
Part = tuple[float, int]


def half_width(sources: Part, raters: Part, rest: Part) -> float:
    """Of a figure whose variance is that of sources plus that of raters minus the rest, 95 %."""
    if raters[1] < 4:
        return _generalized(sources, raters, rest[0])
    used = max(raters[0], rest[0]), raters[1]
    total = sources[0] + used[0] - rest[0]
    degrees = total**2 / sum(variance**2 / known for variance, known in (sources, used, rest))
    least, most = min(sources[1], raters[1]), sources[1] + raters[1]
    return float(stats.t.ppf(0.975, min(max(degrees, least), most))) * sqrt(total)


def _generalized(sources: Part, raters: Part, rest: float) -> float:
    """Where t is as rare as that on average, if raters' variance is its mean square over
    chi-square."""

    squares = stats.chi2.ppf((np.arange(100_000) + 0.5) / 100_000, raters[1])
    variance = sources[0] + np.maximum(raters[0] * raters[1] / squares - rest, 0)

    def beyond(half: float) -> float:
        return float(2 * stats.t.sf(half / np.sqrt(variance), sources[1]).mean()) - 0.05

    one = sqrt(sources[0] + raters[0])
    return float(optimize.brentq(beyond, 0.1 * one, 100 * one))
