"""Intervals over clusters, and over clusters and raters: bootstrap, and jackknife with t."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

import numpy as np

from ..values.coding import FloatArray
from .bca import corrected_levels
from .definitions import (
    FEWEST_CLUSTERS,
    FEWEST_RATERS,
    METHODS,
    ONE_RATER,
    RESAMPLES,
    THESE_RATERS,
    Bootstrap,
    CrossedStatistic,
    Interval,
    Method,
    Resample,
    Sampled,
    no_bounds,
    several_text,
)
from .jackknife_intervals import Readings, crossed_jackknife, jackknife_interval
from .live import Live, live_interval, with_raters
from .resampling import (
    Contributions,
    Statistic,
    crossed_draws,
    resampled_totals,
)
from .scales import NUMBERS, Scale

# What asks for intervals gets all that it needs from here.
__all__ = [
    "FEWEST_CLUSTERS",
    "FEWEST_RATERS",
    "METHODS",
    "ONE_RATER",
    "RESAMPLES",
    "THESE_RATERS",
    "Bootstrap",
    "Interval",
    "Method",
    "Resample",
    "Sampled",
    "bootstrap_interval",
    "bootstrap_intervals",
    "crossed_interval",
    "interval_of",
]


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

    Jackknife: the value, on a scale that fits its range (`Scale`: the bounds then lie within it),
    and to both sides Student's t with G - 1 degrees of freedom times the standard error there, from
    leaving out one cluster after the other (Tukey 1958; MacKinnon, Nielsen and Webb 2023, "Fast and
    reliable jackknife and bootstrap methods for cluster-robust inference"). No bounds below five
    clusters, where `lack` says why, where nothing differs between clusters, where the statistic is
    undefined without one of them, or where its value has reached an end of its range.

    scale, lack: as in `Sampled`. A live interval stands beside either, where the bootstrap asks
    for one (`live_interval`).

    Raises ValueError for a bootstrap that draws raters, of whom the totals know nothing.
    """
    return interval_of(Sampled(contributions, statistic, value, scale, lack), bootstrap)


def interval_of(of: Sampled, bootstrap: Bootstrap | None) -> Interval:
    """As `bootstrap_interval` describes it."""
    if bootstrap is None:
        return Interval()
    if bootstrap.crossed:
        raise ValueError("this statistic resamples sources only, not raters")
    interval = jackknife_interval if bootstrap.method == "jackknife" else _resampled
    return _with_live(of, interval(of, bootstrap), bootstrap)


def _resampled(of: Sampled, bootstrap: Bootstrap) -> Interval:
    """Percentile and BCa."""
    text = _described(bootstrap, several_text(len(of.contributions), "cluster"))
    if len(of.contributions) < 2:
        return no_bounds(bootstrap, text, "one cluster only")
    blocks = [
        of.statistic(totals)
        for totals in resampled_totals(of.contributions, bootstrap.resamples, bootstrap.seed)
    ]

    def bca(defined: FloatArray) -> tuple[float, float] | None:
        return corrected_levels(
            of.contributions, of.statistic, of.value, defined, bootstrap.confidence
        )

    return _between_quantiles(
        np.concatenate(blocks), bootstrap, text, bca if bootstrap.method == "bca" else None
    )


def _with_live(of: Sampled, interval: Interval, bootstrap: Bootstrap) -> Interval:
    """The interval with a live one for these raters beside it, where one is asked for."""
    return replace(interval, **asdict(_live(of, bootstrap)))


def _live(of: Sampled, bootstrap: Bootstrap) -> Live:
    if bootstrap.live is None:
        return Live()
    if of.too_rare:
        return Live(live_method=f"none: {of.too_rare}")
    return live_interval(
        of.contributions,
        of.statistic,
        of.value,
        planned=bootstrap.live,
        confidence=bootstrap.confidence,
        share=of.share,
        scale=of.scale,
    )


