"""Bootstrap intervals: over clusters, percentile and BCa; over clusters and raters, percentile."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import inf
from statistics import NormalDist
from typing import Literal, get_args

import numpy as np

from agreement.bootstrap.live import Live, live_interval
from agreement.bootstrap.resampling import (
    Contributions,
    Draws,
    crossed_draws,
    left_out_totals,
    resampled_totals,
)
from agreement.values.coding import FloatArray

# Cells of the jackknife's table, classes x totals, beyond which BCa is not attempted: minutes.
MOST_JACKKNIFE_CELLS = 1 << 30

Method = Literal["percentile", "bca"]
# A statistic of totals: (r, K) -> (r,), NaN where undefined. NaN never leaves this package.
Statistic = Callable[[FloatArray], FloatArray]
# The same of r draws of clusters and raters: -> (r,).
CrossedStatistic = Callable[[Draws], FloatArray]
# What is drawn. The clusters of a report are sources, hence the names.
Resample = Literal["sources", "sources_and_raters"]
RESAMPLES: tuple[str, ...] = get_args(Resample)


@dataclass(frozen=True, kw_only=True)
class Bootstrap:
    """How the interval of a statistic is made. Statistics take None for no interval at all.

    resamples: how many resamples are drawn, 1 or more.
    seed: of the random numbers; the same ratings and seed give the same interval.
    confidence: coverage that the interval aims at, in (0, 1).
    method: percentile or bca, see `bootstrap_interval`.
    resample: sources draws clusters; sources_and_raters draws raters as well, independently, see
        `crossed_interval`. Only `alpha`, `raw_agreement` and `mean_by` can draw raters; elsewhere
        it is a ValueError.
    live: the number of clusters at which live intervals are to be narrowest, see `live_interval`;
        None for none. They speak of other sources only, and are not made where raters are drawn.
    """

    resamples: int = 1000
    seed: int = 0
    confidence: float = 0.95
    method: Method = "percentile"
    resample: Resample = "sources"
    live: int | None = None

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise ValueError("a bootstrap needs at least one resample; pass None for no interval")
        if not 0 < self.confidence < 1:
            raise ValueError("confidence must lie between 0 and 1")
        if self.method not in ("percentile", "bca"):
            raise ValueError(f"unknown interval {self.method!r}: percentile or bca")
        if self.resample not in RESAMPLES:
            raise ValueError(f"unknown resample {self.resample!r}: {' or '.join(RESAMPLES)}")
        if self.crossed and self.method == "bca":
            # The jackknife's acceleration is that of one factor, and BCa does not know that
            # draws of two factors spread wider than the statistic does.
            raise ValueError("sources_and_raters has percentile intervals only, not bca")
        if self.live is not None and self.live < 1:
            raise ValueError("live intervals are narrowest at one cluster or more")

    @property
    def crossed(self) -> bool:
        """Whether raters are drawn as well."""
        return self.resample == "sources_and_raters"


@dataclass(frozen=True, kw_only=True)
class Interval(Live):
    """Fields of an Estimate that intervals fill; all None without a bootstrap."""

    low: float | None = None
    high: float | None = None
    confidence: float | None = None
    interval_method: str | None = None


def bootstrap_interval(
    contributions: Contributions,
    statistic: Statistic,
    value: float,
    bootstrap: Bootstrap | None,
    *,
    share: bool = False,
    most: float = inf,
    too_rare: str = "",
) -> Interval:
    """Interval of `statistic` by resampling the G clusters with replacement.

    Percentile: the quantiles (1 - confidence) / 2 and 1 - (1 - confidence) / 2 of the resamples
    (Efron 1979). BCa: the same with the quantiles corrected for bias and acceleration by the
    jackknife over clusters (Efron 1987, equations 2.3 and 6.6). Resamples in which the statistic
    is undefined are left out and counted in `interval_method`; if more than half are, or there
    is one cluster only, or BCa's corrections do not exist (or would take minutes: very many
    clusters and distinct values), there are no bounds, and it says so. share, most: of the
    statistic, for the live interval beside it (see `live_interval`). too_rare: why there is none.

    Raises ValueError for a bootstrap that draws raters, of whom the totals know nothing.
    """
    if bootstrap is None:
        return Interval()
    if bootstrap.crossed:
        raise ValueError("this statistic resamples sources only, not raters")
    text = _described(bootstrap, _several(len(contributions), "cluster"))
    if len(contributions) < 2:
        return _no_bounds(bootstrap, text, "none: one cluster only")
    blocks = [
        statistic(totals)
        for totals in resampled_totals(contributions, bootstrap.resamples, bootstrap.seed)
    ]

    def bca(defined: FloatArray) -> tuple[float, float] | None:
        return _bca_levels(contributions, statistic, value, defined, bootstrap.confidence)

    interval = _between_quantiles(
        np.concatenate(blocks), bootstrap, text, bca if bootstrap.method == "bca" else None
    )
    if bootstrap.live is None:
        return interval
    if too_rare:
        return replace(interval, live_method=f"none: {too_rare}")
    live = live_interval(
        contributions,
        statistic,
        value,
        planned=bootstrap.live,
        confidence=bootstrap.confidence,
        share=share,
        most=most,
    )
    return replace(interval, **asdict(live))


def bootstrap_intervals(
    contributions: Contributions,
    statistics: Statistic,
    values: FloatArray,
    bootstrap: Bootstrap | None,
) -> list[Interval]:
    """Intervals of several statistics of the same totals, which are drawn once for all of them.

    statistics: (r, K) totals -> (r, M). values: (M,), NaN for one that is undefined: it gets no
    interval. Each is as `bootstrap_interval` makes it.
    """
    if bootstrap is None or bootstrap.crossed or bootstrap.method == "bca":
        return [
            bootstrap_interval(
                contributions, lambda totals, at=at: statistics(totals)[:, at], value, bootstrap
            )
            for at, value in enumerate(values.tolist())
        ]
    text = _described(bootstrap, _several(len(contributions), "cluster"))
    if len(contributions) < 2:
        return [_no_bounds(bootstrap, text, "none: one cluster only")] * len(values)
    drawn = resampled_totals(contributions, bootstrap.resamples, bootstrap.seed)
    figures = np.concatenate([statistics(totals) for totals in drawn])
    return [
        Interval() if undefined else _between_quantiles(of_one, bootstrap, text)
        for of_one, undefined in zip(figures.T, np.isnan(values).tolist(), strict=True)
    ]


def crossed_interval(
    statistic: CrossedStatistic,
    bootstrap: Bootstrap,
    *,
    n_clusters: int,
    n_raters: int,
    cells: int,
) -> Interval:
    """Interval of `statistic` by resampling clusters and, independently, raters.

    A rating counts as often as its cluster and its rater are drawn, multiplied; how copies of one
    rater are kept apart is the statistic's to say. Percentile only. No bounds with one cluster or
    one rater, and where more than half of the resamples are undefined. cells: as for
    `crossed_draws`.

    Source: Owen (2007), "The pigeonhole bootstrap", section 3; McCullagh (2000), "Resampling and
    exchangeable arrays", where it is shown that no resampling of rows and columns has exactly the
    right variance: this one counts sources and raters once, and what is left to single ratings up
    to three times, so it errs towards wide.
    """
    text = _described(bootstrap, _several(n_clusters, "cluster"), _several(n_raters, "rater"))
    if n_clusters < 2 or n_raters < 2:
        single = "cluster" if n_clusters < 2 else "rater"
        return _no_bounds(bootstrap, text, f"none: one {single} only")
    blocks = crossed_draws(
        n_clusters, n_raters, cells=cells, resamples=bootstrap.resamples, seed=bootstrap.seed
    )
    resampled = np.concatenate([statistic(draws) for draws in blocks])
    return _between_quantiles(resampled, bootstrap, text)


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
        return _no_bounds(bootstrap, text, "none: undefined in more than half")
    tail = (1 - bootstrap.confidence) / 2
    levels = (tail, 1 - tail) if corrected is None else corrected(defined)
    if levels is None:
        return _no_bounds(bootstrap, text, "none: no BCa correction exists or is affordable")
    low, high = np.quantile(defined, levels)
    return Interval(
        low=float(low), high=float(high), confidence=bootstrap.confidence, interval_method=text
    )


def _no_bounds(bootstrap: Bootstrap, text: str, reason: str) -> Interval:
    return Interval(confidence=bootstrap.confidence, interval_method=f"{text}; {reason}")


def _bca_levels(
    contributions: Contributions,
    statistic: Statistic,
    value: float,
    resampled: FloatArray,
    confidence: float,
) -> tuple[float, float] | None:
    """The corrected quantile levels, or None where a correction is infinite or undefined."""
    below = float(np.mean(resampled < value) + np.mean(resampled == value) / 2)
    acceleration = _acceleration(contributions, statistic)
    if not 0 < below < 1 or acceleration is None:
        return None
    normal = NormalDist()
    bias = normal.inv_cdf(below)

    def corrected(level: float) -> float | None:
        shifted = bias + normal.inv_cdf(level)
        if acceleration * shifted >= 1:  # beyond the pole of the transformation
            return None
        return normal.cdf(bias + shifted / (1 - acceleration * shifted))

    tail = (1 - confidence) / 2
    low, high = corrected(tail), corrected(1 - tail)
    return None if low is None or high is None else (low, high)


def _acceleration(contributions: Contributions, statistic: Statistic) -> float | None:
    """Skewness of the jackknife over clusters, a = sum d^3 / (6 (sum d^2)^1.5)."""
    if len(contributions.classes[1]) * contributions.width > MOST_JACKKNIFE_CELLS:
        return None
    parts = [(statistic(totals), sizes) for totals, sizes in left_out_totals(contributions)]
    left_out = np.concatenate([values for values, _ in parts])
    sizes = np.concatenate([counts for _, counts in parts]).astype(np.float64)
    if np.isnan(left_out).any():
        return None
    deviation = np.average(left_out, weights=sizes) - left_out
    spread = float(np.sum(sizes * deviation**2))
    if spread == 0:
        return None
    return float(np.sum(sizes * deviation**3) / (6 * spread**1.5))
