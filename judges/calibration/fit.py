"""Fit a threshold: which one makes the answers of a judge most like the right ones?

Pure numbers, no database. A question's answer changes only where the threshold passes one of its
own scores, so the mean over all questions is a sum of steps, and one pass over the sorted scores
finds the best.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

# What an answer scores against the right one, in [0, 1], by the threshold it was made with.
Scorer = Callable[[float], float]


@dataclass(frozen=True)
class Case:
    """One question: the scores of its parts, how its answer scores, and its share of the mean."""

    scores: tuple[float, ...]
    scored_at: Scorer
    weight: float


@dataclass(frozen=True)
class Best:
    """The threshold with the highest mean, that mean, and how many thresholds were tried."""

    threshold: float
    mean: float
    candidates: int


def best_threshold(cases: Sequence[Case]) -> Best:
    """The threshold, of all distinct scores, with the highest weighted mean.

    cases: N >= 1 questions whose weights sum to 1; a part counts where its score is at least the
    threshold. Of equally good ones the highest is taken. It is then put halfway to the next
    lower score, where the same cases decide alike and rounding does no harm; below the lowest
    score it stays where it is. Raises ValueError where there is no score at all.
    """
    steps: dict[float, float] = {}
    mean = 0.0
    for case in cases:
        last = case.scored_at(math.inf)
        mean += case.weight * last
        for score in sorted(set(case.scores), reverse=True):
            value = case.scored_at(score)
            steps[score] = steps.get(score, 0.0) + case.weight * (value - last)
            last = value
    if not steps:
        raise ValueError("no scores")
    found: list[tuple[float, float]] = []
    for score in sorted(steps, reverse=True):
        mean += steps[score]
        found.append((score, mean))
    # Sums in another order may differ in the last digits; that is no better threshold.
    highest = max(value for _, value in found)
    at = next(n for n, (_, value) in enumerate(found) if value > highest - 1e-12)
    threshold, best = found[at]
    if at + 1 < len(found):
        threshold = (threshold + found[at + 1][0]) / 2
    return Best(threshold, best, len(found))
