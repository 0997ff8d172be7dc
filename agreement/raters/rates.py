"""How often a judge says yes where people do, and no where they do not."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bootstrap.intervals import Bootstrap, Interval, bootstrap_interval
from ..bootstrap.resampling import Contributions
from ..bootstrap.scales import COEFFICIENTS, SHARES
from ..scores.shares import (
    LEAST_CLUSTERS,
    are_single,
    ratio_of_totals,
    share_of,
    too_few,
    totals_of,
    wilson,
)
from ..values.coding import FloatArray, IntArray, code_ids
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids

YesNo = Sequence[bool] | npt.NDArray[np.bool_]

NO_YES = "no unit that people say yes to"
NO_NO = "no unit that people say no to"
NO_YES_OF_JUDGE = "no unit that the judge says yes to"
NO_UNITS = "no unit with an answer of people and of the judge"
NO_CHANCE = "the judge is no better than chance: its rates add up to 1 or less"


@dataclass(frozen=True, kw_only=True)
class YesNoRates:
    """A judge's answers beside the people's, each to the units that both answered.

    true_positive_rate: share of the units with the people's yes that have the judge's.
    true_negative_rate: the same of no. precision: share of the units with the judge's yes that
    have the people's. bias: the judge's share of yes minus the people's.
    """

    true_positive_rate: Estimate
    true_negative_rate: Estimate
    precision: Estimate
    bias: Estimate


def yes_no_rates(
    people: YesNo,
    judge: YesNo,
    *,
    weights: Sequence[float] | npt.NDArray[Any] | None = None,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> YesNoRates:
    """True positive rate, true negative rate, precision and bias of a judge's yes.

    Parameters
    ----------
    people, judge : (N,) whether they say yes; people as one, by consensus.
    weights : (N,) how many units an entry stands for, above 0; 1 each when left out. A set
        stands for as many yes and no as there are parts to choose from, and a number halfway
        between two points for half a unit at each.
    clusters : (N,) ids of what is resampled, usually the source; each entry when left out.
    bootstrap : as for `alpha`; None for no intervals at all.

    Returns YesNoRates. Shares lie in [0, 1], with the intervals of `share_of`, and n_units counts
    their denominators: the units with the people's yes, with their no, with the judge's yes. The
    bias lies in [-1, 1]; its interval is Newcombe's where every unit is its own cluster, else the
    bootstrap over clusters, from ten of them on; where the two never differ it is 0 -+ Wilson's
    upper bound of the share of clusters that do. Undefined: no such unit. Raises ValueError for
    different lengths or a weight that is not above 0.

    Source: Yerushalmy (1947), "Statistical problems in assessing methods of medical diagnosis";
    Wilson (1927); Newcombe (1998), "Improved confidence intervals for the difference between
    binomial proportions based on paired data", method 10.
    """
    table = _Table.of(people, judge, weights, clusters)
    yes, no, judged = table.weight * table.people, table.weight * ~table.people, table.judged
    both = judged * table.people
    neither = no * ~table.judge
    return YesNoRates(
        true_positive_rate=share_of(both, yes, table.cluster, bootstrap, missing_reason=NO_YES),
        true_negative_rate=share_of(neither, no, table.cluster, bootstrap, missing_reason=NO_NO),
        precision=share_of(both, judged, table.cluster, bootstrap, missing_reason=NO_YES_OF_JUDGE),
        bias=_bias(table, bootstrap),
    )


def corrected_rate(
    people: YesNo,
    judge: YesNo,
    judge_alone: YesNo,
    *,
    weights: Sequence[float] | npt.NDArray[Any] | None = None,
    weights_alone: Sequence[float] | npt.NDArray[Any] | None = None,
    clusters: Ids | None = None,
    clusters_alone: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """The share of yes that people would give to all units, from the judge's share and its errors.

    rate = (judge's share over all units + TNR - 1) / (TPR + TNR - 1), kept within 0 and 1; the two
    rates are those of `yes_no_rates` on the units that people answered as well. It holds where the
    judge errs on the others as often as on these.

    Parameters
    ----------
    people, judge : (n,) as for `yes_no_rates`.
    judge_alone : (M,) the judge's answers to the units that no person answered.
    weights, weights_alone, clusters, clusters_alone : of both; clusters of both share their ids.
        No answer is missing: leave such units out.
    bootstrap : as for `alpha`, None for no interval; clusters of all units are drawn together.

    Returns an Estimate in [0, 1]; n_units counts all units, n_ratings those with people's answers.
    Without an interval below ten clusters with people's answers. Undefined: people say yes or no
    to none, or the judge is no better than chance. Raises ValueError as `yes_no_rates` does.

    Source: Rogan and Gladen (1978), "Estimating prevalence from the results of a screening test".
    """
    table = _Table.of(people, judge, weights, None)
    rest = _Table.of(judge_alone, judge_alone, weights_alone, None)
    own = clusters if clusters is not None else [("shared", at) for at in range(len(people))]
    alone = clusters_alone if clusters_alone is not None else [*range(len(judge_alone))]
    cluster, _ = code_ids([*own, *alone])
    n = Counts(
        n_units=round(float(table.weight.sum() + rest.weight.sum())),
        n_ratings=round(float(table.weight.sum())),
    )
    totals = totals_of(_counts_of(table, rest), cluster)
    value = float(_rogan_gladen(totals.total())[0]) if len(totals) else np.nan
    if np.isnan(value):
        return Estimate.missing(_why_uncorrected(totals.total()[0]), **n)
    answered = len(np.unique(cluster[: len(table.weight)]))
    return Estimate(value=value, **vars(_corrected_bounds(totals, value, answered, bootstrap)), **n)


def _counts_of(table: "_Table", rest: "_Table") -> list[FloatArray]:
    """Of every entry of both: true yes, yes, true no, no, the judge's yes, all."""
    counts = [
        table.judged * table.people,
        table.weight * table.people,
        table.weight * ~table.people * ~table.judge,
        table.weight * ~table.people,
        table.judged,
        table.weight,
    ]
    extra = [np.zeros(len(rest.weight))] * 4 + [rest.judged, rest.weight]
    return [np.concatenate(pair) for pair in zip(counts, extra, strict=True)]


def _corrected_bounds(
    totals: Contributions, value: float, answered: int, bootstrap: Bootstrap | None
) -> Interval:
    """answered: the number of clusters with people's answers."""
    if bootstrap is None:
        return Interval()
    if answered < LEAST_CLUSTERS:
        return too_few(answered, bootstrap)
    return bootstrap_interval(totals, _rogan_gladen, value, bootstrap, scale=SHARES)


@dataclass(frozen=True, eq=False)
class _Table:
    """N entries as arrays: both answers, what they stand for, and their clusters as codes."""

    people: npt.NDArray[np.bool_]
    judge: npt.NDArray[np.bool_]
    weight: FloatArray
    cluster: IntArray

    @classmethod
    def of(
        cls,
        people: YesNo,
        judge: YesNo,
        weights: Sequence[float] | npt.NDArray[Any] | None,
        clusters: Ids | None,
    ) -> "_Table":
        n = len(people)
        weight = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
        cluster = np.arange(n) if clusters is None else code_ids(clusters)[0]
        if {len(judge), len(weight), len(cluster)} != {n}:
            raise ValueError("people, judge, weights and clusters differ in length")
        if not (weight > 0).all():
            raise ValueError("a weight is not above 0")
        yes, judged = np.asarray(people, dtype=bool), np.asarray(judge, dtype=bool)
        return cls(yes, judged, weight, cluster)

    @property
    def judged(self) -> FloatArray:
        """The weight of each entry to which the judge says yes."""
        return np.asarray(self.weight * self.judge)


def _bias(table: _Table, bootstrap: Bootstrap | None) -> Estimate:
    total = float(table.weight.sum())
    if not total:
        return Estimate.missing(NO_UNITS, n_units=0)
    apart = table.weight * (table.judge.astype(np.float64) - table.people)
    value = float(apart.sum()) / total
    bounds = Interval() if bootstrap is None else _bias_bounds(table, apart, value, bootstrap)
    return Estimate(value=value, n_units=round(total), **vars(bounds))


def _bias_bounds(table: _Table, apart: FloatArray, value: float, bootstrap: Bootstrap) -> Interval:
    n_clusters = int(table.cluster.max()) + 1
    if not apart.any():
        most = wilson(0.0, n_clusters, bootstrap.confidence)[1]
        text = f"Wilson, {n_clusters} clusters, of how many differ: none"
        return Interval(low=-most, high=most, confidence=bootstrap.confidence, interval_method=text)
    if are_single(table.weight, table.cluster):
        low, high = _newcombe(table.people, table.judge, bootstrap.confidence)
        text = f"Newcombe, {n_clusters} clusters"
        return Interval(low=low, high=high, confidence=bootstrap.confidence, interval_method=text)
    if n_clusters < LEAST_CLUSTERS:
        return too_few(n_clusters, bootstrap)
    totals = totals_of([apart, table.weight], table.cluster)
    return bootstrap_interval(totals, ratio_of_totals, value, bootstrap, scale=COEFFICIENTS)


def _newcombe(
    people: npt.NDArray[np.bool_], judge: npt.NDArray[np.bool_], confidence: float
) -> tuple[float, float]:
    """The judge's share minus the people's: the square-and-add interval of paired shares."""
    n = len(people)
    yes, judged, both = float(people.sum()), float(judge.sum()), float((people & judge).sum())
    product = yes * (n - yes) * judged * (n - judged)
    phi = (both * (n - yes - judged + both) - (yes - both) * (judged - both)) / sqrt(product or 1.0)
    first, second = judged / n, yes / n
    low, high = wilson(first, n, confidence)
    other_low, other_high = wilson(second, n, confidence)
    below = _added(first - low, other_high - second, phi)
    above = _added(high - first, second - other_low, phi)
    return first - second - below, first - second + above


def _added(one: float, other: float, phi: float) -> float:
    return sqrt(max(one * one - 2 * phi * one * other + other * other, 0.0))


def _rogan_gladen(totals: FloatArray) -> FloatArray:
    """(r, 6) true yes, yes, true no, no, judge's yes, all -> (r,), NaN where undefined."""
    rates = np.full((3, len(totals)), np.nan)
    for row, (hits, sizes) in zip(rates, ((0, 1), (2, 3), (4, 5)), strict=True):
        np.divide(totals[:, hits], totals[:, sizes], out=row, where=totals[:, sizes] > 0)
    informed = rates[0] + rates[1] - 1
    value = np.full(len(totals), np.nan)
    np.divide(rates[2] + rates[1] - 1, informed, out=value, where=informed > 0)
    return np.asarray(np.clip(value, 0.0, 1.0))


def _why_uncorrected(totals: FloatArray) -> str:
    if not totals[1]:
        return NO_YES
    return NO_CHANCE if totals[3] else NO_NO
