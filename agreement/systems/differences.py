"""Systems compared on the same sources, for other sources and other raters.

Raters differ in how much they like a system. A test that takes them as they are finds such a taste
and calls it a difference of systems, the more surely the more sources they rate. Here sources and
raters are both drawn from more of their kind.
"""

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..bootstrap.definitions import no_bounds
from ..bootstrap.floors import lack_of_even_raters
from ..bootstrap.intervals import (
    FEWEST_CLUSTERS,
    FEWEST_RATERS,
    THESE_RATERS,
    Bootstrap,
    Interval,
)
from ..bootstrap.jackknife import (
    FEWEST_GROUPS,
    Spread,
    crossed_spread,
    groups_of,
    half_width,
    raters_spread,
    spread_of,
    two_sided_p,
)
from ..bootstrap.live import Live, live_interval, with_raters
from ..bootstrap.scales import AT_AN_END, Scale, difference_bounds
from ..scores.means import mean_of_totals, sums_and_sizes
from ..values.coding import FloatArray, IntArray, as_floats, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids

NO_SHARED = "no source on which both systems were rated"
ALIKE = "the differences do not vary"
# Floats of the means of sources, systems and groups of raters.
MOST_CELLS = 1 << 22


class SystemDifference(NamedTuple):
    """The first system's mean minus the second's on shared sources, and p that it is 0."""

    difference: Estimate
    p_value: Estimate


@dataclass(frozen=True, eq=False)
class _Cells:
    """Sums and numbers of the N ratings by source and system, without each of g groups of raters.

    source, system, rater: (N,) codes. sums, sizes: (1 + g, S, K), where nobody is left out first.
    """

    source: IntArray
    system: IntArray
    rater: IntArray
    names: list[Hashable]
    sums: FloatArray
    sizes: FloatArray

    def apart(self, first: int, second: int) -> FloatArray:
        """(1 + g, S) differences of the means, NaN where a system has no rating left."""
        means = [
            np.divide(
                self.sums[:, :, at],
                self.sizes[:, :, at],
                out=np.full(self.sums.shape[:2], np.nan),
                where=self.sizes[:, :, at] > 0,
            )
            for at in (first, second)
        ]
        return np.asarray(means[0] - means[1])


def system_differences(
    sources: Ids,
    raters: Ids,
    systems: Ids,
    values: Sequence[object] | npt.NDArray[Any],
    *,
    reach: float = inf,
    bootstrap: Bootstrap | None = None,
) -> dict[tuple[Hashable, Hashable], SystemDifference]:
    """Differences of the means of every two systems over the sources on which both were rated.

    A source's difference is the mean of all ratings of the first system there minus that of the
    second; the mean of these over sources is tested by Student's t with the error of
    `crossed_interval`, by sources and raters or (`Bootstrap.resample`) by sources alone; with
    one rater it is the paired t test over sources.

    Parameters
    ----------
    sources, raters, systems : (N,) ids of one rating each; replicates of a rater count as ratings.
    values : (N,) numbers, None or NaN where missing.
    reach : the largest difference that there can be, the length of the scale: the bounds stay
        within it (see `difference_bounds`), and leave 0 out just where p is small enough.
    bootstrap : confidence, seed and what is resampled; without it there are no intervals, and p is
        that of sources and raters.

    Returns (first, second) -> SystemDifference, every two systems once; n_units counts the
    shared sources, n_ratings their ratings, sd is the sample standard deviation of the sources'
    differences. Undefined: no shared source; p also with fewer than five of them and where the
    differences do not vary. Below three raters, or where the difference is undefined without one
    of them, p speaks of these raters, and `interval_method` says so. Raises ValueError for
    different lengths or an infinite value.

    Source: as for `crossed_interval`; in a complete design it is the mixed model of Barr, Levy,
    Scheepers and Tily (2013), "Random effects structure for confirmatory hypothesis testing", with
    random slopes of sources and raters, by moments.
    """
    cells = _cells(sources, raters, systems, values, bootstrap)
    return {
        (cells.names[first], cells.names[second]): _compare(cells, first, second, reach, bootstrap)
        for first, second in combinations(range(len(cells.names)), 2)
    }


