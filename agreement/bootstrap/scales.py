"""The ranges of statistics, and scales without ends on which they are more nearly normal.

Intervals are made on the scale and taken back, so that their bounds lie within the range and not
because they were cut off there.
"""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from ..values.coding import FloatArray

# Closer to an end of its range than this share of it, a statistic counts as having reached it.
EDGE = 1e-9
AT_AN_END = "the value is at an end of its range, or beyond"


@dataclass(frozen=True)
class Scale:
    """The range from low to high, either of them infinite where there is no such end.

    Between two ends the scale is that of log odds, ln((x - low) / (high - x)), of coefficients
    twice Fisher's z; with one end the logarithm of the distance from it; with none the numbers
    themselves.
    """

    low: float = -inf
    high: float = inf

    @classmethod
    def within(cls, ends: tuple[float, float] | None, values: FloatArray) -> "Scale":
        """Between the ends, where all values lie within them; else they are no ends of these."""
        if ends is None or not ((values >= ends[0]) & (values <= ends[1])).all():
            return cls()
        return cls(*ends)

    def holds(self, values: FloatArray) -> bool:
        """Whether all of the values lie strictly within the range."""
        width = self.high - self.low
        edge = EDGE * (width if np.isfinite(width) else 1.0)
        return bool(((values > self.low + edge) & (values < self.high - edge)).all())

    def forward(self, values: FloatArray) -> FloatArray:
        """(n,) values within the range -> (n,) places on the scale."""
        below = np.log(values - self.low) if np.isfinite(self.low) else None
        above = np.log(self.high - values) if np.isfinite(self.high) else None
        if below is None:
            return values if above is None else -above
        return np.asarray(below if above is None else below - above)

    def back(self, places: FloatArray) -> FloatArray:
        """(n,) places on the scale -> (n,) values within the range."""
        if np.isinf(self.low):
            return places if np.isinf(self.high) else self.high - np.exp(-places)
        if np.isinf(self.high):
            return np.asarray(self.low + np.exp(places))
        return np.asarray(self.low + (self.high - self.low) * (1 + np.tanh(places / 2)) / 2)

    def slope(self, value: float) -> float:
        """How much faster than the statistic its place on the scale moves, at a value."""
        one = 1 / (value - self.low) if np.isfinite(self.low) else 0.0
        other = 1 / (self.high - value) if np.isfinite(self.high) else 0.0
        return one + other or 1.0

    def placed(self, values: FloatArray, value: float) -> FloatArray:
        """Values without this or that cluster (n,), NaN where undefined, on the scale. Where one of
        them has reached an end, all are placed on the tangent at `value` (the delta method)."""
        if self.holds(values[~np.isnan(values)]):
            return self.forward(values)
        middle = float(self.forward(np.array([value]))[0])
        return np.asarray(middle + self.slope(value) * (values - value))

    def bounds(self, value: float, half: float) -> tuple[float, float]:
        """The bounds half a width of the scale to either side of a value within the range."""
        return self.beside(value, half, half)

    def beside(self, value: float, below: float, above: float) -> tuple[float, float]:
        """The bounds so far below and above a value within the range, on the scale."""
        middle = float(self.forward(np.array([value]))[0])
        low, high = self.back(np.array([middle - below, middle + above])).tolist()
        return min(low, value), max(high, value)

    def around(self, value: float, half: float) -> tuple[float, float]:
        """The same half a width of the statistic's own unit, by the delta method."""
        return self.bounds(value, self.slope(value) * half)


NUMBERS = Scale()
SHARES = Scale(0.0, 1.0)
COEFFICIENTS = Scale(-1.0, 1.0)


def difference_bounds(value: float, half: float, reach: float) -> tuple[float, float] | None:
    """value -+ half, kept within -reach and reach; None where the value is no such difference.

    Differences d of numbers within a range of that length have a mean of m and a variance of
    reach^2 - m^2 at most, which vanishes at the ends. So of a mean farther from 0 than the value
    the error counts sqrt((reach^2 - m^2) / (reach^2 - value^2)) times; of one nearer to 0 it counts
    as estimated, so that an interval leaves 0 out just where the t test rejects it. The bounds are
    where |value - m| is `half` in that unit: a score interval as Wilson's is of a share.

    reach: infinite where the ends are not known, for the plain interval.
    """
    if abs(value) >= reach * (1 - EDGE):
        return None
    low, high = value - half, value + half
    if np.isinf(reach):
        return low, high
    times = half**2 / (reach**2 - value**2)
    apart = sqrt(times * (reach**2 * (1 + times) - value**2))
    if low < -abs(value):
        low = (value - apart) / (1 + times)
    if high > abs(value):
        high = (value + apart) / (1 + times)
    return low, high
