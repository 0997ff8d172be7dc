"""Cheaper allocations: people answer some sources, a judge all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt

import numpy as np

from ..scores.prediction_powered import LEAST_ANSWERED, Numbers
from ..scores.student import t_quantile
from ..values.coding import as_floats
from ..values.estimate import Estimate
from .correlation import correlation

SHARES = (0.1, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, kw_only=True)
class Allocation:
    """People answer `answered` of the sources, the judge all.

    half_width: of the interval of the mean, prediction-powered. alone: that of people's answers
    without the judge. saved: the share of people's answers that the judge stands for: so many fewer
    of them give as narrow an interval as people alone. cost: half_width over that where people
    answer every source.
    """

    answered: int
    half_width: float
    alone: float
    saved: float
    cost: float


@dataclass(frozen=True, kw_only=True)
class Allocations:
    """correlation: Pearson's r of people's and the judge's answers, with Fisher's interval; where
    it is undefined there are no allocations."""

    correlation: Estimate
    each: Sequence[Allocation] = ()


def allocations(
    human: Numbers,
    judge: Numbers,
    *,
    total: int | None = None,
    shares: Sequence[float] = SHARES,
    confidence: float = 0.95,
) -> Allocations:
    """What answering a share of the sources by people would cost in precision, from a pilot.

    With r the correlation of the pilot, n of T sources answered and the best tuning, the squared
    standard error of the prediction-powered mean is s^2 / n (1 - r^2 (1 - n / T)), with s the
    standard deviation of people's answers: the judge stands for a share r^2 (1 - n / T) of them.

    Parameters
    ----------
    human, judge : (N,) numbers as for `ppi_mean`, one place per source, None or NaN where missing.
    total : T, the sources of the study that is planned; those with the judge's answer when left
        out.
    shares : of the sources that people would answer, each in (0, 1]; fewer than ten sources are
        left out, as they have no interval.

    Returns Allocations; r is undefined as for `correlation`, and then there are none. Raises
    ValueError for a share outside (0, 1], a total below 1, and as `ppi_mean` does.

    Source: Angelopoulos, Duchi and Zrnic (2023), "PPI++: Efficient Prediction-Powered Inference",
    example 6.1 with its best tuning.
    """
    pilot = source_correlation(human, judge, confidence=confidence)
    return allocations_from(pilot, total=total, shares=shares, confidence=confidence)


def source_correlation(human: Numbers, judge: Numbers, *, confidence: float = 0.95) -> Estimate:
    """What allocations rest on: Pearson's r of people's and the judge's answers, with Fisher's
    interval.

    human, judge: as for `allocations`. Returns an Estimate in [-1, 1]; its sd (divisor n - 1) is
    that of people's answers, n_ratings counts the sources that both answered, n_units those of the
    judge. Undefined and errors as for `correlation`.

    Source: Fisher (1921), "On the probable error of a coefficient of correlation".
    """
    answers, guesses = as_floats(human), as_floats(judge)
    if len(answers) != len(guesses):
        raise ValueError(f"{len(answers)} human answers for {len(guesses)} of the judge")
    judged = ~np.isnan(guesses)
    both = judged & ~np.isnan(answers)
    related = correlation(answers[both], guesses[both], method="pearson", fisher=confidence)
    if related.value is None:
        return replace(related, n_units=int(judged.sum()))
    spread = float(answers[both].std(ddof=1))
    return replace(related, sd=spread, sd_ddof=1, n_units=int(judged.sum()))


def allocations_from(
    related: Estimate,
    *,
    total: int | None = None,
    shares: Sequence[float] = SHARES,
    confidence: float = 0.95,
) -> Allocations:
    """`allocations` from what `source_correlation` found; the rest as there."""
    if any(not 0 < share <= 1 for share in shares):
        raise ValueError("shares must lie above 0 and up to 1")
    if total is not None and total < 1:
        raise ValueError("a study has at least one source")
    if related.value is None or related.sd is None:
        return Allocations(correlation=related)
    size = total or related.n_units or 0
    r, spread = max(related.value, 0.0), related.sd

    def alone(n: int) -> float:
        return t_quantile((1 + confidence) / 2, n - 1) * spread / sqrt(n)

    each = []
    numbers = sorted({ceil(share * size - 1e-9) for share in shares})
    for n in [number for number in numbers if number >= LEAST_ANSWERED]:
        saved = r**2 * (1 - n / size)
        half = alone(n) * sqrt(1 - saved)
        each.append(
            Allocation(
                answered=n, half_width=half, alone=alone(n), saved=saved, cost=half / alone(size)
            )
        )
    return Allocations(correlation=related, each=each)