def _with_readings(
    of: Sampled, readings: Readings, bootstrap: Bootstrap, n_raters: int
) -> Interval:
    """The one of the two that is asked for, with both and a live one beside it."""
    live, (these, others) = _live(of, bootstrap), (readings.these, readings.others)
    main = readings.drawn if bootstrap.crossed else these
    if bootstrap.live is not None and main is others:
        live = with_raters(live, of.value, of.scale, readings.raters, bootstrap.confidence)
    if n_raters < 2:
        return replace(main, **asdict(live))
    return replace(
        main,
        these_low=these.low,
        these_high=these.high,
        these_method=these.interval_method,
        others_low=others.low,
        others_high=others.high,
        others_method=others.interval_method,
        **asdict(live),
    )


def bootstrap_intervals(
    contributions: Contributions,
    statistics: Statistic,
    values: FloatArray,
    bootstrap: Bootstrap | None,
    scales: Sequence[Scale],
) -> list[Interval]:
    """Intervals of several statistics of the same totals, which are drawn once for all of them.

    statistics: (r, K) totals -> (r, M). values: (M,), NaN for one that is undefined: it gets no
    interval. scales: of each of the M. Each is as `bootstrap_interval` makes it.
    """
    if bootstrap is None or bootstrap.crossed or bootstrap.method != "percentile":
        each = enumerate(zip(values.tolist(), scales, strict=True))
        return [
            bootstrap_interval(contributions, _at(statistics, at), value, bootstrap, scale=scale)
            if value == value  # noqa: PLR0124 (NaN is not equal to itself)
            else Interval()
            for at, (value, scale) in each
        ]
    text = _described(bootstrap, several_text(len(contributions), "cluster"))
    if len(contributions) < 2:
        return [no_bounds(bootstrap, text, "one cluster only")] * len(values)
    drawn = resampled_totals(contributions, bootstrap.resamples, bootstrap.seed)
    figures = np.concatenate([statistics(totals) for totals in drawn])
    return [
        Interval() if undefined else _between_quantiles(of_one, bootstrap, text)
        for of_one, undefined in zip(figures.T, np.isnan(values).tolist(), strict=True)
    ]


def _at(statistics: Statistic, at: int) -> Statistic:
    """One of several statistics of the same totals."""
    return lambda totals: statistics(totals)[:, at]


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

    Jackknife: as `bootstrap_interval` does it, with the error of both (`combined`): Student's t
    with Satterthwaite's degrees of freedom, or with three or four raters a generalized p. Below
    three raters, or where the statistic is undefined without one of them, it is an interval of
    these raters, and says so. Where two raters or more answered, both readings stand beside it. It
    is the one for these raters where the bootstrap draws none (`Bootstrap.both` asks for this
    function all the same). The live interval is for whom the interval is for.
    """
    if bootstrap.method == "jackknife":
        readings = crossed_jackknife(of, statistic, bootstrap, n_raters, cells)
        return _with_readings(of, readings, bootstrap, n_raters)
    return _with_live(of, _crossed_resampled(of, statistic, bootstrap, n_raters, cells), bootstrap)


def _crossed_resampled(
    of: Sampled, statistic: CrossedStatistic, bootstrap: Bootstrap, n_raters: int, cells: int
) -> Interval:
    n_clusters = len(of.contributions)
    text = _described(
        bootstrap, several_text(n_clusters, "cluster"), several_text(n_raters, "rater")
    )
    if n_clusters < 2 or n_raters < 2:
        single = "cluster" if n_clusters < 2 else "rater"
        return no_bounds(bootstrap, text, f"one {single} only")
    blocks = crossed_draws(
        n_clusters, n_raters, cells=cells, resamples=bootstrap.resamples, seed=bootstrap.seed
    )
    resampled = np.concatenate([statistic(draws) for draws in blocks])
    return _between_quantiles(resampled, bootstrap, text)


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
        return no_bounds(bootstrap, text, "undefined in more than half")
    tail = (1 - bootstrap.confidence) / 2
    levels = (tail, 1 - tail) if corrected is None else corrected(defined)
    if levels is None:
        return no_bounds(bootstrap, text, "no BCa correction exists or is affordable")
    low, high = np.quantile(defined, levels)
    return Interval(
        low=float(low), high=float(high), confidence=bootstrap.confidence, interval_method=text
    )
