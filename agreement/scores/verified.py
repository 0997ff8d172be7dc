"""How good a judge is, from people's answers to a sample that was drawn by its verdicts."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from ..values.coding import FloatArray
from ..values.estimate import Estimate
from .audits import audited_error
from .shares import wilson

NO_YES = "people say yes to no text of the sample"
NO_NO = "people say no to no text of the sample"
NOTHING_THERE = "the judge gives no such verdict"
UNVERIFIED = "people have answered nothing yet in a part of the sample"


@dataclass(frozen=True, kw_only=True)
class VerifiedRates:
    """A judge's verdicts on a whole population, held against people's answers to a sample of it.

    recall: of what people say yes to, the share that the judge says yes to; specificity: the same
    of no. precision: of the judge's yes, the share that people say yes to; negative_precision: the
    same of no. prevalence: share of the population that people say yes to.
    """

    recall: Estimate
    specificity: Estimate
    precision: Estimate
    negative_precision: Estimate
    prevalence: Estimate


@dataclass(frozen=True)
class _Total:
    """A sum over strata that is estimated, and its bounds."""

    value: float
    low: float
    high: float


def verified_rates(
    people: Sequence[float],
    strata: Sequence[Hashable],
    population: Mapping[Any, int],
    *,
    yes: Collection[Any],
    confidence: float = 0.95,
) -> VerifiedRates:
    """A judge's rates in a population whose verdicts are known, from a stratified sample of it.

    With N_h units in stratum h, of which people answered n_h, and p_h the mean of their answers,
    A = sum of N_h p_h over the strata in which the judge says yes, and B the same over the others:
    recall = A / (A + B), precision = A / (units in which the judge says yes), prevalence = (A + B)
    / N. Specificity and negative precision are the same of 1 - p_h. Every unit counts by the
    inverse of the probability n_h / N_h with which it was drawn, so that it does not matter how
    many were drawn of which verdict.

    Parameters
    ----------
    people : (n,) of each answered unit the share of its people who say yes, in [0, 1].
    strata : (n,) the stratum of each, such as the judge's verdict; a stratum has one verdict.
    population : stratum -> N_h, all units that could have been drawn there.
    yes : the strata in which the judge says yes.

    None missing: units that nobody has answered are left out. Returns VerifiedRates in [0, 1],
    n_units counting the answered units behind each. Interval of recall and specificity: Wilson's of
    each stratum with n_h / (1 - n_h / N_h) answers in place of n_h, combined to bounds of A and B,
    and from these to bounds of A / B by the method of variance estimates recovery; of the others
    as for `audited_error`. Undefined: nothing answered in a stratum that has units, no yes (or no)
    of people, or no such verdict. Raises ValueError as `audited_error` does.

    Source: Begg and Greenes (1983), "Assessment of diagnostic tests when disease verification is
    subject to selection bias", Biometrics 39; Horvitz and Thompson (1952); bounds of a ratio:
    Donner and Zou (2012), "Closed-form confidence intervals for functions of the normal mean and
    standard deviation".
    """
    y, names = np.asarray(people, dtype=np.float64), list(strata)
    prevalence = audited_error(y.tolist(), names, population, confidence=confidence)
    said = {name: size for name, size in population.items() if name in yes and size}
    unsaid = {name: size for name, size in population.items() if name not in yes and size}

    def among(values: FloatArray, sizes: Mapping[Any, int]) -> Estimate:
        if not sizes:
            return Estimate.missing(NOTHING_THERE, n_units=0)
        of = [at for at, name in enumerate(names) if name in sizes]
        drawn = [names[at] for at in of]
        return audited_error(values[of].tolist(), drawn, sizes, confidence=confidence)

    def caught(values: FloatArray, own: Mapping[Any, int], other: Mapping[Any, int]) -> Estimate:
        n_units = int((values > 0).sum())
        if set(own) | set(other) > set(names):
            return Estimate.missing(UNVERIFIED, n_units=n_units)
        hit, missed = (_total(values, names, sizes, confidence) for sizes in (own, other))
        if hit.value + missed.value <= 0:
            return Estimate.missing(NO_YES if values is y else NO_NO, n_units=n_units)
        low, high = _bounds_of_share(hit, missed)
        return Estimate(
            value=hit.value / (hit.value + missed.value),
            low=low,
            high=high,
            confidence=confidence,
            interval_method=f"ratio of stratified Wilson totals, {len(own) + len(other)} strata",
            n_units=n_units,
        )

    return VerifiedRates(
        recall=caught(y, said, unsaid),
        specificity=caught(1 - y, unsaid, said),
        precision=among(y, said),
        negative_precision=among(1 - y, unsaid),
        prevalence=prevalence,
    )


def _total(
    values: FloatArray, names: list[Hashable], population: Mapping[Any, int], confidence: float
) -> _Total:
    """The sum over all units of these strata, all of which have answers."""
    value = below = above = 0.0
    for name, size in population.items():
        own = values[[each == name for each in names]]
        mean, drawn = float(own.mean()), len(own) / size
        value += size * mean
        if drawn < 1:
            low, high = wilson(mean, len(own) / (1 - drawn), confidence)
            below += (size * (mean - low)) ** 2
            above += (size * (high - mean)) ** 2
    return _Total(value, max(value - sqrt(below), 0.0), value + sqrt(above))


def _bounds_of_share(hit: _Total, missed: _Total) -> tuple[float, float]:
    """Of hit / (hit + missed)."""
    odds, against = _least_ratio(hit, missed), _least_ratio(missed, hit)
    return 1 - 1 / (1 + odds), 1 / (1 + against)


def _least_ratio(one: _Total, other: _Total) -> float:
    """The lower bound of one / other; infinite where the other is nothing for certain."""
    product = one.value * other.value
    above = one.low * (2 * one.value - one.low)
    below = other.high * (2 * other.value - other.high)
    if above <= 0:
        return 0.0
    root = product + sqrt(max(product**2 - above * below, 0.0))
    return above / root if root else float("inf")
