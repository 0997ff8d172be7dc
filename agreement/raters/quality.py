"""Signs of careless work: long runs of equal answers, and little agreement with other raters."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..chance_corrected.distances import Distance, distance_named
from ..chance_corrected.krippendorff import alpha
from ..values.coding import FloatArray, IntArray, code_ids, code_values
from ..values.estimate import Counts, Estimate
from ..values.ratings import (
    FEWEST_UNITS,
    NO_PAIRS,
    NO_RATINGS,
    ONE_RATER,
    Ids,
    TidyRatings,
    Values,
    few_units,
    read_ratings,
)

FEW_ANSWERS = "fewer than two answers"


def straight_lining(values: Sequence[object] | npt.NDArray[Any]) -> Estimate:
    """Longest run of equal answers of one worker, as a share of the answers.

    values: (n,) the worker's answers in the order in which they were given, any hashables; None
    and NaN are missing, and what stands before and after a missing one counts as in sequence.

    Returns an Estimate in (0, 1], 1 for a worker who gave the same answer throughout; n_ratings
    is n without the missing. Undefined: fewer than two answers. No interval. What share is
    suspicious depends on how often the right answer changes: compare workers of one batch.

    Source: Johnson (2005), "Ascertaining the validity of individual protocols from Web-based
    personality inventories" (long strings).
    """
    codes, _ = code_values(values, "label")
    codes = codes[codes >= 0]
    if len(codes) < 2:
        return Estimate.missing(FEW_ANSWERS, n_ratings=len(codes))
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    longest = int(np.diff(starts, append=len(codes)).max())
    return Estimate(value=longest / len(codes), n_raters=1, n_ratings=len(codes))


def agreement_with_others(
    units: Ids, raters: Ids, values: Values, *, distance: str, least: int = FEWEST_UNITS
) -> dict[Hashable, Estimate]:
    """Each rater's agreement with the others on the same units, corrected for chance as alpha is.

    a_r = 1 - D_r / D_e: D_r the mean distance of a rating by r to the others' ratings of its unit,
    mean over r's ratings; D_e the distance that `alpha` expects of two ratings of the table. So 1
    is full agreement, 0 what a rating drawn at random would have, and alpha is the mean of the
    a_r, weighted by the raters' numbers of ratings.

    Parameters : as for `alpha`; `least` is of a rater's own units, too.

    Returns rater -> Estimate of at most 1, raters in order of appearance, ratings of units that
    nobody else rated left out; n_units and n_ratings count the rater's own, n_raters the others
    met. Undefined: a rater without ratings ("no ratings") or with fewer than `least` units in
    common; everywhere where `alpha` is. None and NaN are missing ratings. No interval.
    Errors as for `alpha`.

    Source: Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", taken apart by rater.
    """
    measure = distance_named(distance)
    tidy = read_ratings(units, raters, values, kind=measure.kind)
    names = list(dict.fromkeys(raters))
    rater = dict(zip(raters, code_ids(raters)[0].tolist(), strict=True))
    whole = alpha(units, raters, values, distance=distance, least=least)
    shared = tidy.of(np.bincount(tidy.unit)[tidy.unit] >= 2)
    apart = _mean_distances(shared, measure)
    overall = float(apart.mean()) if len(apart) else 0.0
    rows, met = _rows_of_raters(shared), _Met(shared)

    def of_rater(code: int) -> Estimate:
        own = rows.get(code, np.zeros(0, dtype=np.int64))
        n_own = len(own)
        if not n_own:
            rated = int((tidy.rater == code).sum())
            lonely = ONE_RATER if whole.undefined == ONE_RATER else NO_PAIRS
            return Estimate.missing(lonely if rated else NO_RATINGS, n_units=rated, n_ratings=rated)
        n = Counts(n_units=n_own, n_ratings=n_own)
        if whole.value is None:
            return Estimate(undefined=whole.undefined, **n)
        if n_own < least:
            return Estimate(undefined=few_units(least), **n)
        # alpha = 1 - D_o / D_e with D_o the mean of `apart`; where D_o is 0 every D_r is.
        worse = float(apart[own].mean()) / overall if overall else 0.0
        n["n_raters"] = met.by(own)
        return Estimate(value=1 - (1 - whole.value) * worse, **n)

    return {name: of_rater(rater[name]) for name in names}


def _rows_of_raters(tidy: TidyRatings) -> dict[int, IntArray]:
    """Rater -> the places of its ratings."""
    by_rater = np.argsort(tidy.rater, kind="stable")
    codes, starts = np.unique(tidy.rater[by_rater], return_index=True)
    return dict(zip(codes.tolist(), np.split(by_rater, starts[1:]), strict=False))


class _Met:
    """How many others rated any of the units of some ratings."""

    def __init__(self, tidy: TidyRatings) -> None:
        self.tidy, self.by_unit = tidy, np.argsort(tidy.unit, kind="stable")
        self.sizes = np.bincount(tidy.unit)
        self.starts = np.cumsum(self.sizes) - self.sizes

    def by(self, own: IntArray) -> int:
        units = self.tidy.unit[own]
        size = self.sizes[units]
        step = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        together = self.by_unit[np.repeat(self.starts[units], size) + step]
        return len(np.unique(self.tidy.rater[together])) - 1


def _mean_distances(tidy: TidyRatings, measure: Distance) -> FloatArray:
    """Mean distance of each rating to the other ratings of its unit: (N,)."""
    order = np.argsort(tidy.unit, kind="stable")
    unit, total = tidy.unit[order], np.zeros(len(order))
    between = _between(tidy, measure)
    first = np.arange(len(order))
    for step in range(1, len(order)):  # every pair of a unit once, by how far apart they stand
        first = first[first + step < len(order)]
        first = first[unit[first + step] == unit[first]]
        if not len(first):
            break
        apart = between(order[first], order[first + step])
        total += np.bincount(first, apart, len(order))
        total += np.bincount(first + step, apart, len(order))
    mean = np.empty(len(order))
    mean[order] = total / (np.bincount(unit)[unit] - 1) if len(order) else 0.0
    return mean


def _between(tidy: TidyRatings, measure: Distance) -> Callable[[IntArray, IntArray], FloatArray]:
    """Distances between ratings, by their places."""
    if measure.form != "ranks":
        return lambda i, j: measure.between(tidy.domain, tidy.code[i], tidy.code[j])
    counts = np.bincount(tidy.code).astype(np.float64)
    ranks = np.cumsum(counts) - counts / 2  # of this table, as alpha takes them
    return lambda i, j: np.asarray((ranks[tidy.code[i]] - ranks[tidy.code[j]]) ** 2)
