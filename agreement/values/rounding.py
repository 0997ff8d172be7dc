"""Comparisons that ignore rounding: between means, and between a mean and a threshold.

Sums of the same numbers in another order differ in their last digits, and a computed mean of
fractions may miss its exact value by as much. Without slack, ranks and thresholds would treat that
as a difference.
"""

import math

import numpy as np

from .coding import FloatArray

SLACK = 1e-9  # of numbers around 1
DIGITS = 11  # of the largest number that count


def reaches(value: float, bar: float) -> bool:
    """Whether a value around 1, such as a mean F1, is at least `bar`, up to rounding."""
    return value >= bar - SLACK


def even(values: FloatArray, *, largest: float | None = None) -> FloatArray:
    """The values without the digits that rounding may have changed; NaN stays NaN.

    values: any shape. largest: the largest absolute value among all that they are compared with;
    left out, the largest of these. Returns the same shape, rounded to eleven digits of it.
    """
    if largest is None:
        largest = float(np.nanmax(np.abs(values))) if not np.isnan(values).all() else 0.0
    if largest == 0:
        return values
    return np.round(values, DIGITS - 1 - math.floor(math.log10(largest)))


def even_pair(first: float, second: float) -> tuple[float, float]:
    """Two numbers without such digits, so that they are equal where rounding alone parts them."""
    evened = even(np.array([first, second]))
    return float(evened[0]), float(evened[1])
