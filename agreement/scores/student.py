"""Intervals by Student's t around estimates whose standard error is known."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ..bootstrap.scales import AT_AN_END, NUMBERS, Scale
from ..values.estimate import Counts, Estimate

ALIKE = "the answers do not vary"


def t_quantile(level: float, degrees: float) -> float:
    """The quantile of Student's t."""
    from scipy.stats import t  # late, as importing it takes half a second

    return float(t.ppf(level, degrees))


@dataclass(frozen=True)
class Student:
    """Intervals by Student's t, within a range; none: why there are none."""

    confidence: float
    degrees: float
    none: str = ""
    scale: Scale = NUMBERS

    def around(self, value: float, error: float, text: str, n: Counts) -> Estimate:
        """error: the square of the standard error."""
        none = self.none or ("" if error else ALIKE)
        none = none or ("" if self.scale.holds(np.array([value])) else AT_AN_END)
        if none:
            about = f"{text}; none: {none}"
            return Estimate(value=value, confidence=self.confidence, interval_method=about, **n)
        half = t_quantile((1 + self.confidence) / 2, self.degrees) * sqrt(error)
        low, high = self.scale.around(value, half)
        return Estimate(
            value=value,
            low=low,
            high=high,
            confidence=self.confidence,
            interval_method=text,
            **n,
        )
