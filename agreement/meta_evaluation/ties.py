"""Pairwise accuracy of single texts with calibrated ties: who is better, or neither."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap
from ..scores.means import mean_by
from ..values.coding import FloatArray, IntArray, as_floats, code_ids
from ..values.estimate import Estimate
from ..values.ratings import Ids

NO_PAIRS = "no source with two texts that both rated"
# More pairs of texts take seconds.
MOST_PAIRS = 2_000_000
TOO_MANY = f"more than {MOST_PAIRS:,} pairs of texts"
# Differences of no more than this share of the largest number are rounding.
ROUNDING = 1e-9

Numbers = Sequence[object] | npt.NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class TiedAccuracy:
    """accuracy: with the tie threshold that makes it largest. threshold: on the judge's scale."""

    accuracy: Estimate
    threshold: Estimate


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of texts of one source. people, judge: (P,) the first's number minus the second's, 0
    where that is rounding. source: (P,) codes. weight: (P,) of each, those of a source being 1."""

    people: FloatArray
    judge: FloatArray
    source: IntArray
    weight: FloatArray


def tie_calibrated_accuracy(
    people: Numbers,
    judge: Numbers,
    *,
    sources: Ids,
    bootstrap: Bootstrap | None = None,
) -> TiedAccuracy:
    """How often a judge says of two texts of one source what people say: better, worse, or tied.

    The judge ties two texts whose numbers differ by the threshold or less; the threshold is the
    one, of all differences that occur and 0, with the highest accuracy, the lowest of several.
    Within each source the share of pairs with the same of three relations, then the plain mean over
    sources: (C + T_both) / all pairs, with C pairs in the same order.

    Parameters
    ----------
    people, judge : (N,) numbers in units of their own; a text with a missing one (None or NaN)
        drops out.
    sources : (N,) ids; what the interval resamples as well.
    bootstrap : as for `alpha`; the threshold is held fixed.

    Returns a TiedAccuracy: the accuracy in [0, 1], the threshold from 0 upwards, without interval.
    The threshold is found on the same texts, so the accuracy is a little too high for new ones.
    n_units counts sources, n_ratings pairs of texts. Undefined: no source with two texts; more than
    two million pairs. Raises ValueError for different lengths and infinite numbers.

    Source: Deutsch, Foster and Freitag (2023), "Ties Matter: Meta-Evaluating Modern Metrics with
    Pairwise Accuracy and Tie Calibration", sections 5 and 6.
    """
    x, y = as_floats(people), as_floats(judge)
    if {len(y), len(sources)} != {len(x)}:
        raise ValueError("numbers and ids differ in length")
    both = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
    found = _pairs(x[both], y[both], code_ids(sources)[0][both])
    if isinstance(found, str):
        nothing = Estimate.missing(found, n_units=0)
        return TiedAccuracy(accuracy=nothing, threshold=nothing)
    threshold = _threshold(found)
    tied = np.abs(found.judge) <= threshold
    right = np.where(tied, found.people == 0, np.sign(found.judge) == np.sign(found.people))
    n_units = len(np.unique(found.source))
    accuracy = mean_by(right.astype(float), found.source, ends=(0, 1), bootstrap=bootstrap)
    return TiedAccuracy(
        accuracy=replace(accuracy, sd=None, sd_ddof=None, n_units=n_units, n_ratings=len(right)),
        threshold=Estimate(value=threshold, n_units=n_units, n_ratings=len(right)),
    )


def _pairs(x: FloatArray, y: FloatArray, source: IntArray) -> _Pairs | str:
    """Every two texts of a source; why there are none, or too many."""
    order = np.argsort(source, kind="stable")
    x, y, source = x[order], y[order], source[order]
    sizes = np.bincount(source)
    if int((sizes * (sizes - 1) // 2).sum()) > MOST_PAIRS:
        return TOO_MANY
    at, firsts, seconds = np.arange(len(x)), [], []
    for step in range(1, int(sizes.max(initial=0))):
        at = at[at + step < len(x)]
        at = at[source[at + step] == source[at]]
        firsts.append(at)
        seconds.append(at + step)
    if not firsts:
        return NO_PAIRS
    one, other = np.concatenate(firsts), np.concatenate(seconds)
    of = source[one]
    weight = 1 / np.bincount(of)[of]
    return _Pairs(_apart(x, one, other), _apart(y, one, other), of, weight)


def _apart(numbers: FloatArray, one: IntArray, other: IntArray) -> FloatArray:
    apart = numbers[one] - numbers[other]
    return np.where(np.abs(apart) <= ROUNDING * float(np.abs(numbers).max()), 0.0, apart)


def _threshold(pairs: _Pairs) -> float:
    """The tie threshold with the highest accuracy: ties of people gained, orders lost, in turn."""
    size = np.abs(pairs.judge)
    order = np.argsort(size, kind="stable")
    size, weight = size[order], pairs.weight[order]
    people, judge = np.sign(pairs.people[order]), np.sign(pairs.judge[order])
    in_order = (people == judge) & (judge != 0)
    gained = np.cumsum(weight * (people == 0)) - np.cumsum(weight * in_order)
    last = np.append(np.diff(size) > ROUNDING * size[-1], True)
    thresholds, gains = size[last], gained[last]
    if thresholds[0] > 0:
        thresholds, gains = np.append(0.0, thresholds), np.append(0.0, gains)
    return float(thresholds[np.flatnonzero(gains >= gains.max() - ROUNDING)[0]])
