"""Strengths of systems from comparisons of two at a time, whoever met whom."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.scores.clustered import LEAST_CLUSTERS, Clusters
from agreement.scores.prediction_powered import t_quantile
from agreement.systems.paired_comparisons import Comparisons, read_comparisons, standing
from agreement.values.coding import FloatArray, IntArray
from agreement.values.estimate import Counts, Estimate
from agreement.values.ratings import Ids

STEPS, SETTLED = 100, 1e-10
NOTHING = "no comparison of two systems"
ALL_TIED = "every comparison is a tie"


@dataclass(frozen=True, kw_only=True)
class BradleyTerry:
    """Strengths of systems by the model of Bradley and Terry.

    strength: system -> natural logarithm of its strength, 0 on average over the fitted systems.
    chance: system -> its chance to win against a system of average strength, if neither ties.
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

    Of systems with strengths p and q the first wins with probability p / (p + q + v sqrt(p q)),
    the second with q over the same and neither with the rest: Davidson's model, of which v = 0,
    taken where nothing ties, is Bradley and Terry's. A win over a strong system counts for more
    than one over a weak system, so systems that met different opponents can be compared.

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
    reason; also: no comparison of two systems; every comparison is a tie. Raises ValueError for
    other outcomes and different lengths.

    Source: Bradley and Terry (1952), "Rank Analysis of Incomplete Block Designs"; Davidson (1970),
    "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison Experiments",
    equations 2.2 and 2.3; Ford (1957) for when strengths exist; Liang and Zeger (1986).
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
    if (among.outcome == 0.5).all():
        tied = {
            name: Estimate.missing(ALL_TIED, n_units=among.met(code))
            for code, name in enumerate(among.names)
        }
        return BradleyTerry(strength=tied | missing, chance=tied | missing)
    return _fitted(among, missing, confidence)


def _fitted(
    among: Comparisons, missing: dict[Hashable, Estimate], confidence: float | None
) -> BradleyTerry:
    model = _Davidson(among)
    parameters = model.fit()
    size = len(among.names)
    covariance = model.covariance(parameters)[:size, :size]
    about = f"Bradley–Terry{'–Davidson' if model.ties else ''}, sandwich over sources"
    if missing:
        about += f", {size} systems among themselves"
    interval = _Student(among.clusters.number, size, confidence, about)
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
class _Student:
    """Intervals of the strengths of so many systems, from so many clusters."""

    clusters: int
    systems: int
    confidence: float | None
    about: str

    def around(self, value: float, error: float, n: Counts) -> Estimate:
        if self.confidence is None:
            return Estimate(value=value, **n)
        least = max(LEAST_CLUSTERS, 2 * self.systems + 1)
        if self.clusters < least:
            none = f"{self.about}; none: too few sources for an interval: fewer than {least}"
            return Estimate(value=value, confidence=self.confidence, interval_method=none, **n)
        half = t_quantile((1 + self.confidence) / 2, self.clusters - self.systems) * error
        return Estimate(
            value=value,
            low=value - half,
            high=value + half,
            confidence=self.confidence,
            interval_method=self.about,
            **n,
        )


def _as_chance(strength: Estimate) -> Estimate:
    def chance(value: float | None) -> float | None:
        if value is None:
            return None
        # Either form overflows on one side.
        return 1 / (1 + exp(-value)) if value >= 0 else exp(value) / (1 + exp(value))

    return replace(
        strength, **{name: chance(getattr(strength, name)) for name in ("value", "low", "high")}
    )


