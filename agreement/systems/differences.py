"""Systems compared on the same sources, for these raters and for raters like them.

Raters differ in how much they like a system. A test that takes them as they are finds such a taste
and calls it a difference of systems, the more surely the more sources they rate. So there are two
readings: sources drawn from more of their kind with these raters, and both drawn.
"""

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..bootstrap.crossed_error import CrossedError
from ..bootstrap.floors import lack_of_even_raters
from ..bootstrap.intervals import FEWEST_CLUSTERS, Bootstrap
from ..bootstrap.jackknife import Spread
from ..bootstrap.live import Live, live_interval
from ..bootstrap.live import with_raters as live_with_raters
from ..bootstrap.scales import AT_AN_END, Scale, difference_bounds
from ..scores.means import mean_of_totals, sums_and_sizes
from ..values.coding import FloatArray, IntArray, as_floats, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids
from .components import Cells, Components, rater_weights, with_raters
from .signed_rank import holm

NO_SHARED = "no source on which both systems were rated"
ALIKE = "the differences do not vary"
ONE_RATER = "one rater cannot speak of others"
NOBODY_BESIDE = "no output was rated by two raters, so how far they differ is not known"


class SystemDifference(NamedTuple):
    """The first system's mean minus the second's on shared sources, and p that it is 0: for these
    raters and for raters like them, each as it is and corrected by Holm over all pairs."""

    difference: Estimate
    these_p: Estimate
    these_p_holm: Estimate
    others_p: Estimate
    others_p_holm: Estimate


@dataclass(frozen=True, eq=False)
class PairedMeans:
    """Two systems, by code, on the sources that have both: apart (S,), the differences; these,
    others: the errors of their mean, or why there are none."""

    cells: Cells
    systems: tuple[int, int]
    apart: FloatArray
    these: CrossedError | str
    others: CrossedError | str

    @cached_property
    def rater(self) -> IntArray:
        """(N,) who gave each of their ratings."""
        of, (first, second) = self.cells.system, self.systems
        shared = self.cells.shared(first, second) > 0
        used = shared[self.cells.source] & ((of == first) | (of == second))
        return np.asarray(self.cells.rater[used])

    @cached_property
    def n(self) -> Counts:
        """What the difference rests on."""
        if not len(self.apart):
            return Counts(n_units=0)
        n_raters = len(np.unique(self.rater))
        return Counts(n_units=len(self.apart), n_raters=n_raters, n_ratings=len(self.rater))


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
    second. Their mean over sources is tested twice. For these raters by the paired t test over
    sources. For raters like them with the variances of sources x systems and of raters x systems,
    each pooled over all pairs (see `components`), and Student's t with Satterthwaite's degrees of
    freedom, or where raters have fewer than four of these a generalized p (see `combined`).

    Parameters
    ----------
    sources, raters, systems : (N,) ids of one rating each; replicates of a rater count as ratings.
    values : (N,) numbers, None or NaN where missing.
    reach : the largest difference that there can be, the length of the scale: the bounds stay
        within it (see `difference_bounds`).
    bootstrap : confidence, and what the bounds `low` and `high` speak of: raters like them with
        sources_and_raters, where there are two of them. Without it there are no intervals.

    Returns (first, second) -> SystemDifference, every two systems once; n_units counts the
    shared sources, n_ratings their ratings, sd is the sample standard deviation of the sources'
    differences. All intervals of a reading have one level, 1 - a / m' with the level a of the test
    and the m' pairs that it does not tell apart: they leave 0 out just where Holm's p is below a.
    Undefined: no shared source; p also with fewer than five of them and where the differences do
    not vary; of others with one rater and where no output has two. Raises ValueError for
    different lengths or an infinite value.

    Source: the mixed model of Barr, Levy, Scheepers and Tily (2013), "Random effects structure for
    confirmatory hypothesis testing", with random slopes of sources and raters.
    """
    cells, names = _cells(sources, raters, systems, values)
    pairs = list(combinations(range(len(names)), 2))
    compared = in_family(paired_means(cells, pairs), reach=reach, bootstrap=bootstrap)
    return {
        (names[first], names[second]): of
        for (first, second), of in zip(pairs, compared, strict=True)
    }


def _cells(
    sources: Ids, raters: Ids, systems: Ids, values: Sequence[object] | npt.NDArray[Any]
) -> tuple[Cells, list[Hashable]]:
    numbers = as_floats(values)
    if len({len(sources), len(raters), len(systems), len(numbers)}) > 1:
        raise ValueError("sources, raters, systems and values differ in length")
    present = np.flatnonzero(~np.isnan(numbers))
    source, n_sources = code_ids(code_ids(sources)[0][present])
    rater, n_raters = code_ids(code_ids(raters)[0][present])
    system, n_systems = code_ids(code_ids(systems)[0][present])
    names = [systems[at] for at in present[np.unique(system, return_index=True)[1]].tolist()]
    shape = (n_sources, n_raters, n_systems)
    return Cells(source, rater, system, numbers[present], shape), names


def paired_means(cells: Cells, pairs: Sequence[tuple[int, int]]) -> list[PairedMeans]:
    """Pairs of systems, by code, with the errors of their differences."""
    several = cells.shape[1] > 1 and bool(pairs)
    parts = cells.components if several else None
    why = NOBODY_BESIDE if several else ONE_RATER
    return [_paired(cells, *pair, parts, why) for pair in pairs]


def _paired(
    cells: Cells, first: int, second: int, parts: Components | None, why: str
) -> PairedMeans:
    shared = cells.shared(first, second)
    apart = (cells.mean[:, first] - cells.mean[:, second])[shared > 0]
    none, pair = _too_little(apart), (first, second)
    if none:
        return PairedMeans(cells, pair, apart, none, none)
    text = f"paired t over {len(apart)} sources"
    these = CrossedError.of_one(Spread(float(apart.var(ddof=1)) / len(apart), len(apart) - 1), text)
    if parts is None:
        return PairedMeans(cells, pair, apart, these, why)
    others = with_raters(parts, rater_weights(cells, *pair), len(apart), cells.shape)
    return PairedMeans(cells, pair, apart, these, others)


def _too_little(apart: FloatArray) -> str:
    if not len(apart):
        return NO_SHARED
    if len(apart) < FEWEST_CLUSTERS:
        return f"too few sources ({len(apart)}, {FEWEST_CLUSTERS} are needed)"
    return ALIKE if np.ptp(apart) <= 1e-12 * max(1.0, float(np.abs(apart).max())) else ""


@dataclass(frozen=True)
class Reading:
    """One reading of all pairs: p, Holm's p, and the level of the intervals that go with them."""

    errors: Sequence[CrossedError | str]
    p_values: Sequence[float | None]
    corrected: Sequence[float | None]
    level: float

    @classmethod
    def of(
        cls, values: Sequence[float], errors: Sequence[CrossedError | str], level: float
    ) -> "Reading":
        p_values = [
            None if isinstance(error, str) else error.p_value(value)
            for value, error in zip(values, errors, strict=True)
        ]
        corrected = holm(p_values)
        open_ = sum(p is not None and p >= level for p in corrected)
        return cls(errors, p_values, corrected, level / max(1, open_))

    def tests(self, at: int, n: Counts) -> tuple[Estimate, Estimate]:
        """p of a pair, and Holm's."""
        error, p_value, corrected = self.errors[at], self.p_values[at], self.corrected[at]
        if isinstance(error, str):
            return Estimate.missing(error, **n), Estimate.missing(error, **n)
        family = f"{error.text}; Holm over {len(self.errors)} pairs"
        return (
            Estimate(value=p_value, interval_method=error.text, **n),
            Estimate(value=corrected, interval_method=family, **n),
        )

    def bounds(self, at: int, value: float, reach: float) -> tuple[float | None, float | None, str]:
        """low, high and how they were made."""
        error = self.errors[at]
        if isinstance(error, str):
            return None, None, f"none: {error}"
        text = error.text
        if len(self.errors) > 1:
            text += f"; {100 * (1 - self.level):.4g} %, as Holm's test over all pairs asks for"
        found = difference_bounds(value, error.half_width(self.level), reach)
        return (*found, text) if found else (None, None, f"{text}; none: {AT_AN_END}")


