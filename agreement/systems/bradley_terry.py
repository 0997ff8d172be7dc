"""Strengths of systems from comparisons of two at a time, whoever met whom."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt

from ..scores.clustered import LEAST_CLUSTERS, Clusters
from ..scores.student import Student
from ..values.coding import FloatArray, IntArray
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids
from .paired_comparisons import Comparisons, read_comparisons, standing

STEPS, SETTLED, ROUNDING = 100, 1e-10, 1e-9


@dataclass(frozen=True, kw_only=True)
class BradleyTerry:
    """Strengths of systems by the model of Bradley and Terry.

    strength: system -> natural logarithm of its strength, 0 on average over the fitted systems.
    chance: system -> its chance to win against a system of average strength, a tie counting half.
    covariance: of the strengths, in the order of `fitted`.
    """

    strength: dict[Hashable, Estimate] = field(default_factory=dict)
    chance: dict[Hashable, Estimate] = field(default_factory=dict)
    fitted: tuple[Hashable, ...] = ()
    covariance: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))


def bradley_terry(
    first: Sequence[Hashable] | npt.NDArray[Any],
    second: Sequence[Hashable] | npt.NDArray[Any],
    outcomes: Sequence[object] | npt.NDArray[Any],
    *,
    clusters: Ids | None = None,
    confidence: float | None = 0.95,
) -> BradleyTerry:
    """Strengths of systems that make the comparisons most likely.

    Of systems with strengths p and q the first wins with probability p / (p + q). A win over a
    strong system counts for more than one over a weak system, so systems that met different
    opponents can be compared. A tie is half a win of each: strengths then make the expected
    outcomes equal to the observed ones, whether or not ties are as frequent between all systems
    (a quasi-likelihood; Davidson's model of ties has no finite strengths for a system that only
    ever lost and tied).

    Parameters
    ----------
    first, second : (N,) the two systems of each comparison.
    outcomes : (N,) 1 where the first won, 0 where the second did, 0.5 for a tie; None and NaN are
        missing and drop out.
    clusters : (N,) ids of what is independent, such as sources; each comparison when left out.
    confidence : of the intervals; None for none.

    Returns a BradleyTerry. Intervals are those of the estimated strengths by Student's t, with an
    error over clusters (sandwich), and for chances their logistic transforms; missing with fewer
    than ten clusters, or no more of them than twice the systems. n_units: the system's
    comparisons. Strengths exist only among systems between which a chain of wins or ties leads
    both ways: whoever won (or lost) all comparisons has none, and the others are fitted among
    themselves; where systems fall into groups that never met, none has. Undefined with that
    reason; no comparison of two systems gives an empty one. Raises ValueError for other outcomes
    and different lengths.

    Source: Bradley and Terry (1952), "Rank Analysis of Incomplete Block Designs: I. The Method of
    Paired Comparisons"; Ford (1957), "Solution of a Ranking Problem from Binary Comparisons", for
    when strengths exist; Agresti (2002), "Categorical Data Analysis", section 10.6; Liang and Zeger
    (1986) for the error over clusters.
    """
    comparisons = read_comparisons(first, second, outcomes, clusters)
    chosen, reasons = standing(comparisons)
    missing = {
        name: Estimate.missing(reasons[code], n_units=comparisons.met(code))
        for code, name in enumerate(comparisons.names)
        if code in reasons
    }
    if len(chosen) < 2:
        return BradleyTerry(strength=missing, chance=dict(missing))
    among = comparisons.among(chosen)
    return _fitted(among, missing, confidence)


def _fitted(
    among: Comparisons, missing: dict[Hashable, Estimate], confidence: float | None
) -> BradleyTerry:
    model, size = _Model(among), len(among.names)
    parameters = model.fit()
    covariance = model.covariance(parameters)
    about = "Bradley–Terry, a tie half a win, sandwich over sources"
    if missing:
        about += f", {size} systems among themselves"
    interval = _Intervals(among.clusters.number, size, confidence, about)
    strength = {
        name: interval.around(
            float(parameters[code]),
            float(np.sqrt(max(covariance[code, code], 0.0))),
            Counts(n_units=among.met(code), n_ratings=among.met(code)),
        )
        for code, name in enumerate(among.names)
    }
    chance = {name: _as_chance(estimate) for name, estimate in strength.items()}
    return BradleyTerry(
        strength=strength | missing,
        chance=chance | missing,
        fitted=tuple(among.names),
        covariance=covariance,
    )


@dataclass(frozen=True)
class _Intervals:
    """Intervals of the strengths of so many systems, from so many clusters."""

    clusters: int
    systems: int
    confidence: float | None
    about: str

    def around(self, value: float, error: float, n: Counts) -> Estimate:
        if self.confidence is None:
            return Estimate(value=value, **n)
        least = max(LEAST_CLUSTERS, 2 * self.systems + 1)
        few = f"too few sources for an interval: fewer than {least}"
        none = few if self.clusters < least else ""
        student = Student(self.confidence, max(self.clusters - self.systems, 1), none)
        return student.around(value, error**2, self.about, n)


def _as_chance(strength: Estimate) -> Estimate:
    def chance(value: float | None) -> float | None:
        if value is None:
            return None
        # Either form overflows on one side.
        return 1 / (1 + exp(-value)) if value >= 0 else exp(value) / (1 + exp(value))

    return replace(
        strength,
        value=chance(strength.value),
        low=chance(strength.low),
        high=chance(strength.high),
    )


class _Model:
    """The likelihood over S systems, of comparisons counted by pair."""

    def __init__(self, comparisons: Comparisons) -> None:
        self.of, self.size = comparisons, len(comparisons.names)
        key = comparisons.first * self.size + comparisons.second
        pairs, self.pair = np.unique(key, return_inverse=True)
        self.first: IntArray = pairs // self.size
        self.second: IntArray = pairs % self.size
        self.times = np.bincount(self.pair).astype(np.float64)
        wins = np.bincount(self.pair, weights=comparisons.outcome)
        self.wins = np.asarray(wins, dtype=np.float64)

    def expected(self, strengths: FloatArray) -> FloatArray:
        """Of each pair the chance that the first wins."""
        apart = strengths[self.first] - strengths[self.second]
        return np.asarray((1 + np.tanh(apart / 2)) / 2)

    def fit(self) -> FloatArray:
        """Newton's method; steps are halved where one would make the data less likely."""
        strengths = np.zeros(self.size)
        for _ in range(STEPS):
            step = np.linalg.pinv(self.information(strengths)) @ self.gradient(strengths)
            size, before = 1.0, self.likelihood(strengths)
            while self.likelihood(strengths + size * step) < before - ROUNDING and size > ROUNDING:
                size /= 2
            strengths = strengths + size * step
            if np.abs(step).max() < SETTLED:
                break
        return np.asarray(strengths - strengths.mean())

    def likelihood(self, strengths: FloatArray) -> float:
        """The logarithm of the likelihood."""
        apart = strengths[self.first] - strengths[self.second]
        return float((self.wins * apart - self.times * np.logaddexp(0, apart)).sum())

    def gradient(self, strengths: FloatArray) -> FloatArray:
        """Wins minus expected wins of each system."""
        ahead = self.wins - self.times * self.expected(strengths)
        gradient = np.zeros(self.size)
        np.add.at(gradient, self.first, ahead)
        np.add.at(gradient, self.second, -ahead)
        return gradient

    def information(self, strengths: FloatArray) -> FloatArray:
        """The negative second derivatives."""
        expected = self.expected(strengths)
        spread = self.times * expected * (1 - expected)
        matrix = np.zeros((self.size, self.size))
        np.add.at(matrix, (self.first, self.first), spread)
        np.add.at(matrix, (self.second, self.second), spread)
        np.add.at(matrix, (self.first, self.second), -spread)
        np.add.at(matrix, (self.second, self.first), -spread)
        return matrix

    def covariance(self, strengths: FloatArray) -> FloatArray:
        """The sandwich over clusters, with G / (G - 1)."""
        ahead = self.of.outcome - self.expected(strengths)[self.pair]
        clusters: Clusters = self.of.clusters
        scores = np.zeros((clusters.number, self.size))
        np.add.at(scores, (clusters.code, self.first[self.pair]), ahead)
        np.add.at(scores, (clusters.code, self.second[self.pair]), -ahead)
        inverse = np.linalg.pinv(self.information(strengths))
        times = clusters.number / max(clusters.number - 1, 1)
        return np.asarray(times * inverse @ (scores.T @ scores) @ inverse)
