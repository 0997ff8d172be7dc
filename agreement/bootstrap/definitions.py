"""What an interval is asked for with, what it is, and what it is made from."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from ..values.coding import FloatArray
from .live import Live
from .resampling import Contributions, Draws, Statistic
from .scales import NUMBERS, Scale

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
# Why these raters carry no interval for others like them.
TOO_FEW_RATERS = f"too few raters to speak of others: fewer than {FEWEST_RATERS}"
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
    both: whether statistics that can draw raters are to have both readings beside the interval, the
        one for these raters and the one for raters like them, see `crossed_interval`.
    live: the number of clusters at which live intervals are to be narrowest, see `live_interval`;
        None for none.
    live_raters: how many raters each unit is planned for; before so many have answered there is no
        live interval, see `lack_of_even_raters`.
    """

    resamples: int = 1000
    seed: int = 0
    confidence: float = 0.95
    method: Method = "percentile"
    resample: Resample = "sources"
    both: bool = False
    live: int | None = None
    live_raters: int = 1

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
        if self.live is not None and self.live < 1:
            raise ValueError("live intervals are narrowest at one cluster or more")

    @property
    def crossed(self) -> bool:
        """Whether raters are drawn as well."""
        return self.resample == "sources_and_raters"

    @property
    def leaves_raters_out(self) -> bool:
        """Whether raters are drawn, or both readings wanted."""
        return self.crossed or (self.both and self.method == "jackknife")


@dataclass(frozen=True, kw_only=True)
class Interval(Live):
    """Fields of an Estimate that intervals fill; all None without a bootstrap."""

    low: float | None = None
    high: float | None = None
    confidence: float | None = None
    interval_method: str | None = None
    these_low: float | None = None
    these_high: float | None = None
    these_method: str | None = None
    others_low: float | None = None
    others_high: float | None = None
    others_method: str | None = None


@dataclass(frozen=True, eq=False)
class Sampled:
    """A statistic of totals over clusters, and its value.

    scale: on which it is more nearly normal. lack: why there is too little for a jackknife
    interval, apart from too few clusters; empty where there is enough. too_rare: the same for a
    live interval. share: the statistic is the first total over the second, and what is summed in
    the first lies within 0 and 1. skewed: what single clusters add is often far to one side, and
    few clusters do not balance it: a jackknife interval is corrected for that.
    """

    contributions: Contributions
    statistic: Statistic
    value: float
    scale: Scale = NUMBERS
    lack: str = ""
    too_rare: str = ""
    share: bool = False
    skewed: bool = False

    @property
    def few(self) -> str:
        """Why there is too little for a jackknife interval; else empty."""
        n = len(self.contributions)
        few = f"too few sources ({n}, {FEWEST_CLUSTERS} are needed)" if n < FEWEST_CLUSTERS else ""
        return few or self.lack


def several_text(count: int, what: str) -> str:
    """A number of things, in words."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def no_bounds(bootstrap: Bootstrap, text: str, reason: str) -> Interval:
    """An interval that does not exist, and why."""
    return Interval(confidence=bootstrap.confidence, interval_method=f"{text}; none: {reason}")
