"""False discovery rate of several tests."""

from collections.abc import Sequence

import numpy as np


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """p values adjusted for the false discovery rate, in their order.

    p_values: (m,) within [0, 1], none of them missing: ValueError for NaN and what lies outside.
    Returns q_(i) = min over k >= i of m p_(k) / k, at most 1: taking all with q up to a level as
    findings keeps the expected share of false ones among them at that level, for independent or
    positively dependent tests. Never undefined: [] for none.

    Source: Benjamini and Hochberg (1995), "Controlling the False Discovery Rate", section 3.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("p values lie within 0 and 1")
    order = np.argsort(-p, kind="stable")
    ranks = np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum.accumulate(p[order] * len(p) / ranks) if len(p) else 0.0
    values: list[float] = np.minimum(adjusted, 1.0).tolist()
    return values
