"""The likelihood of comparisons of two systems, some of which are ties (Davidson 1970)."""

from math import log

import numpy as np

from ..values.coding import FloatArray, IntArray
from .paired_comparisons import Comparisons

STEPS, SETTLED, ROUNDING = 100, 1e-10, 1e-9


class DavidsonModel:
    """Of S systems with log strengths s and of a tie parameter v, of comparisons counted by pair.

    With x = s_i - s_j the first wins, ties and loses as exp(x / 2) : v : exp(-x / 2). Parameters:
    (S + 1,), log v being the last; without ties it is minus infinity, and all as in the model of
    Bradley and Terry.
    """

    def __init__(self, comparisons: Comparisons) -> None:
        self.of, self.size = comparisons, len(comparisons.names)
        key = comparisons.first * self.size + comparisons.second
        pairs, self.pair = np.unique(key, return_inverse=True)
        self.first: IntArray = pairs // self.size
        self.second: IntArray = pairs % self.size
        self.times = np.bincount(self.pair).astype(np.float64)
        self.wins = np.bincount(self.pair, weights=comparisons.outcome)
        self.tied = (comparisons.outcome == 0.5).astype(np.float64)
        self.ties = np.bincount(self.pair, weights=self.tied)
        # (P, S): 1 for the first system of a pair and -1 for the second.
        self.sides = np.zeros((len(pairs), self.size))
        self.sides[np.arange(len(pairs)), self.first] = 1
        self.sides[np.arange(len(pairs)), self.second] = -1

    def expected(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(P,) the outcome that is expected of each pair, and the chance of a tie."""
        apart = self.sides @ parameters[:-1]
        log_sum = self._log_sum(apart, parameters[-1])
        tie = np.exp(parameters[-1] - log_sum)
        return np.exp(apart / 2 - log_sum) + tie / 2, tie

    @staticmethod
    def _log_sum(apart: FloatArray, log_tie: float) -> FloatArray:
        return np.asarray(np.logaddexp(np.logaddexp(apart / 2, -apart / 2), log_tie))

    def fit(self) -> FloatArray:
        """Newton's method; steps are halved where one would make the data less likely."""
        share = float(self.tied.mean())
        start = log(2 * share / (1 - share)) if share else -np.inf
        parameters = np.append(np.zeros(self.size), start)
        for _ in range(STEPS):
            gradient = self.scores(parameters).sum(axis=0)
            step = np.linalg.pinv(self.information(parameters)) @ gradient
            size, before = 1.0, self.likelihood(parameters)
            while self.likelihood(parameters + size * step) < before - ROUNDING and size > ROUNDING:
                size /= 2
            parameters = parameters + size * step
            if np.abs(step).max() < SETTLED:
                break
        parameters[:-1] -= parameters[:-1].mean()
        return parameters

    def likelihood(self, parameters: FloatArray) -> float:
        """The logarithm of the likelihood."""
        apart, ties = self.sides @ parameters[:-1], float(self.ties.sum())
        of_ties = ties * parameters[-1] if ties else 0.0
        log_sum = self._log_sum(apart, parameters[-1])
        return float(((self.wins - self.times / 2) * apart - self.times * log_sum).sum() + of_ties)

    def ahead(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(N,) outcomes and ties of single comparisons minus what is expected."""
        expected, tie = self.expected(parameters)
        return self.of.outcome - expected[self.pair], self.tied - tie[self.pair]

    def scores(self, parameters: FloatArray) -> FloatArray:
        """(N, S + 1) the derivatives, comparison by comparison."""
        outcome, tie = self.ahead(parameters)
        return np.column_stack([outcome[:, None] * self.sides[self.pair], tie])

    def crossed(self, parameters: FloatArray) -> FloatArray:
        """(P, S + 1) negative second derivatives by what one pair alone is ahead and by all
        parameters."""
        expected, tie = self.expected(parameters)
        of_outcome = self.times * (expected * (1 - expected) - tie / 4)
        with_tie = self.times * tie * (0.5 - expected)
        return np.column_stack([of_outcome[:, None] * self.sides, with_tie])

    def information(self, parameters: FloatArray) -> FloatArray:
        """(S + 1, S + 1) the negative second derivatives."""
        _, tie = self.expected(parameters)
        crossed = self.crossed(parameters)
        last = np.append(crossed[:, -1] @ self.sides, float((self.times * tie * (1 - tie)).sum()))
        return np.vstack([np.column_stack([self.sides.T @ crossed[:, :-1], last[:-1]]), last])

    def influence(self, parameters: FloatArray) -> FloatArray:
        """(N, S + 1) what each comparison adds to the parameters."""
        return np.asarray(self.scores(parameters) @ np.linalg.pinv(self.information(parameters)))
