"""Means of units that were not equally likely to be answered by people."""

from dataclasses import dataclass
from math import exp, lgamma

import numpy as np

from ..values.coding import FloatArray, IntArray


@dataclass(frozen=True)
class WeightedMean:
    """A prediction-powered mean of units with different probabilities: its value, its squared
    standard error, and how much the judge was used."""

    value: float
    error: float
    tuning: float


def weighted_mean(
    y: FloatArray, f: FloatArray, everything: FloatArray, inclusion: FloatArray
) -> WeightedMean:
    """The mean of n answered units, weighted by 1 / probability, with a judge's answers to all.

    mean = t mean(all judge) + sum w (y - t f) / sum w, with w = 1 / inclusion (Hajek); squared
    standard error t^2 var(all) / N + n / (n - 1) sum w^2 (z - mean z)^2 / (sum w)^2
    + 2 t cov(f, z) / N with z = y - t f, whose smallest value t = cov(y, f) / var(f) gives, kept
    within 0 and 1.

    y, f, inclusion : (n,) human answer, the judge's, and the probability in (0, 1] that the unit
        was answered by people. everything : (N,) the judge's answers to all units.

    Source: Sarndal, Swensson and Wretman (1992), "Model assisted survey sampling"
    (the difference estimator with the weighted mean); Angelopoulos et al. (2023) for t.
    """
    w = 1 / inclusion
    mean_y, mean_f = np.average(y, weights=w), np.average(f, weights=w)
    together = float(np.average((y - mean_y) * (f - mean_f), weights=w))
    spread = float(everything.var(ddof=1))
    t = min(1.0, max(0.0, together / spread)) if spread else 0.0
    z = y - t * f
    n, size = len(y), len(everything)
    apart = z - np.average(z, weights=w)
    sampled = n / (n - 1) * float((w**2 * apart**2).sum() / w.sum() ** 2)
    shared = 2 * t * (together - t * float(np.average((f - mean_f) ** 2, weights=w))) / size
    return WeightedMean(
        value=float(t * everything.mean() + np.average(z, weights=w)),
        error=max(0.0, t * t * spread / size + sampled + shared),
        tuning=t,
    )


def inclusion_of(sizes: IntArray, units: int, answered: int) -> FloatArray:
    """The probability that a source has an answered unit, where `answered` of all `units` were
    drawn in a random order: 1 - C(units - k, answered) / C(units, answered) for a source of k.

    sizes : (G,) units of each source, k. Returns (G,) in [0, 1].

    Source: the hypergeometric distribution of a simple random sample.
    """
    each = {int(k): 1 - _none_of(int(k), units, answered) for k in np.unique(sizes).tolist()}
    return np.array([each[k] for k in sizes.tolist()], dtype=np.float64)


def _none_of(k: int, units: int, answered: int) -> float:
    if k > units - answered:
        return 0.0
    logs = lgamma(units - k + 1) - lgamma(units - k - answered + 1)
    return exp(logs - lgamma(units + 1) + lgamma(units - answered + 1))
