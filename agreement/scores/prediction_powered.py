"""Prediction-powered inference: one estimate from few human answers and many of a judge."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, inf
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.scales import Scale
from ..values.coding import FloatArray, as_floats
from ..values.estimate import Counts, Estimate
from .inclusion import weighted_mean
from .student import Student

Numbers = Sequence[object] | npt.NDArray[Any]

FEW_ANSWERED = "fewer than two units with a human and a judge's answer"
FEW_REST = "fewer than two units with a judge's answer alone"
# Below either, 95 % intervals cover far less: see docs/statistics.md.
LEAST_ANSWERED, LEAST_APART = 10, 5
TOO_FEW = f"too few sources for an interval: fewer than {LEAST_ANSWERED} with a human answer"
TOO_ALIKE = (
    f"too few sources for an interval: fewer than {LEAST_APART} human answers differ from the rest"
)
NO_SPREAD = "no spread: the human answers alone leave no uncertainty"


@dataclass(frozen=True, kw_only=True)
class PredictionPowered:
    """An estimate from human and judge answers, beside the one from human answers alone.

    estimate, humans_alone: value and Student's interval, in the unit of the answers; n_ratings is
        the number of human answers (pairs of them for a difference).
    tuning: the weight of the judge, 0 not used to 1; None where undefined or where two
        independent estimates have one each.
    equivalent: how many human answers alone would give an interval as narrow.
    saved: `equivalent` minus the human answers there are, rounded down; below 0 where a fixed
        tuning or a small sample made things worse.
    """

    estimate: Estimate
    humans_alone: Estimate
    equivalent: Estimate
    saved: Estimate
    tuning: float | None = None


def ppi_mean(
    human: Numbers,
    judge: Numbers,
    *,
    inclusion: Numbers | None = None,
    tuning: float | None = None,
    ends: tuple[float, float] = (-inf, inf),
    confidence: float = 0.95,
) -> PredictionPowered:
    """Mean human answer over n units that people answered and N that the judge alone did.

    mean = t mean(judge, N) + mean(human - t judge, n), with the squared standard error
    var(t judge, N) / N + var(human - t judge, n) / n. The tuning t that makes it smallest is
    cov(human, judge; n) / ((1 + n / N) var(judge; n and N)), kept within 0 and 1; t = 0 is the
    mean of the human answers, t = 1 trusts the judge fully.

    Parameters
    ----------
    human, judge : (n + N,) numbers in one unit, one place per unit; human is None or NaN where
        nobody answered, and a unit without the judge's answer drops out. Units must be
        independent: average the units of a source first. Those with a human answer must be drawn
        at random.
    inclusion : (n + N,) the probability in (0, 1] of each unit to be answered by people, where it
        is known and not the same for all; the mean is then that of `weighted_mean`, and the tuning
        its own.
    tuning : t in [0, 1]; the best one when left out.
    ends : of the scale of the answers, infinite where there are none.

    Returns a PredictionPowered; intervals take quantiles of Student's t with n - 1 degrees of
    freedom, on the scale of log odds between the ends, by the delta method. The estimate itself may
    lie beyond an end, which people's answers cannot: then it has no interval. Fewer than ten human
    answers, or fewer than five that differ from the commonest one, have no interval, and what they
    save is undefined. Undefined: fewer than two units of either kind. A judge that does not vary is
    not used. Raises ValueError for different lengths, infinite numbers, tuning or confidence out of
    range; TypeError for a value that is not a number.

    Source: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), "Prediction-powered
    inference", algorithm 1; Angelopoulos, Duchi and Zrnic (2023), "PPI++: Efficient
    Prediction-Powered Inference", equation 4 and example 6.1; there variances have divisor n and
    quantiles are normal, which is too narrow for few answers.
    """
    return _report([part_of(human, judge, tuning, inclusion)], confidence, Scale(*ends))


def ppi_proportion(
    human: Numbers, judge: Numbers, *, tuning: float | None = None, confidence: float = 0.95
) -> PredictionPowered:
    """Share of units that people would say yes to, from few of their answers and many of a judge.

    human: (n + N,) of 0 and 1 or booleans, None or NaN where nobody answered. judge: (n + N,) of
    the same or probabilities. All else as for `ppi_mean`, whose formula it is, with the ends 0 and
    1. Undefined where `ppi_mean` is; raises ValueError for a human answer that is
    neither 0 nor 1, and a judge's below 0 or above 1.

    Source: as for `ppi_mean`.
    """
    answers, guesses = as_floats(human), as_floats(judge)
    if not np.isin(answers[~np.isnan(answers)], [0, 1]).all():
        raise ValueError("a proportion is of yes (1) and no (0)")
    made = guesses[~np.isnan(guesses)]
    if len(made) and (made.min() < 0 or made.max() > 1):
        raise ValueError("a judge of a proportion gives 0, 1 or a probability")
    return ppi_mean(answers, guesses, tuning=tuning, ends=(0, 1), confidence=confidence)


def ppi_difference(
    human: Numbers,
    judge: Numbers,
    other_human: Numbers,
    other_judge: Numbers,
    *,
    paired: bool = True,
    tuning: float | None = None,
    reach: float = inf,
    confidence: float = 0.95,
) -> PredictionPowered:
    """Mean of one system minus that of another.

    human, judge : (n + N,) of the first system; other_human, other_judge : (m + M,) of the second,
        as for `ppi_mean`.
    paired : the same units at the same places: the mean of the differences, a human one being
        there where people answered both. Otherwise two independent means, each tuned by itself
        unless `tuning` is given, whose squared standard errors add up, with the fewer degrees of
        freedom.
    reach : the length of the scale, and so the largest difference that there can be.

    Returns a PredictionPowered, positive where the first system has the larger answers.
    `equivalent` and `saved` count human answers, both systems together where not paired and pairs
    where paired. Undefined, None and errors as for `ppi_mean`; ValueError for paired systems of
    different length.

    Source: as for `ppi_mean`.
    """
    if not paired:
        first, second = part_of(human, judge, tuning), part_of(other_human, other_judge, tuning)
        return _report([first, second], confidence, Scale(-reach, reach))
    sides = [as_floats(side) for side in (human, judge, other_human, other_judge)]
    if len({len(side) for side in sides}) > 1:
        raise ValueError("paired systems differ in length")
    part = part_of(sides[0] - sides[2], sides[1] - sides[3], tuning)
    return _report([part], confidence, Scale(-reach, reach))


@dataclass(frozen=True)
class PoweredMean:
    """One mean: value and squared standard error, with the judge and without."""

    n_units: int
    n_human: int
    undefined: str | None = None
    unsure: str | None = None
    tuning: float = 0.0
    value: float = 0.0
    error: float = 0.0
    alone: float = 0.0
    alone_error: float = 0.0
    weighted: bool = False


def part_of(
    human: Numbers,
    judge: Numbers,
    tuning: float | None = None,
    inclusion: Numbers | None = None,
) -> PoweredMean:
    """One mean, as `ppi_mean` describes it."""
    if tuning is not None and not 0 <= tuning <= 1:
        raise ValueError("tuning must lie within 0 and 1")
    answers, guesses = as_floats(human), as_floats(judge)
    if len(answers) != len(guesses):
        raise ValueError(f"{len(answers)} human answers for {len(guesses)} of the judge")
    judged, answered = ~np.isnan(guesses), ~np.isnan(answers)
    y, f, rest = answers[judged & answered], guesses[judged & answered], guesses[judged & ~answered]
    if len(y) < 2 or len(rest) < 2:
        reason = FEW_ANSWERED if len(y) < 2 else FEW_REST
        return PoweredMean(int(judged.sum()), len(y), undefined=reason)
    chances = None if inclusion is None else as_floats(inclusion)[judged & answered]
    if chances is not None and np.ptp(chances) > 0:
        return _weighted(y, f, guesses[judged], chances)
    t = _best_tuning(y, f, rest) if tuning is None else tuning
    corrected = y - t * f
    return PoweredMean(
        n_units=len(y) + len(rest),
        n_human=len(y),
        unsure=why_too_few(y),
        tuning=t,
        value=float(t * rest.mean() + corrected.mean()),
        error=float(t * t * rest.var(ddof=1) / len(rest) + corrected.var(ddof=1) / len(y)),
        alone=float(y.mean()),
        alone_error=float(y.var(ddof=1) / len(y)),
    )


def _weighted(
    y: FloatArray, f: FloatArray, all_judge: FloatArray, chances: FloatArray
) -> PoweredMean:
    powered = weighted_mean(y, f, all_judge, chances)
    alone = weighted_mean(y, np.zeros(len(y)), np.zeros(2), chances)
    return PoweredMean(
        n_units=len(all_judge),
        n_human=len(y),
        unsure=why_too_few(y),
        tuning=powered.tuning,
        value=powered.value,
        error=powered.error,
        alone=alone.value,
        alone_error=alone.error,
        weighted=True,
    )


def why_too_few(answers: FloatArray) -> str | None:
    """Why the spread of these answers says too little for an interval; None where it does not."""
    if len(answers) < LEAST_ANSWERED:
        return TOO_FEW
    commonest = int(np.unique(answers, return_counts=True)[1].max())
    return TOO_ALIKE if len(answers) - commonest < LEAST_APART else None


def _best_tuning(y: FloatArray, f: FloatArray, rest: FloatArray) -> float:
    spread = float(np.concatenate([f, rest]).var(ddof=1))
    if spread == 0:
        return 0.0
    together = float(((y - y.mean()) * (f - f.mean())).mean())
    return min(1.0, max(0.0, together / ((1 + len(y) / len(rest)) * spread)))


def _report(parts: list[PoweredMean], confidence: float, scale: Scale) -> PredictionPowered:
    """One mean, or the first minus the second."""
    if not 0 < confidence < 1:
        raise ValueError("confidence must lie between 0 and 1")
    n = Counts(n_units=sum(p.n_units for p in parts), n_ratings=sum(p.n_human for p in parts))
    reasons = [part.undefined for part in parts if part.undefined is not None]
    if reasons:
        none = Estimate.missing(reasons[0], **n)
        return PredictionPowered(estimate=none, humans_alone=none, equivalent=none, saved=none)
    signs = [1, -1][: len(parts)]
    value = sum(sign * part.value for sign, part in zip(signs, parts, strict=True))
    alone = sum(sign * part.alone for sign, part in zip(signs, parts, strict=True))
    error, alone_error = sum(p.error for p in parts), sum(p.alone_error for p in parts)
    human, judged = n["n_ratings"], n["n_units"] - n["n_ratings"]
    tuned = ", ".join(f"{part.tuning:.3g}" for part in parts)
    text = f"Student, PPI++ of {human} human and {judged} further judge answers, tuning {tuned}"
    text += ", weighted by 1 / probability" if any(part.weighted for part in parts) else ""
    interval = Student(
        confidence=confidence,
        degrees=min(part.n_human for part in parts) - 1,
        none=next((part.unsure for part in parts if part.unsure is not None), ""),
        scale=scale,
    )
    equivalent, saved = _savings(human, error, alone_error, n, interval.none)
    return PredictionPowered(
        estimate=interval.around(value, error, text, n),
        humans_alone=interval.around(alone, alone_error, f"Student, {human} human answers", n),
        equivalent=equivalent,
        saved=saved,
        tuning=parts[0].tuning if len(parts) == 1 else None,
    )


def _savings(
    human: int, error: float, alone_error: float, n: Counts, unsure: str
) -> tuple[Estimate, Estimate]:
    """Width goes with 1 / sqrt(n): n alone_error / error answers alone would be as good."""
    if unsure:
        nothing = Estimate.missing(unsure, **n)
        return nothing, nothing
    if error == 0 or alone_error == 0:
        nothing = Estimate.missing(NO_SPREAD, **n)
        return nothing, nothing
    equivalent = human * alone_error / error
    saved = floor(equivalent - human + 1e-9)  # a judge that is not used saves 0, not -1
    return Estimate(value=equivalent, **n), Estimate(value=float(saved), **n)
