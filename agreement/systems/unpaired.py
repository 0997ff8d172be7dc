"""Two systems on different inputs: no source has both, so nothing is paired."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap
from ..bootstrap.resampling import CELLS
from ..scores.contrasts import contrast
from ..values.coding import FloatArray, as_floats, code_ids
from ..values.estimate import Estimate
from ..values.ratings import Ids
from .effect_sizes import superiority_of

NO_FIGURE = "one of the systems has no figure"
ONE_SOURCE = "fewer than two sources of a system"

Numbers = Sequence[object] | npt.NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class UnpairedComparison:
    """difference: mean over the first's sources minus that over the second's. permutation_p,
    mann_whitney_p: two-sided. superiority: how often a source of the first has the higher mean."""

    difference: Estimate
    permutation_p: Estimate
    mann_whitney_p: Estimate
    superiority: Estimate


def unpaired_comparison(
    first: Numbers,
    second: Numbers,
    *,
    first_sources: Ids,
    second_sources: Ids,
    reach: float = float("inf"),
    permutations: int = 1000,
    seed: int = 0,
    bootstrap: Bootstrap | None = None,
) -> UnpairedComparison:
    """Two systems by the means of their own sources, which are other ones for each.

    permutation_p: sources with all their ratings are dealt out to the two systems again and again;
    the share of deals, the data included, whose difference of means is at least as far from 0.
    mann_whitney_p: of the ranks of the sources' means, exact for eight sources of a system or less
    without ties, else by the normal approximation with ties and continuity corrected.

    Parameters
    ----------
    first, second : (n,), (m,) ratings in one unit; missing ones (None or NaN) drop out.
    first_sources, second_sources : of each rating. No source may be of both systems: pair those.
    reach : as for `contrast`, whose t interval over sources the difference has.
    permutations : how many are drawn, 1 or more. seed : of the random numbers.
    bootstrap : of the superiority, a jackknife over sources; None for no intervals at all.

    n_units counts sources of both. Undefined: a system without a rating; of the tests, fewer than
    two sources of a system. What differs may be the sources and not the systems. Raises ValueError
    for different lengths, infinite numbers, and a source of both systems.

    Source: Fisher (1935), "The Design of Experiments"; Mann and Whitney (1947), "On a test of
    whether one of two random variables is stochastically larger than the other"; Phipson and Smyth
    (2010), "Permutation P-values Should Never Be Zero".
    """
    sides = [_means(first, first_sources), _means(second, second_sources)]
    if {*first_sources} & {*second_sources}:
        raise ValueError("a source has both systems: compare them on the same sources")
    x, y = sides
    n_units = len(x) + len(y)
    if not len(x) or not len(y):
        nothing = Estimate.missing(NO_FIGURE, n_units=n_units)
        return UnpairedComparison(
            difference=nothing, permutation_p=nothing, mann_whitney_p=nothing, superiority=nothing
        )
    both, own = np.concatenate(sides), np.arange(n_units) < len(x)
    apart = contrast(both, own, reach=reach, confidence=bootstrap.confidence if bootstrap else 0.95)
    difference = Estimate(value=apart.estimate.value, n_units=n_units)
    if bootstrap is not None:
        difference = Estimate(**{**vars(apart.estimate), "n_units": n_units})
    superiority = superiority_of(
        x,
        y,
        first_clusters=range(len(x)),
        second_clusters=range(len(x), n_units),
        bootstrap=bootstrap,
    )
    few = Estimate.missing(ONE_SOURCE, n_units=n_units)
    testable = min(len(x), len(y)) > 1
    return UnpairedComparison(
        difference=difference,
        permutation_p=_permutation_p(both, len(x), permutations, seed) if testable else few,
        mann_whitney_p=_mann_whitney_p(x, y) if testable else few,
        superiority=superiority,
    )


def _means(ratings: Numbers, sources: Ids) -> FloatArray:
    """The mean of each source that has a rating."""
    numbers = as_floats(ratings)
    if len(numbers) != len(sources):
        raise ValueError("ratings and sources differ in length")
    present = np.flatnonzero(~np.isnan(numbers))
    code, n = code_ids(code_ids(sources)[0][present])
    return np.asarray(np.bincount(code, numbers[present], n) / np.bincount(code, minlength=n))


def _permutation_p(both: FloatArray, n_first: int, permutations: int, seed: int) -> Estimate:
    n, total = len(both), float(both.sum())
    observed = abs(_apart(np.array([both[:n_first].sum()]), total, n_first, n)[0])
    draw, as_far = np.random.default_rng(seed), 0
    step = max(1, CELLS // n)
    for start in range(0, permutations, step):
        order = np.argsort(draw.random((min(step, permutations - start), n)), axis=1)[:, :n_first]
        apart = _apart(both[order].sum(axis=1), total, n_first, n)
        as_far += int((np.abs(apart) >= observed * (1 - 1e-9) - 1e-12).sum())
    how = f"{permutations} permutations of sources, seed {seed}"
    return Estimate(value=(1 + as_far) / (1 + permutations), n_units=n, interval_method=how)


def _apart(sums: FloatArray, total: float, n_first: int, n: int) -> FloatArray:
    return sums / n_first - (total - sums) / (n - n_first)


def _mann_whitney_p(x: FloatArray, y: FloatArray) -> Estimate:
    from scipy.stats import mannwhitneyu  # late, as importing it takes half a second

    p_value = float(mannwhitneyu(x, y, alternative="two-sided").pvalue)
    how = "Mann and Whitney's U over means of sources"
    return Estimate(value=min(p_value, 1.0), n_units=len(x) + len(y), interval_method=how)
