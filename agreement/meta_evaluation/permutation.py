"""Whether one judge's correlation with people is higher than another's: the permutation test."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.resampling import CELLS
from ..values.coding import FloatArray, as_floats, code_ids
from ..values.estimate import Estimate
from ..values.ratings import Ids

LEAST = 3
FEW_SYSTEMS = "fewer than three systems with people's and both judges' numbers"
UNDEFINED = "no variation: a correlation with people is undefined"
LEVELS = ("system", "summary")

Numbers = Sequence[object] | npt.NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class CorrelationDifference:
    """difference: the first judge's correlation with people minus the second's. p_value: two-sided,
    of no difference."""

    difference: Estimate
    p_value: Estimate


def correlation_difference(
    people: Numbers,
    first: Numbers,
    second: Numbers,
    *,
    systems: Ids,
    sources: Ids,
    level: str = "system",
    permutations: int = 1000,
    seed: int = 0,
) -> CorrelationDifference:
    """PERM-BOTH: two judges' Pearson correlations with people, on the same systems and sources.

    Both judges' numbers are standardised over all texts. Each permutation swaps the two judges'
    numbers of every text with probability 1/2, so that both sources and systems are permuted; p is
    the share of permutations, the data included, whose difference is at least as far from 0.

    Parameters
    ----------
    people, first, second : (N,) numbers in units of their own, parallel; a text where one of them
        is missing (None or NaN) drops out. Several numbers of a system and source are averaged.
    systems, sources : (N,) ids.
    level : system, over the systems' means; summary, within each source, mean over the sources
        where both vary.
    permutations : how many are drawn, 1 or more. seed : of the random numbers.

    Returns a CorrelationDifference: the difference in [-2, 2] without an interval, p in (0, 1];
    n_units counts systems, or sources at level summary. Undefined: fewer than three systems, or a
    constant side. Raises ValueError for different lengths, an unknown level, infinite numbers.

    Source: Deutsch, Dror and Roth (2021), "A Statistical Analysis of Summarization Evaluation
    Metrics Using Resampling Methods", section 4.2; the share with the data included is Phipson and
    Smyth (2010), "Permutation P-values Should Never Be Zero".
    """
    if level not in LEVELS:
        raise ValueError(f"unknown level {level!r}: one of {', '.join(LEVELS)}")
    numbers = [as_floats(side) for side in (people, first, second)]
    if len({*map(len, numbers), len(systems), len(sources)}) != 1:
        raise ValueError("numbers and ids differ in length")
    grids = _grids(numbers, systems, sources)
    n_systems = 0 if grids is None else grids.shape[2]
    if grids is None or n_systems < LEAST:
        nothing = Estimate.missing(FEW_SYSTEMS, n_units=n_systems)
        return CorrelationDifference(difference=nothing, p_value=nothing)
    human, one, other = grids
    observed = float(_difference(human, one[None], other[None], level)[0])
    n_units = n_systems if level == "system" else grids.shape[1]
    if np.isnan(observed):
        nothing = Estimate.missing(UNDEFINED, n_units=n_units)
        return CorrelationDifference(difference=nothing, p_value=nothing)
    drawn = np.concatenate(
        [
            _difference(human, np.where(swap, other, one), np.where(swap, one, other), level)
            for swap in _swaps(one.shape, permutations, seed)
        ]
    )
    as_far = int((np.abs(drawn) >= abs(observed) - 1e-12).sum())
    how = f"PERM-BOTH, {permutations} permutations, seed {seed}"
    return CorrelationDifference(
        difference=Estimate(value=observed, n_units=n_units),
        p_value=Estimate(
            value=(1 + as_far) / (1 + permutations), n_units=n_units, interval_method=how
        ),
    )


def _grids(numbers: list[FloatArray], systems: Ids, sources: Ids) -> FloatArray | None:
    """(3, sources, systems) means, NaN where a source lacks a system, judges standardised."""
    used = np.flatnonzero(~np.isnan(np.stack(numbers)).any(axis=0))
    if not len(used):
        return None
    system, n_systems = code_ids(code_ids(systems)[0][used])
    source, n_sources = code_ids(code_ids(sources)[0][used])
    key, size = source * n_systems + system, n_sources * n_systems
    count = np.bincount(key, minlength=size)
    grids = []
    for at, side in enumerate(numbers):
        own = side[used]
        spread = own.std() if at else 1.0
        own = (own - own.mean()) / (spread or 1.0)
        means = np.full(size, np.nan)
        np.divide(np.bincount(key, own, size), count, out=means, where=count > 0)
        grids.append(means.reshape(n_sources, n_systems))
    return np.stack(grids)


def _swaps(shape: tuple[int, ...], permutations: int, seed: int) -> Iterator[npt.NDArray[np.bool_]]:
    draw = np.random.default_rng(seed)
    step = max(1, CELLS // (shape[0] * shape[1]))
    for start in range(0, permutations, step):
        yield draw.random((min(step, permutations - start), *shape)) < 0.5


def _difference(human: FloatArray, one: FloatArray, other: FloatArray, level: str) -> FloatArray:
    """(sources, systems) and (r, sources, systems) twice -> (r,)."""
    if level == "system":
        mean, first, second = (np.nanmean(side, axis=-2) for side in (human, one, other))
        return _pearson(mean, first) - _pearson(mean, second)
    each = _pearson(human, one) - _pearson(human, other)
    kept = ~np.isnan(each)
    sums = np.where(kept, each, 0.0).sum(axis=-1)
    return np.where(kept.any(axis=-1), sums / np.maximum(kept.sum(axis=-1), 1), np.nan)


def _pearson(x: FloatArray, y: FloatArray) -> FloatArray:
    """Along the last axis, over what both have; NaN where one is constant or two have less."""
    missing = np.isnan(x) | np.isnan(y)
    n = (~missing).sum(axis=-1, keepdims=True)
    sides = []
    for side in (x, y):
        known = np.where(missing, 0.0, side)
        sides.append(
            np.where(missing, 0.0, known - known.sum(axis=-1, keepdims=True) / np.maximum(n, 1))
        )
    top = (sides[0] * sides[1]).sum(axis=-1)
    squares = [(side**2).sum(axis=-1) for side in sides]
    spread = np.sqrt(squares[0] * squares[1])
    result = np.full(top.shape, np.nan)
    np.divide(top, spread, out=result, where=(spread > 1e-12) & (n[..., 0] > 1))
    return result
