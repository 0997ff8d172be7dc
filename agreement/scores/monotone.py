"""Monotone regression: numbers that only rise, or only fall, with another number."""

from dataclasses import dataclass

import numpy as np

from ..values.coding import FloatArray


@dataclass(frozen=True, eq=False)
class MonotoneCurve:
    """A curve that never falls, or never rises. at: (K,) ascending. values: (K,), the curve there.

    Between two points it is linear, beyond the ends constant.
    """

    at: FloatArray
    values: FloatArray

    def __call__(self, x: FloatArray | float) -> FloatArray:
        """The curve at x, (M,) or one number."""
        return np.asarray(np.interp(x, self.at, self.values), dtype=np.float64)


def monotone_curve(x: FloatArray, y: FloatArray) -> MonotoneCurve:
    """The monotone curve with the least squared distance to the points.

    x, y: (N,) finite numbers, N >= 1; points with the same x share their mean. The curve rises or
    falls, whichever is nearer; where both are as near, it rises. A ValueError where there is no
    point, or a number is missing.

    Source: Barlow, Bartholomew, Bremner and Brunk (1972), "Statistical Inference under Order
    Restrictions", section 1.2 (pool adjacent violators).
    """
    from scipy.optimize import isotonic_regression  # late, as importing it takes long

    if not len(x) or len(x) != len(y) or not np.isfinite([*x, *y]).all():
        raise ValueError("monotone_curve: it takes one finite y for each finite x")
    at, place, count = np.unique(x, return_inverse=True, return_counts=True)
    mean = np.bincount(place, weights=y) / count
    fits = [isotonic_regression(mean, weights=count, increasing=up).x for up in (True, False)]
    errors = [float((count * (fit - mean) ** 2).sum()) for fit in fits]
    rises = errors[0] <= errors[1] or np.isclose(errors[0], errors[1])
    return _without_inner(at.astype(np.float64), fits[0] if rises else fits[1])


def _without_inner(at: FloatArray, values: FloatArray) -> MonotoneCurve:
    """The same curve without the points inside a flat part."""
    same = np.isclose(values[1:], values[:-1], rtol=0, atol=1e-12)
    inner = np.concatenate([[False], same]) & np.concatenate([same, [False]])
    return MonotoneCurve(at[~inner], values[~inner])
