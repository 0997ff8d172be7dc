"""How wrong a consensus is, from a random sample of questions that somebody has decided."""

from collections.abc import Hashable, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from ..values.coding import FloatArray
from ..values.estimate import Estimate
from .shares import wilson

NOTHING_DECIDED = "no question of the sample is decided yet"
STRATUM_UNDECIDED = "no question is decided yet in a part of the sample"
NO_SPREAD = "none: a part of the sample has one decided question"


class _Stratum(NamedTuple):
    """n decided errors of a stratum, its share of the population, and n / N."""

    errors: FloatArray
    weight: float
    decided: float

    @property
    def mean(self) -> float:
        return float(self.errors.mean())


def audited_error(
    errors: Sequence[float],
    strata: Sequence[Hashable],
    population: Mapping[Any, int],
    *,
    bounded: bool = True,
    confidence: float = 0.95,
) -> Estimate:
    """The mean error in a population of which some questions were drawn and decided.

    mean = sum over strata h of N_h / N times the mean error of the n_h decided questions of h.
    It is the sum of errors over inclusion probabilities n_h / N_h, divided by N, and so unbiased
    where questions were drawn at random without replacement within strata.

    Parameters
    ----------
    errors : (n,) of each decided question how wrong the consensus is: 0 or 1, or the share of its
        parts on which it errs, in [0, 1]; with `bounded=False` any distance from 0 upwards. None
        missing: questions that are not decided are left out.
    strata : (n,) the stratum of each.
    population : stratum -> N_h, all questions that could have been drawn there.

    Returns an Estimate in the unit of the errors, n_units = n. Interval of bounded errors:
    Wilson's of each stratum with n_h / (1 - n_h / N_h) answers in place of n_h, combined by the
    method of variance estimates recovery, low = mean - sqrt(sum (N_h / N)^2 (mean_h - low_h)^2) and
    so for the upper bound; for shares within a question, whose variance is smaller, it is too wide
    rather than too narrow. Interval of unbounded errors: mean -+ t s with s^2 the sum of
    (N_h / N)^2 (1 - n_h / N_h) s_h^2 / n_h and sum (n_h - 1) degrees of freedom. A population that
    is decided as a whole has no error of sampling: both bounds are the mean.

    Undefined: nothing decided, or nothing in a stratum that has questions. Raises ValueError for
    lengths that differ, a stratum with more decided questions than it has, or errors out of range.

    Source: Horvitz and Thompson (1952), "A Generalization of Sampling Without Replacement From a
    Finite Universe", equation 6; Cochran (1977), "Sampling Techniques", section 5.3; Wilson (1927),
    "Probable inference, the law of succession, and statistical inference"; Zou and Donner (2008),
    "Construction of confidence limits about effect measures: A general approach"; Yan and Su
    (2010), "Stratified Wilson and Newcombe Confidence Intervals for Multiple Binomial Proportions".
    """
    values, names = np.asarray(errors, dtype=np.float64), list(strata)
    _check(values, names, population, bounded=bounded)
    parts = _parts(values, names, population)
    if not len(values):
        return Estimate.missing(NOTHING_DECIDED, n_units=0)
    if len(parts) < sum(size > 0 for size in population.values()):
        return Estimate.missing(STRATUM_UNDECIDED, n_units=len(values))
    mean = float(sum(part.weight * part.mean for part in parts))
    mean = min(mean, 1.0) if bounded else mean
    bounds = _of_shares if bounded else _of_numbers
    low, high, method = bounds(parts, mean, confidence)
    return Estimate(
        value=mean,
        low=low,
        high=high,
        confidence=confidence,
        interval_method=method,
        n_units=len(values),
    )


def _check(
    values: FloatArray, names: list[Hashable], population: Mapping[Any, int], *, bounded: bool
) -> None:
    if len(values) != len(names):
        raise ValueError(f"{len(values)} errors for {len(names)} strata")
    if not np.isfinite(values).all() or (values < 0).any() or (bounded and (values > 1).any()):
        raise ValueError("an error lies outside of its range")
    for name in set(names):
        if names.count(name) > population.get(name, 0):
            raise ValueError(f"stratum {name!r} has fewer questions than were decided")


def _parts(
    values: FloatArray, names: list[Hashable], population: Mapping[Any, int]
) -> list[_Stratum]:
    total = sum(population.values())
    parts = []
    for name, size in population.items():
        errors = values[[each == name for each in names]] if names else values
        if len(errors):
            parts.append(_Stratum(errors, size / total, len(errors) / size))
    return parts


def _of_shares(
    parts: Sequence[_Stratum], mean: float, confidence: float
) -> tuple[float | None, float | None, str]:
    below = above = 0.0
    for part in parts:
        if part.decided < 1:
            size = len(part.errors) / (1 - part.decided)
            low, high = wilson(part.mean, size, confidence)
            below += (part.weight * (part.mean - low)) ** 2
            above += (part.weight * (high - part.mean)) ** 2
    method = f"stratified Wilson, {len(parts)} strata"
    return max(mean - sqrt(below), 0.0), min(mean + sqrt(above), 1.0), method


def _of_numbers(
    parts: Sequence[_Stratum], mean: float, confidence: float
) -> tuple[float | None, float | None, str]:
    open_parts = [part for part in parts if part.decided < 1]
    if not open_parts:
        return mean, mean, "whole population decided"
    if any(len(part.errors) < 2 for part in open_parts):
        return None, None, NO_SPREAD
    from scipy.stats import t

    variance = sum(
        part.weight**2 * (1 - part.decided) * float(part.errors.var(ddof=1)) / len(part.errors)
        for part in open_parts
    )
    freedom = sum(len(part.errors) - 1 for part in open_parts)
    half = float(t.ppf((1 + confidence) / 2, freedom)) * sqrt(variance)
    return max(mean - half, 0.0), mean + half, f"stratified t, {len(parts)} strata"
