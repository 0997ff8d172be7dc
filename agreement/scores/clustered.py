"""Means whose error is that of clusters, such as the sources that units share."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from ..bootstrap.scales import AT_AN_END, difference_bounds
from ..values.coding import FloatArray, IntArray, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids
from .student import t_quantile

# Below that an interval or test over clusters covers too little.
LEAST_CLUSTERS = 10
FEW_CLUSTERS = f"too few sources for an interval: fewer than {LEAST_CLUSTERS}"
# Errors smaller than this are those of values that do not vary.
ROUNDING = 1e-12
NO_SPREAD = "no spread between sources"


@dataclass(frozen=True)
class Clusters:
    """Which of G clusters each of N values lies in: (N,) codes; each is its own without ids."""

    code: IntArray
    number: int

    @classmethod
    def of(cls, clusters: Ids | None, size: int) -> "Clusters":
        """ValueError where there are not as many ids as values."""
        if clusters is None:
            return cls(np.arange(size), size)
        if len(clusters) != size:
            raise ValueError(f"{len(clusters)} clusters for {size} values")
        return cls(*code_ids(clusters))

    @property
    def apart(self) -> bool:
        """Whether no two values share a cluster."""
        return self.number == len(self.code)

    def sums(self, rows: FloatArray) -> FloatArray:
        """(N, K) -> (G, K), the sum of each cluster's rows."""
        totals = np.zeros((self.number, rows.shape[1]))
        np.add.at(totals, self.code, rows)
        return totals

    def error(self, influence: FloatArray) -> float:
        """The standard error of a mean with these influences (N,), which sum to about 0: the root
        of G / (G - 1) times the sum of squared sums by cluster, over N (Liang and Zeger 1986)."""
        if self.number < 2:
            return 0.0
        sums = np.bincount(self.code, weights=influence, minlength=self.number)
        spread = self.number / (self.number - 1) * float((sums**2).sum())
        return sqrt(spread) / len(influence)


def student(
    value: float,
    error: float,
    clusters: int,
    confidence: float | None,
    method: str,
    *,
    reach: float = inf,
    **n: int,
) -> Estimate:
    """The value with Student's interval, with clusters - 1 degrees of freedom; none below ten
    clusters, where it would cover too little, none where nothing varies, and none where confidence
    is None. reach: of a difference, the largest that there can be, see `difference_bounds`."""
    about = Counts(**n)  # type: ignore[typeddict-item]  # counts, by their names
    if confidence is None:
        return Estimate(value=value, **about)
    reason = FEW_CLUSTERS if clusters < LEAST_CLUSTERS else NO_SPREAD if error < ROUNDING else ""
    half = 0.0 if reason else t_quantile((1 + confidence) / 2, clusters - 1) * error
    bounds = difference_bounds(value, half, reach)
    if reason or bounds is None:
        text = f"{method}; none: {reason or AT_AN_END}"
        return Estimate(value=value, confidence=confidence, interval_method=text, **about)
    return Estimate(
        value=value,
        low=bounds[0],
        high=bounds[1],
        confidence=confidence,
        interval_method=method,
        **about,
    )
