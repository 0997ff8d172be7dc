"""Prediction-powered means where units differ in how likely they were to be answered by people."""

from math import inf

import numpy as np
import numpy.typing as npt

from ..bootstrap.scales import Scale
from ..values.coding import FloatArray, IntArray, as_floats
from ..values.estimate import Counts, Estimate
from .prediction_powered import (
    NO_SPREAD,
    Numbers,
    PoweredMean,
    part_of,
    why_too_few,
)
from .student import Student

# Answered units that a stratum needs, and strata tried, the most first.
LEAST_IN_STRATUM, MOST_STRATA = 5, 5
ONE_STRATUM = (
    f"fewer than two strata with {LEAST_IN_STRATUM} answered units and two others, by the judge's "
    "scores"
)


def ppi_stratified(
    human: Numbers,
    judge: Numbers,
    *,
    ends: tuple[float, float] = (-inf, inf),
    confidence: float = 0.95,
) -> Estimate:
    """Mean human answer, prediction-powered within strata of the judge's scores.

    mean = sum W_k mean_k, with W_k the share of all N units in stratum k and mean_k that of
    `ppi_mean` in it. Its squared standard error is
    sum W_k^2 error_k + sum W_k (mean_k - mean)^2 / N
    where the second sum is there since the units are a sample, and the W_k with them. Where
    people answered units that the judge scores higher (or lower) than the others, the plain mean
    is wrong and this one nearly right, as far as answered units are like the others of their
    stratum.

    Strata are of equal size by the judge's scores (those with one score stay together), as many as
    there can be, five at most, with five answered units and two others in each.

    Parameters : as for `ppi_mean`.

    Returns an Estimate in the unit of the answers, n_units counting all units, n_ratings those
    that people answered; the interval takes Student's t with Satterthwaite's degrees of freedom.
    It has none where `ppi_mean` has none for too few or too similar answers. Undefined: fewer than
    two such strata. None, NaN and errors as for `ppi_mean`.

    Source: Fisch, Maynez, Hofer, Dhingra, Globerson and Cohen (2024), "Stratified
    prediction-powered inference for hybrid language model evaluation"; strata of equal size;
    degrees of freedom: Satterthwaite (1946).
    """
    answers, guesses = as_floats(human), as_floats(judge)
    if len(answers) != len(guesses):
        raise ValueError(f"{len(answers)} human answers for {len(guesses)} of the judge")
    if not 0 < confidence < 1:
        raise ValueError("confidence must lie between 0 and 1")
    judged = ~np.isnan(guesses)
    y, f = answers[judged], guesses[judged]
    answered = ~np.isnan(y)
    n = Counts(n_units=len(y), n_ratings=int(answered.sum()))
    stratum = _strata(f, answered)
    if stratum is None:
        return Estimate.missing(ONE_STRATUM, **n)
    parts = [part_of(y[stratum == k], f[stratum == k]) for k in range(int(stratum.max()) + 1)]
    return _together(parts, why_too_few(y[answered]), Scale(*ends), confidence, n)


def _together(
    parts: list[PoweredMean], unsure: str | None, scale: Scale, confidence: float, n: Counts
) -> Estimate:
    """The strata's means, weighted by their sizes, which are those of a sample as well."""
    weights = np.array([part.n_units for part in parts]) / n["n_units"]
    means = np.array([part.value for part in parts])
    value = float((weights * means).sum())
    within = weights**2 * [part.error for part in parts]
    between = float((weights * (means - value) ** 2).sum()) / n["n_units"]
    error = float(within.sum()) + between
    text = f"Student, PPI++ in {len(parts)} strata of the judge's scores"
    parts_of_it = [*within, between]
    freedom = [*(part.n_human - 1 for part in parts), n["n_units"] - 1]
    spread = sum(part**2 / df for part, df in zip(parts_of_it, freedom, strict=True))
    none = unsure or ("" if within.sum() else NO_SPREAD)
    degrees = error**2 / spread if spread else 1.0
    return Student(confidence, degrees, none, scale).around(value, error, text, n)


def _strata(f: FloatArray, answered: npt.NDArray[np.bool_]) -> IntArray | None:
    """The stratum of each unit, 0..K-1; None where there cannot be two."""
    for number in range(MOST_STRATA, 1, -1):
        cuts = np.unique(np.quantile(f, np.arange(1, number) / number)) if len(f) else f
        stratum = np.searchsorted(cuts, f, side="left")
        _, stratum = np.unique(stratum, return_inverse=True)
        strata = int(stratum.max(initial=0)) + 1
        inside = np.bincount(stratum[answered], minlength=strata)
        others = np.bincount(stratum[~answered], minlength=strata)
        if strata > 1 and inside.min() >= LEAST_IN_STRATUM and others.min() >= 2:
            return stratum.astype(np.int64)
    return None