def in_family(
    pairs: Sequence[PairedMeans], *, reach: float, bootstrap: Bootstrap | None
) -> list[SystemDifference]:
    """The tests of all pairs together. Parameters as for `system_differences`."""
    level = 0.05 if bootstrap is None else 1 - bootstrap.confidence
    values = [float(pair.apart.mean()) if len(pair.apart) else 0.0 for pair in pairs]
    these = Reading.of(values, [pair.these for pair in pairs], level)
    others = Reading.of(values, [pair.others for pair in pairs], level)
    return [
        SystemDifference(
            _difference(at, pair, (these, others), reach, bootstrap),
            *these.tests(at, pair.n),
            *others.tests(at, pair.n),
        )
        for at, pair in enumerate(pairs)
    ]


def _difference(
    at: int,
    pair: PairedMeans,
    readings: tuple[Reading, Reading],
    reach: float,
    bootstrap: Bootstrap | None,
) -> Estimate:
    if not len(pair.apart):
        return Estimate.missing(NO_SHARED, n_units=0)
    value = float(pair.apart.mean())
    sd = float(pair.apart.std(ddof=1)) if len(pair.apart) > 1 else None
    estimate = Estimate(value=value, sd=sd, sd_ddof=1, **pair.n)
    if bootstrap is None:
        return estimate
    these, others = (reading.bounds(at, value, reach) for reading in readings)
    low, high, text = others if bootstrap.crossed and others[0] is not None else these
    estimate = replace(
        estimate, low=low, high=high, confidence=bootstrap.confidence, interval_method=text
    )
    if pair.others != ONE_RATER:
        estimate = replace(
            estimate,
            these_low=these[0],
            these_high=these[1],
            these_method=these[2],
            others_low=others[0],
            others_high=others[1],
            others_method=others[2],
        )
    return replace(
        estimate, **asdict(_live(pair, value, reach, bootstrap, len(readings[0].errors)))
    )


def _live(
    pair: PairedMeans, value: float, reach: float, bootstrap: Bootstrap, n_pairs: int
) -> Live:
    """See `live_interval`, and `with_raters` there where raters are drawn. All pairs share the
    error (Bonferroni): there is no test beside an interval that holds at every look."""
    if bootstrap.live is None:
        return Live()
    behind = lack_of_even_raters(pair.rater, bootstrap.live_raters)
    if behind:
        return Live(live_method=f"none: {behind}")
    scale, apart = Scale(-reach, reach), pair.apart
    confidence = 1 - (1 - bootstrap.confidence) / n_pairs
    live = live_interval(
        sums_and_sizes(apart, np.arange(len(apart)), len(apart)),
        mean_of_totals,
        value,
        planned=bootstrap.live,
        confidence=confidence,
        scale=scale,
    )
    if n_pairs > 1 and live.live_low is not None:
        live = replace(live, live_method=f"{live.live_method}; {n_pairs} pairs share the error")
    raters = None if isinstance(pair.others, str) else pair.others.raters
    if raters is None or not bootstrap.crossed or not scale.holds(np.array([value])):
        return live
    on_scale = Spread(raters.variance * scale.slope(value) ** 2, raters.degrees)
    return live_with_raters(live, value, scale, on_scale, confidence)