class _Davidson:
    """The likelihood over S systems; the last of the parameters is log v where there are ties."""

    def __init__(self, comparisons: Comparisons) -> None:
        self.of, self.size = comparisons, len(comparisons.names)
        self.ties = bool((comparisons.outcome == 0.5).any())
        key = comparisons.first * self.size + comparisons.second
        pairs, self.pair = np.unique(key, return_inverse=True)
        self.first: IntArray = pairs // self.size
        self.second: IntArray = pairs % self.size
        self.times = np.bincount(self.pair).astype(np.float64)
        wins = np.bincount(self.pair, weights=comparisons.outcome)
        self.wins: FloatArray = wins
        self.tied = np.bincount(self.pair, weights=comparisons.outcome == 0.5)

    @property
    def width(self) -> int:
        """The number of parameters."""
        return self.size + self.ties

    def chances(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Of each pair the expected outcome of the first, a tie being 1/2, and that of a tie."""
        apart = parameters[self.first] - parameters[self.second]
        top = np.abs(apart) / 2
        won, lost = np.exp(apart / 2 - top), np.exp(-apart / 2 - top)
        tie = np.exp(parameters[-1] - top) if self.ties else np.zeros(len(apart))
        whole = won + lost + tie
        return (won + tie / 2) / whole, tie / whole

    def fit(self) -> FloatArray:
        """Newton's method; steps are halved where one would make the data less likely."""
        parameters = np.zeros(self.width)
        for _ in range(STEPS):
            step = np.linalg.pinv(self.information(parameters)) @ self.gradient(parameters)
            size, before = 1.0, self.likelihood(parameters)
            while self.likelihood(parameters + size * step) < before - 1e-12 and size > 1e-6:
                size /= 2
            parameters = parameters + size * step
            if np.abs(step).max() < SETTLED:
                break
        return parameters

    def likelihood(self, parameters: FloatArray) -> float:
        """The logarithm of the likelihood."""
        expected, tie = self.chances(parameters)
        won, lost = expected - tie / 2, 1 - expected - tie / 2
        wins, losses = self.wins - self.tied / 2, self.times - self.wins - self.tied / 2
        with np.errstate(divide="ignore"):
            logs = [np.log(np.maximum(part, 1e-300)) for part in (won, lost, tie)]
        return float((wins * logs[0] + losses * logs[1] + self.tied * logs[2]).sum())

    def gradient(self, parameters: FloatArray) -> FloatArray:
        expected, tie = self.chances(parameters)
        ahead = self.wins - self.times * expected
        gradient = np.zeros(self.width)
        np.add.at(gradient, self.first, ahead)
        np.add.at(gradient, self.second, -ahead)
        if self.ties:
            gradient[-1] = (self.tied - self.times * tie).sum()
        return gradient

    def information(self, parameters: FloatArray) -> FloatArray:
        """The negative second derivatives, which do not depend on the outcomes."""
        expected, tie = self.chances(parameters)
        spread = self.times * (expected * (1 - expected) - tie / 4)
        matrix = np.zeros((self.width, self.width))
        for one, other, sign in (
            (self.first, self.first, 1),
            (self.second, self.second, 1),
            (self.first, self.second, -1),
            (self.second, self.first, -1),
        ):
            np.add.at(matrix, (one, other), sign * spread)
        if self.ties:
            matrix[-1, -1] = (self.times * tie * (1 - tie)).sum()
            across = self.times * tie * (0.5 - expected)
            for side, sign in ((self.first, 1), (self.second, -1)):
                np.add.at(matrix[-1], side, sign * across)
            matrix[:-1, -1] = matrix[-1, :-1]
        return matrix

    def covariance(self, parameters: FloatArray) -> FloatArray:
        """The sandwich over clusters, with G / (G - 1)."""
        expected, tie = self.chances(parameters)
        ahead = self.of.outcome - expected[self.pair]
        clusters: Clusters = self.of.clusters
        scores = np.zeros((clusters.number, self.width))
        np.add.at(scores, (clusters.code, self.first[self.pair]), ahead)
        np.add.at(scores, (clusters.code, self.second[self.pair]), -ahead)
        if self.ties:
            np.add.at(scores[:, -1], clusters.code, (self.of.outcome == 0.5) - tie[self.pair])
        inverse = np.linalg.pinv(self.information(parameters))
        number = clusters.number
        return np.asarray(
            inverse @ (scores.T @ scores) @ inverse * number / max(number - 1, 1), dtype=np.float64
        )
