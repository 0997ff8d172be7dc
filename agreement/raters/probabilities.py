"""Whether a judge's probabilities mean what they say: Brier score, calibration error and curve."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap
from ..scores.means import mean_by
from ..scores.shares import share_of
from ..values.coding import FloatArray, IntArray, as_floats, code_ids
from ..values.estimate import Estimate
from ..values.ratings import Ids

Numbers = Sequence[object] | npt.NDArray[Any]

BINS = 10
ROUNDING = 1e-9  # 0.3 x 10 is a hair below 3
NOTHING = "no unit with a probability and an outcome"
BIASED = "none: the error is 0 or more, and resampling would raise it"


@dataclass(frozen=True, kw_only=True)
class Bin:
    """The units with a probability from low to high (below it, but in the last bin).

    predicted: their mean probability. observed: their mean outcome.
    """

    low: float
    high: float
    predicted: Estimate
    observed: Estimate


@dataclass(frozen=True, kw_only=True)
class ProbabilityScores:
    """brier: mean squared difference of probability and outcome. calibration_error: mean over
    units of how far the two means of their bin lie apart. bins: those with units."""

    brier: Estimate
    calibration_error: Estimate
    bins: tuple[Bin, ...]


def probability_scores(
    probabilities: Numbers,
    outcomes: Numbers,
    *,
    clusters: Ids | None = None,
    bins: int = BINS,
    bootstrap: Bootstrap | None = None,
) -> ProbabilityScores:
    """Brier score, expected calibration error and calibration curve of probabilities of yes.

    Parameters
    ----------
    probabilities : (N,) in [0, 1], None or NaN where missing (the unit drops out).
    outcomes : (N,) likewise: 1 yes, 0 no, or the share of yes where a unit has several answers.
    clusters : (N,) ids of what is resampled, usually the source; each unit when left out.
    bins : of equal width, 1 or more.
    bootstrap : as for `alpha`, for the Brier score; shares have the intervals of `share_of`.

    Returns ProbabilityScores, every figure in [0, 1]; n_units counts units. The calibration error
    has no interval: it is biased upwards in small samples, and resampling adds to that. Undefined:
    no unit. Raises ValueError for a probability or an outcome outside of 0 and 1, for different
    lengths, and for less than one bin.

    Source: Brier (1950), "Verification of forecasts expressed in terms of probability"; Naeini,
    Cooper and Hauskrecht (2015), "Obtaining well calibrated probabilities using Bayesian binning".
    """
    if bins < 1:
        raise ValueError("at least one bin")
    pairs = _Pairs.of(probabilities, outcomes, clusters)
    if not len(pairs.said):
        nothing = Estimate.missing(NOTHING, n_units=0)
        return ProbabilityScores(brier=nothing, calibration_error=nothing, bins=())
    squared = (pairs.said - pairs.truth) ** 2
    brier = mean_by(squared, clusters=pairs.cluster, ends=(0, 1), bootstrap=bootstrap)
    filled = tuple(pairs.bins(bins, bootstrap))
    return ProbabilityScores(
        brier=replace(brier, sd=None, sd_ddof=None),
        calibration_error=_error(filled, len(squared), bootstrap),
        bins=filled,
    )


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Probability, outcome and cluster of each unit: (N,)."""

    said: FloatArray
    truth: FloatArray
    cluster: IntArray

    @classmethod
    def of(cls, probabilities: Numbers, outcomes: Numbers, clusters: Ids | None) -> "_Pairs":
        said, truth = as_floats(probabilities), as_floats(outcomes)
        cluster = np.arange(len(said)) if clusters is None else code_ids(clusters)[0]
        if {len(truth), len(cluster)} != {len(said)}:
            raise ValueError("probabilities, outcomes and clusters differ in length")
        both = ~np.isnan(said) & ~np.isnan(truth)
        for name, numbers in (("probability", said[both]), ("outcome", truth[both])):
            if len(numbers) and not 0 <= numbers.min() <= numbers.max() <= 1:
                raise ValueError(f"a {name} lies within 0 and 1")
        return cls(said[both], truth[both], cluster[both])

    def bins(self, bins: int, bootstrap: Bootstrap | None) -> Iterator[Bin]:
        """Those with units."""
        which = np.minimum((self.said * bins + ROUNDING).astype(np.int64), bins - 1)
        for at in np.unique(which).tolist():
            own = np.flatnonzero(which == at)
            sizes, cluster = np.ones(len(own)), self.cluster[own]
            predicted = Estimate(value=float(self.said[own].mean()), n_units=len(own))
            observed = share_of(self.truth[own], sizes, cluster, bootstrap, missing_reason=NOTHING)
            yield Bin(low=at / bins, high=(at + 1) / bins, predicted=predicted, observed=observed)


def _error(bins: tuple[Bin, ...], n: int, bootstrap: Bootstrap | None) -> Estimate:
    apart = [
        abs(float(each.predicted) - float(each.observed)) * (each.predicted.n_units or 0)
        for each in bins
    ]
    error = Estimate(value=sum(apart) / n, n_units=n)
    if bootstrap is None:
        return error
    return replace(error, confidence=bootstrap.confidence, interval_method=BIASED)
