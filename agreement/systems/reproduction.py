"""How far repeated measurements of one thing lie apart."""

from collections.abc import Sequence
from math import gamma, sqrt

import numpy as np

from ..values.coding import as_floats
from ..values.estimate import Estimate


def cv_star(values: Sequence[float]) -> Estimate:
    """Coefficient of variation in percent, corrected for small samples: 0 is perfect.

    CV* = 100 (1 + 1 / (4 n)) s* / |mean|, s* = s / c4(n), s the sample standard deviation,
    c4(n) = sqrt(2 / (n - 1)) Gamma(n / 2) / Gamma((n - 1) / 2).

    values: (n,) the same measure from n studies, on a scale that starts at 0 (shift it first if
    it does not). n_ratings is n; no interval. Undefined: fewer than two measurements; their mean
    is 0. Raises ValueError for a missing or infinite one.

    Source: Belz, Popovic and Mille (2022), "Quantified Reproducibility Assessment of NLP
    Results", equations 1 to 4.
    """
    numbers = as_floats(values)
    n = len(numbers)
    if np.isnan(numbers).any():
        raise ValueError("a measurement is missing")
    if n < 2:
        return Estimate.missing("fewer than two measurements", n_ratings=n)
    mean = float(numbers.mean())
    if mean == 0:
        return Estimate.missing("the mean is 0", n_ratings=n)
    deviation = float(numbers.std(ddof=1)) / _c4(n)
    return Estimate(value=100 * (1 + 1 / (4 * n)) * deviation / abs(mean), n_ratings=n)


def _c4(n: int) -> float:
    """Expected s / sigma of n normal values; above 300, where Gamma overflows, to 1e-9."""
    if n > 300:
        return 1 - 1 / (4 * n) - 7 / (32 * n**2) - 19 / (128 * n**3)
    return sqrt(2 / (n - 1)) * gamma(n / 2) / gamma((n - 1) / 2)
