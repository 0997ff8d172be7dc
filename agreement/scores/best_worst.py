"""Best-worst scores: what was put first and last among the things of a set."""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap
from ..values.coding import FloatArray, IntArray, as_floats, code_ids
from ..values.estimate import Estimate
from ..values.ratings import Ids
from .means import mean_by

Numbers = Sequence[object] | npt.NDArray[Any]

# Of two things the one that is not the best is the worst: they are compared, not scaled.
SMALLEST_SET = 3
FEWEST_ITEMS = 3
FEW_ITEMS = "fewer than three items in both halves"
ALIKE = "the scores of a half do not vary"


class BestWorst(NamedTuple):
    """score: of each item, its id as given. reliability: of scores by halves of the raters."""

    score: dict[Hashable, Estimate]
    reliability: Estimate


def best_worst(
    units: Ids,
    raters: Ids,
    items: Ids,
    ranks: Numbers,
    *,
    clusters: Ids | None = None,
    splits: int = 100,
    seed: int = 0,
    bootstrap: Bootstrap | None = None,
) -> BestWorst:
    """How much more often an item comes first than last in the sets that it is in.

    The score is (times best - times worst) / appearances. Where k items share the first or the last
    place each has 1 / k of it. Reliability is the mean over `splits` random halves of each unit's
    raters of Pearson's r between the scores of the two halves; it is not stepped up to the whole.

    Parameters
    ----------
    units, raters, items : (N,) ids; a rater's ranks of a unit are one set of items.
    ranks : (N,) numbers, lower is better; a set with a missing one (None or NaN) drops out, as do
        sets of fewer than three.
    clusters : (N,) ids of what is resampled; the units when left out.
    bootstrap : as for `mean_by`, of each score; reliability has no interval.

    Returns BestWorst: scores in [-1, 1], n_ratings being appearances; reliability in [-1, 1],
    undefined for fewer than three items in both halves, which takes units of two raters, or where
    the scores of a half do not vary. Raises ValueError for different lengths, infinite ranks or
    fewer than one split; TypeError for a rank that is no number.

    Source: Orme (2009), "MaxDiff Analysis: Simple Counting, Individual-Level Logit, and HB"; Finn
    and Louviere (1992), "Determining the Appropriate Response to Evidence of Public Concern";
    reliability as in Kiritchenko and Mohammad (2017), "Best-Worst Scaling More Reliable than Rating
    Scales", section 4.
    """
    numbers = as_floats(ranks)
    columns = (units, raters, items, *([] if clusters is None else [clusters]))
    if any(len(column) != len(numbers) for column in columns):
        raise ValueError("units, raters, items, ranks and clusters differ in length")
    if splits < 1:
        raise ValueError("reliability takes one split or more")
    unit, item = code_ids(units)[0], code_ids(items)[0]
    set_ = code_ids(unit * (len(numbers) + 1) + code_ids(raters)[0])[0]
    points, whole = _points(set_, numbers)
    cluster = unit if clusters is None else code_ids(clusters)[0]
    names = {code: items[at] for at, code in enumerate(item.tolist())}
    scores = {
        names[code]: mean_by(
            points[of],
            clusters=cluster[of],
            units=unit[of],
            raters=code_ids(raters)[0][of],
            ends=(-1.0, 1.0),
            bootstrap=bootstrap,
        )
        for code in np.unique(item[whole]).tolist()
        for of in [whole & (item == code)]
    }
    drawn = np.random.default_rng(seed)
    reliability = _reliability(
        unit[whole], set_[whole], item[whole], points[whole], splits=splits, drawn=drawn
    )
    return BestWorst(scores, reliability)


def _points(set_: IntArray, ranks: FloatArray) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """1 for the best of its set, -1 for the worst, shared where several are; and which count."""
    n_sets = int(set_.max(initial=-1)) + 1
    size, missing = np.bincount(set_), np.bincount(set_, weights=np.isnan(ranks))
    whole = ((size >= SMALLEST_SET) & (missing == 0))[set_]
    points, ranks = np.zeros(len(ranks)), np.nan_to_num(ranks)
    for sign in (1, -1):
        end = np.full(n_sets, np.inf)
        np.minimum.at(end, set_, sign * ranks)
        at_end = sign * ranks == end[set_]
        shared = np.bincount(set_, weights=at_end)
        points[at_end] += sign / shared[set_[at_end]]
    return points, np.asarray(whole)


def _reliability(
    unit: IntArray,
    set_: IntArray,
    item: IntArray,
    points: FloatArray,
    *,
    splits: int,
    drawn: np.random.Generator,
) -> Estimate:
    sets, which = np.unique(set_, return_inverse=True)
    unit_of_set = np.zeros(len(sets), dtype=np.int64)
    unit_of_set[which] = unit
    found = [_halves(unit_of_set, which, item, points, drawn) for _ in range(splits)]
    items = min((len(first) for first, _ in found), default=0)
    if items < FEWEST_ITEMS:
        return Estimate.missing(FEW_ITEMS, n_units=items)
    if any(not np.ptp(half) for halves in found for half in halves):
        return Estimate.missing(ALIKE, n_units=items)
    each = [float(np.corrcoef(first, second)[0, 1]) for first, second in found]
    return Estimate(value=float(np.mean(each)), n_units=items, n_ratings=len(points))


def _halves(
    unit_of_set: IntArray,
    which: IntArray,
    item: IntArray,
    points: FloatArray,
    drawn: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """Scores of the items that both halves have, of the raters of each unit dealt out by turns in a
    random order, so that which half has one more is random too."""
    order = np.lexsort((drawn.random(len(unit_of_set)), unit_of_set))
    start = np.diff(unit_of_set[order], prepend=-1) != 0
    first = np.flatnonzero(start)[np.cumsum(start) - 1]
    half = np.zeros(len(unit_of_set), dtype=np.int64)
    turn = drawn.integers(0, 2, int(unit_of_set.max(initial=0)) + 1)
    half[order] = (np.arange(len(order)) - first + turn[unit_of_set[order]]) % 2
    n_items = int(item.max(initial=-1)) + 1
    key = half[which] * n_items + item
    sums = np.bincount(key, weights=points, minlength=2 * n_items).reshape(2, n_items)
    sizes = np.bincount(key, minlength=2 * n_items).reshape(2, n_items)
    both = (sizes > 0).all(axis=0)
    scores = sums[:, both] / sizes[:, both]
    return scores[0], scores[1]
