"""Scales on which statistics with bounds are more nearly normal."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..values.coding import FloatArray

# Closer to a bound of its range than this, a statistic counts as having reached it.
EDGE = 1e-9


@dataclass(frozen=True)
class Scale:
    """A change of scale, for values between low and high.

    forward, back: (n,) -> (n,), the second undoing the first. Values at the bounds have no place
    on the scale: see `fitting`.
    """

    low: float
    high: float
    forward: Callable[[FloatArray], FloatArray]
    back: Callable[[FloatArray], FloatArray]

    def fitting(self, values: FloatArray) -> "Scale":
        """This scale where all values lie strictly within its range, else that of the numbers
        themselves, on which bounds are cut off at the range."""
        inside = (values > self.low + EDGE) & (values < self.high - EDGE)
        return self if inside.all() else Scale(self.low, self.high, _same, _same)

    def bounds(self, middle: float, half: float) -> tuple[float, float]:
        """The bounds half a width around the middle, in the unit of the statistic."""
        low, high = self.back(np.array([middle - half, middle + half])).tolist()
        return max(low, self.low), min(high, self.high)


def _same(values: FloatArray) -> FloatArray:
    return values


def _logit(values: FloatArray) -> FloatArray:
    return np.asarray(np.log(values / (1 - values)))


def _logistic(values: FloatArray) -> FloatArray:
    return np.asarray((1 + np.tanh(values / 2)) / 2)


NUMBERS = Scale(-np.inf, np.inf, _same, _same)
# Log odds: of shares, F1 and the like.
SHARES = Scale(0.0, 1.0, _logit, _logistic)
# Fisher's z: of coefficients of agreement and correlation.
COEFFICIENTS = Scale(-1.0, 1.0, np.arctanh, np.tanh)