def _cells(
    sources: Ids,
    raters: Ids,
    systems: Ids,
    values: Sequence[object] | npt.NDArray[Any],
    bootstrap: Bootstrap | None,
) -> _Cells:
    numbers = as_floats(values)
    if len({len(sources), len(raters), len(systems), len(numbers)}) > 1:
        raise ValueError("sources, raters, systems and values differ in length")
    present = np.flatnonzero(~np.isnan(numbers))
    source, n_sources = code_ids(code_ids(sources)[0][present])
    rater, n_raters = code_ids(code_ids(raters)[0][present])
    system, _ = code_ids(code_ids(systems)[0][present])
    names = [systems[at] for at in present[np.unique(system, return_index=True)[1]].tolist()]
    shape = (n_sources, max(1, len(names)))
    most = max(FEWEST_GROUPS, MOST_CELLS // max(1, shape[0] * shape[1]))
    group = groups_of(n_raters, most, bootstrap.seed if bootstrap else 0)
    n_groups = int(group.max(initial=-1)) + 1
    key = (group[rater] * shape[0] + source) * shape[1] + system
    weights = (numbers[present], np.ones(len(present)))
    sums, sizes = (_left_out(key, of, (n_groups, *shape)) for of in weights)
    return _Cells(source, system, rater, names, sums, sizes)


def _left_out(key: IntArray, weights: FloatArray, shape: tuple[int, int, int]) -> FloatArray:
    """The total over groups (the first axis), then the total without each of them."""
    sums = np.bincount(key, weights, int(np.prod(shape))).reshape(shape)
    total = sums.sum(axis=0, keepdims=True)
    return np.concatenate([total, total - sums])


def _compare(
    cells: _Cells, first: int, second: int, reach: float, bootstrap: Bootstrap | None
) -> SystemDifference:
    apart = cells.apart(first, second)
    shared = ~np.isnan(apart[0])
    used = shared[cells.source] & np.isin(cells.system, (first, second))
    n = Counts(
        n_units=int(shared.sum()),
        n_raters=len(np.unique(cells.rater[used])),
        n_ratings=int(used.sum()),
    )
    if not shared.any():
        nothing = Estimate.missing(NO_SHARED, n_units=0)
        return SystemDifference(nothing, nothing)
    value = float(apart[0, shared].mean())
    text, spread, of_raters = _error(apart[:, shared], cells, n["n_raters"], bootstrap)
    deviation = float(apart[0, shared].std(ddof=1)) if n["n_units"] > 1 else None
    behind = _behind(cells.rater[used], bootstrap)
    live = _live(apart[0, shared], value, reach, bootstrap, raters=of_raters, behind=behind)
    bounds = _bounds(value, text, spread, reach, bootstrap)
    return SystemDifference(
        Estimate(
            value=value,
            sd=deviation,
            sd_ddof=1,
            **vars(replace(bounds, **asdict(live))),
            **n,
        ),
        _p_value(value, text, spread, n),
    )


def _error(
    apart: FloatArray, cells: _Cells, n_raters: int, bootstrap: Bootstrap | None
) -> tuple[str, Spread | None, Spread | None]:
    """How the error of the mean of (1 + g, S) differences was found, and it, where it exists; and
    the part of it that raters cause, where they are drawn."""
    n_sources = apart.shape[1]
    text = f"jackknife over {n_sources} clusters"
    if n_sources < FEWEST_CLUSTERS:
        few = f"too few sources ({n_sources}, {FEWEST_CLUSTERS} are needed)"
        return f"{text}; none: {few}", None, None
    of_raters = None
    spread = spread_of(_without_each(apart[:1])[:, 0])
    wanted = n_raters > 1 and (bootstrap is None or bootstrap.crossed)
    means = _without_each(apart)
    possible = n_raters >= FEWEST_RATERS and not np.isnan(means).any()
    if wanted and possible:
        whole = np.nanmean(apart, axis=1, keepdims=True).T
        both = crossed_spread(spread, np.concatenate([whole, means]))
        of_raters = raters_spread(spread, both, len(apart) - 1)
        spread = both
        text += f" and {n_raters} raters"
    if spread.variance <= (1e-12 * max(1.0, float(np.nanmax(np.abs(apart))))) ** 2:
        return f"{text}; none: {ALIKE}", None, None
    text += f", t with {spread.degrees:.4g} degrees of freedom"
    return text + (THESE_RATERS if wanted and not possible else ""), spread, of_raters


def _without_each(apart: FloatArray) -> FloatArray:
    """Means of the defined differences (r, S) without each source: (S, r), NaN where none is."""
    defined = ~np.isnan(apart)
    sums = np.where(defined, apart, 0.0)
    left = defined.sum(axis=1, keepdims=True) - defined
    rest = sums.sum(axis=1, keepdims=True) - sums
    means: FloatArray = np.divide(rest, left, out=np.full(apart.shape, np.nan), where=left > 0)
    return means.T


def _bounds(
    value: float, text: str, spread: Spread | None, reach: float, bootstrap: Bootstrap | None
) -> Interval:
    if bootstrap is None:
        return Interval()
    if spread is None:
        return Interval(confidence=bootstrap.confidence, interval_method=text)
    bounds = difference_bounds(value, half_width(spread, bootstrap.confidence), reach)
    if bounds is None:
        return no_bounds(bootstrap, text, AT_AN_END)
    return Interval(
        low=bounds[0], high=bounds[1], confidence=bootstrap.confidence, interval_method=text
    )


def _behind(rater: IntArray, bootstrap: Bootstrap | None) -> str:
    """Why there is no live interval of these raters yet."""
    live = bootstrap is not None and bootstrap.live is not None
    return lack_of_even_raters(rater, bootstrap.live_raters) if bootstrap and live else ""


def _live(
    apart: FloatArray,
    value: float,
    reach: float,
    bootstrap: Bootstrap | None,
    *,
    raters: Spread | None,
    behind: str,
) -> Live:
    """See `live_interval`, and `with_raters` where raters are drawn."""
    if bootstrap is None or bootstrap.live is None:
        return Live()
    if behind:
        return Live(live_method=f"none: {behind}")
    scale = Scale(-reach, reach)
    live = live_interval(
        sums_and_sizes(apart, np.arange(len(apart)), len(apart)),
        mean_of_totals,
        value,
        planned=bootstrap.live,
        confidence=bootstrap.confidence,
        scale=scale,
    )
    if raters is None or not scale.holds(np.array([value])):
        return live
    on_scale = Spread(raters.variance * scale.slope(value) ** 2, raters.degrees)
    return with_raters(live, value, scale, on_scale, bootstrap.confidence)


def _p_value(value: float, text: str, spread: Spread | None, n: Counts) -> Estimate:
    if spread is None:
        return Estimate.missing(text.partition("none: ")[2], **n)
    return Estimate(value=two_sided_p(value, spread), interval_method=text, **n)
