"""Find the threshold that makes a judge's answers most similar to the right ones.

Pure numbers, no database. A question's answer changes only where the threshold passes one of its
own scores, so the mean over all questions is a step function, and one pass over the sorted scores
finds its maximum.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

# The score of an answer against the right one, in [0, 1], by the threshold that made it.
Scorer = Callable[[float], float]


@dataclass(frozen=True)
class Case:
    """A question: the scores of its texts, the score of its answer, its weight in the mean."""

    scores: tuple[float, ...]
    scored_at: Scorer
    weight: float


@dataclass(frozen=True)
class BestThreshold:
    """The threshold with the highest mean, that mean, and how many thresholds were tried."""

    threshold: float
    mean: float
    candidates: int


def best_threshold(cases: Sequence[Case]) -> BestThreshold:
    """The threshold, of all distinct scores, with the highest weighted mean.

    cases: N >= 1 questions whose weights sum to 1; a text counts as supported where its score is
    at least the threshold. Of equally good thresholds the highest is taken. It is then moved
    halfway to the next lower score, where all decisions are the same and rounding does no harm; the
    lowest score stays as it is. Raises ValueError where there is no score at all.
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
    means: list[tuple[float, float]] = []
    for score in sorted(steps, reverse=True):
        mean += steps[score]
        means.append((score, mean))
    # Means that differ only by rounding are equally good.
    highest = max(value for _, value in means)
    at = next(n for n, (_, value) in enumerate(means) if value > highest - 1e-12)
    threshold, best = means[at]
    if at + 1 < len(means):
        threshold = (threshold + means[at + 1][0]) / 2
    return BestThreshold(threshold, best, len(means))
