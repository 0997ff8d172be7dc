"""Intervals over clusters, and over clusters and raters: bootstrap, and jackknife with t."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from agreement.bootstrap.bca import corrected_levels
from agreement.bootstrap.jackknife import (
    Spread,
    crossed_draws_without,
    crossed_spread,
    half_width,
    left_out_groups,
    spread_of,
)
from agreement.bootstrap.resampling import (
    Contributions,
    Draws,
    Statistic,
    crossed_draws,
    resampled_totals,
)
from agreement.bootstrap.scales import NUMBERS, Scale
from agreement.values.coding import FloatArray

# Of a jackknife interval: simulated coverage is below 93 % with fewer of them, see docs.
FEWEST_CLUSTERS = 5
# Two raters say next to nothing of others: a difference of means is then found in 14 % instead of
# 5 % of studies without one.
FEWEST_RATERS = 3

Method = Literal["percentile", "bca", "jackknife"]
METHODS: tuple[str, ...] = get_args(Method)
# A statistic of r draws of clusters and raters: -> (r,), NaN where undefined.
CrossedStatistic = Callable[[Draws], FloatArray]
# What is drawn. The clusters of a report are sources, hence the names.
Resample = Literal["sources", "sources_and_raters"]
RESAMPLES: tuple[str, ...] = get_args(Resample)
# What a description says where raters were to be drawn and could not be.
THESE_RATERS = "; these raters only, as too few to speak of others"
ONE_RATER = "; this rater only"


@dataclass(frozen=True, kw_only=True)
class Bootstrap:
    """How the interval of a statistic is made. Statistics take None for no interval at all.

    resamples: how many resamples are drawn, 1 or more; the jackknife draws none.
    seed: of the random numbers; the same ratings and seed give the same interval.
    confidence: coverage that the interval aims at, in (0, 1).
    method: percentile, bca or jackknife, see `bootstrap_interval`. Quantiles have percentile
        intervals whatever is asked for.
    resample: sources draws clusters; sources_and_raters draws raters as well, independently, see
        `crossed_interval`. `alpha`, `raw_agreement`, `fleiss_kappa`, `gwet_ac`, `mean_by` and
        `mean_ranks` can draw raters; elsewhere it is a ValueError.
    """

    resamples: int = 1000
    seed: int = 0
    confidence: float = 0.95
    method: Method = "percentile"
    resample: Resample = "sources"

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise ValueError("a bootstrap needs at least one resample; pass None for no interval")
        if not 0 < self.confidence < 1:
            raise ValueError("confidence must lie between 0 and 1")
        if self.method not in METHODS:
            raise ValueError(f"unknown interval {self.method!r}: one of {', '.join(METHODS)}")
        if self.resample not in RESAMPLES:
            raise ValueError(f"unknown resample {self.resample!r}: {' or '.join(RESAMPLES)}")
        if self.crossed and self.method == "bca":
            # The jackknife's acceleration is that of one factor, and BCa does not know that
            # draws of two factors spread wider than the statistic does.
            raise ValueError("sources_and_raters is for percentile and jackknife, not for bca")

    @property
    def crossed(self) -> bool:
        """Whether raters are drawn as well."""
        return self.resample == "sources_and_raters"


@dataclass(frozen=True, kw_only=True)
class Interval:
    """Fields of an Estimate that an interval fills; all None without a bootstrap."""

    low: float | None = None
    high: float | None = None
    confidence: float | None = None
    interval_method: str | None = None


@dataclass(frozen=True, eq=False)
class Sampled:
    """A statistic of totals over clusters, and its value.

    scale: on which it is more nearly normal. lack: why there is too little for a jackknife
    interval, apart from too few clusters; empty where there is enough.
    """

    contributions: Contributions
    statistic: Statistic
    value: float
    scale: Scale = NUMBERS
    lack: str = ""

    @property
    def few(self) -> str:
        """Why there is too little for a jackknife interval; else empty."""
        n = len(self.contributions)
        few = f"too few sources ({n}, {FEWEST_CLUSTERS} are needed)" if n < FEWEST_CLUSTERS else ""
        return few or self.lack


def bootstrap_interval(
    contributions: Contributions,
    statistic: Statistic,
    value: float,
    bootstrap: Bootstrap | None,
    *,
    scale: Scale = NUMBERS,
    lack: str = "",
) -> Interval:
    """Interval of `statistic` by resampling the G clusters with replacement, or leaving them out.

    Percentile: the quantiles (1 - confidence) / 2 and 1 - (1 - confidence) / 2 of the resamples
    (Efron 1979). BCa: the same with the quantiles corrected for bias and acceleration by the
    jackknife over clusters (Efron 1987, equations 2.3 and 6.6). Resamples in which the statistic
    is undefined are left out and counted in `interval_method`; if more than half are, or there
    is one cluster only, or BCa's corrections do not exist (or would take minutes: very many
    clusters and distinct values), there are no bounds, and it says so.

    Jackknife: the value, on a scale that fits its range, and to both sides Student's t with G - 1
    degrees of freedom times the standard error from leaving out one cluster after the other (Tukey
    1958; MacKinnon, Nielsen and Webb 2023, "Fast and reliable jackknife and bootstrap methods for
    cluster-robust inference"). No bounds below five clusters, where `lack` says why, where nothing
    differs between clusters, or where the statistic is undefined without one of them.

    Raises ValueError for a bootstrap that draws raters, of whom the totals know nothing.
    """
    if bootstrap is None:
        return Interval()
    if bootstrap.crossed:
        raise ValueError("this statistic resamples sources only, not raters")
    of = Sampled(contributions, statistic, value, scale, lack)
    if bootstrap.method == "jackknife":
        return _jackknife_interval(of, bootstrap)
    text = _described(bootstrap, _several(len(contributions), "cluster"))
    if len(contributions) < 2:
        return _no_bounds(bootstrap, text, "one cluster only")
    blocks = [
        statistic(totals)
        for totals in resampled_totals(contributions, bootstrap.resamples, bootstrap.seed)
    ]

    def bca(defined: FloatArray) -> tuple[float, float] | None:
        return corrected_levels(contributions, statistic, value, defined, bootstrap.confidence)

    return _between_quantiles(
        np.concatenate(blocks), bootstrap, text, bca if bootstrap.method == "bca" else None
    )


def crossed_interval(
    of: Sampled, statistic: CrossedStatistic, bootstrap: Bootstrap, *, n_raters: int, cells: int
) -> Interval:
    """Interval by resampling clusters and, independently, raters, or leaving them out.

    of: the statistic of totals over clusters, for the jackknife. statistic: the same of draws,
    where a rating counts as often as its cluster and its rater are drawn, multiplied; how copies
    of one rater are kept apart is the statistic's to say. cells: as for `crossed_draws`.

    Percentile: no bounds with one cluster or one rater, and where more than half of the resamples
    are undefined. Source: Owen (2007), "The pigeonhole bootstrap", section 3; McCullagh (2000),
    "Resampling and exchangeable arrays", where it is shown that no resampling of rows and columns
    has exactly the right variance: this one counts sources and raters once, and what is left to
    single ratings up to three times, so it errs towards wide.

    Jackknife: as `bootstrap_interval` does it, with the variance and the degrees of freedom of
    `crossed_spread`. Below three raters, or where the statistic is undefined without one of them,
    it is an interval of these raters, and says so.
    """
    if bootstrap.method == "jackknife":
        return _crossed_jackknife(of, statistic, bootstrap, n_raters, cells)
    n_clusters = len(of.contributions)
    text = _described(bootstrap, _several(n_clusters, "cluster"), _several(n_raters, "rater"))
    if n_clusters < 2 or n_raters < 2:
        single = "cluster" if n_clusters < 2 else "rater"
        return _no_bounds(bootstrap, text, f"one {single} only")
    blocks = crossed_draws(
        n_clusters, n_raters, cells=cells, resamples=bootstrap.resamples, seed=bootstrap.seed
    )
    resampled = np.concatenate([statistic(draws) for draws in blocks])
    return _between_quantiles(resampled, bootstrap, text)


def _jackknife_interval(of: Sampled, bootstrap: Bootstrap, aside: str = "") -> Interval:
    """aside: what the description says of raters."""
    text = f"jackknife over {_several(len(of.contributions), 'cluster')}"
    if of.few:
        return _no_bounds(bootstrap, text + aside, of.few)
    left_out = of.statistic(left_out_groups(of.contributions, bootstrap.seed))
    scale, placed = _placed(of, left_out)
    spread = spread_of(placed) if not np.isnan(placed).any() else None
    text += _grouped(len(of.contributions), len(left_out), bootstrap.seed)
    return _around(of, scale, spread, bootstrap, text=text, aside=aside)


def _crossed_jackknife(
    of: Sampled, statistic: CrossedStatistic, bootstrap: Bootstrap, n_raters: int, cells: int
) -> Interval:
    if n_raters < FEWEST_RATERS or of.few:
        few = THESE_RATERS if n_raters > 1 else ONE_RATER
        return _jackknife_interval(of, bootstrap, "" if of.few else few)
    n_clusters, seed = len(of.contributions), bootstrap.seed
    blocks, shape = crossed_draws_without(n_clusters, n_raters, cells=cells, seed=seed)
    crossed = np.concatenate([statistic(draws) for draws in blocks])
    if np.isnan(crossed[: shape[1]]).any():
        return _jackknife_interval(of, bootstrap, THESE_RATERS)
    left_out = of.statistic(left_out_groups(of.contributions, seed))
    scale, placed = _placed(of, np.concatenate([left_out, crossed]))
    one_way, two_way = placed[: len(left_out)], placed[len(left_out) :].reshape(shape)
    undefined = np.isnan(one_way).any()
    spread = None if undefined else crossed_spread(spread_of(one_way), two_way)
    text = f"jackknife over {_several(n_clusters, 'cluster')}"
    text += _grouped(n_clusters, len(left_out), seed)
    text += f" and {_several(n_raters, 'rater')}" + _grouped(n_raters, shape[1] - 1, seed)
    return _around(of, scale, spread, bootstrap, text=text)


def _placed(of: Sampled, left_out: FloatArray) -> tuple[Scale, FloatArray]:
    """The scale that all defined values fit, and the values on it."""
    defined = left_out[~np.isnan(left_out)]
    scale = of.scale.fitting(np.append(defined, of.value))
    return scale, scale.forward(left_out)


def _around(
    of: Sampled,
    scale: Scale,
    spread: Spread | None,
    bootstrap: Bootstrap,
    *,
    text: str,
    aside: str = "",
) -> Interval:
    """Bounds around the value. What is no more than rounding is no spread."""
    if spread is None:
        return _no_bounds(bootstrap, text + aside, "undefined without one of the sources")
    middle = float(scale.forward(np.array([of.value]))[0])
    if spread.variance <= (1e-12 * max(1.0, abs(middle))) ** 2:
        return _no_bounds(bootstrap, text + aside, "the sources do not differ")
    low, high = scale.bounds(middle, half_width(spread, bootstrap.confidence))
    text += f", t with {spread.degrees:.4g} degrees of freedom{aside}"
    return Interval(low=low, high=high, confidence=bootstrap.confidence, interval_method=text)


def _grouped(size: int, groups: int, seed: int) -> str:
    return "" if groups == size else f" in {groups} groups, seed {seed}"


def _several(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _described(bootstrap: Bootstrap, *drawn: str) -> str:
    of = " and ".join(drawn)
    resamples = f"{bootstrap.resamples} resamples of {of}"
    return f"{bootstrap.method} bootstrap, {resamples}, seed {bootstrap.seed}"


def _between_quantiles(
    resampled: FloatArray,
    bootstrap: Bootstrap,
    text: str,
    corrected: Callable[[FloatArray], tuple[float, float] | None] | None = None,
) -> Interval:
    """The quantiles of the resamples that are defined, at levels that `corrected` may move."""
    defined = resampled[~np.isnan(resampled)]
    if len(defined) < bootstrap.resamples:
        text += f", {bootstrap.resamples - len(defined)} undefined"
    if 2 * len(defined) < bootstrap.resamples:
        return _no_bounds(bootstrap, text, "undefined in more than half")
    tail = (1 - bootstrap.confidence) / 2
    levels = (tail, 1 - tail) if corrected is None else corrected(defined)
    if levels is None:
        return _no_bounds(bootstrap, text, "no BCa correction exists or is affordable")
    low, high = np.quantile(defined, levels)
    return Interval(
        low=float(low), high=float(high), confidence=bootstrap.confidence, interval_method=text
    )


def _no_bounds(bootstrap: Bootstrap, text: str, reason: str) -> Interval:
    return Interval(confidence=bootstrap.confidence, interval_method=f"{text}; none: {reason}")
