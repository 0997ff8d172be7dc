"""How near a judge is to people, beside how near people are to each other."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from ..bootstrap.intervals import Bootstrap
from ..chance_corrected.distances import Distance, distance_named
from ..scores.means import mean_by
from ..scores.shares import LEAST_CLUSTERS, TOO_FEW_CLUSTERS
from ..values.coding import FloatArray, IntArray, code_ids, n_distinct
from ..values.estimate import Estimate
from ..values.ratings import Ids, TidyRatings, Values, read_ratings
from .other_people import WithoutOne, with_other_people
from .wins import distances_to_others

NO_SHARED = "no unit with the judge and a person"
NO_PEERS = "no unit with the judge and two people"


@dataclass(frozen=True, eq=False, kw_only=True)
class Closeness:
    """The U units that the judge and at least one person rated.

    row: (U,) where each unit stands first among the ratings. cluster: (U,) codes. n_people: (U,).
    judge: (U,) mean closeness of the judge to each person, from 0 to 1 (equal). people: (U,) mean
    closeness of each person to each other one, NaN where there is one person only. without: of
    units with two people or more, the gap without one of them at a time.
    """

    row: IntArray
    cluster: IntArray
    n_people: IntArray
    judge: FloatArray
    people: FloatArray
    without: WithoutOne

    def __len__(self) -> int:
        return len(self.row)

    @property
    def gap(self) -> FloatArray:
        """People's closeness minus the judge's, NaN where there is one person only."""
        return self.people - self.judge


@dataclass(frozen=True, kw_only=True)
class AgreementGap:
    """among_people, with_judge: mean closeness over the units. gap: the first minus the second."""

    among_people: Estimate
    with_judge: Estimate
    gap: Estimate


def closeness(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    judge: Hashable,
    distance: str,
    span: float = 0.0,
    clusters: Ids | None = None,
) -> Closeness:
    """Unit by unit, how near the judge and the people are to each other.

    The closeness of two values is 1 minus their distance: 1 for equal labels and 0 for others,
    the Jaccard index of sets, and for numbers 1 - |x - y| / span. Of a unit with k people, the
    judge's is its mean to each of the k, and people's that of each to the k - 1 others: leaving
    one person out at a time, judge and person are held against the same others.

    Parameters
    ----------
    units, raters, values, clusters : as for `alpha`; every rater but the judge is a person.
    judge : the judge's id among the raters.
    distance : nominal, jaccard or interval, the last for numbers, whose differences count as they
        are and not squared.
    span : of numbers, the length of their scale, above 0; farther apart counts as 0.

    None and NaN are missing ratings. Returns a Closeness, without intervals; people's closeness is
    undefined (NaN) where one person rated a unit. Errors as for `alpha`; ValueError for numbers
    without a span.

    Source: as for `agreement_gap`.
    """
    measure = _measure(distance, span)
    tidy = read_ratings(units, raters, values, kind=measure.kind, clusters=clusters)
    codes = dict(zip(raters, code_ids(raters)[0].tolist(), strict=True))
    of_units, first = np.unique(code_ids(units)[0], return_index=True)
    row = np.zeros(len(tidy.cluster_of_unit), dtype=np.int64)
    row[of_units] = first
    return _closeness(tidy, codes.get(judge, -1), measure, row)


def agreement_gap(close: Closeness, *, bootstrap: Bootstrap | None = None) -> AgreementGap:
    """How far the judge falls short of the people's own agreement, the noise ceiling.

    gap = mean over units of people's closeness minus the judge's, over the units with the judge
    and two people or more. 0: the judge is as near to a person as another person is. A judge that
    is nearer than people are has a negative gap.

    Returns an AgreementGap: closeness in [0, 1], the gap in [-1, 1], with bootstrap intervals over
    clusters from ten of them on. n_units counts units, n_ratings the people's ratings. People are
    held fixed: the intervals speak of other units, not of other people. A jackknife interval of the
    gap has one for people like these beside it, from three people on (`with_other_people`).
    bootstrap: as for `alpha`, None for no intervals. Undefined: no such unit.

    Source: the noise ceiling by leaving one person out is Nili, Wingfield, Walther, Su,
    Marslen-Wilson and Kriegeskorte (2014), "A toolbox for representational similarity analysis",
    there of correlations.
    """
    peers = np.flatnonzero(close.n_people >= 2)
    n_ratings = int(close.n_people[peers].sum())
    if not len(peers):
        nothing = Estimate.missing(NO_PEERS if len(close) else NO_SHARED, n_units=0, n_ratings=0)
        return AgreementGap(among_people=nothing, with_judge=nothing, gap=nothing)
    cluster = close.cluster[peers]

    def mean(values: FloatArray, ends: tuple[float, float] = (0, 1)) -> Estimate:
        return _mean_over(values[peers], ends, cluster, n_ratings, bootstrap)

    gap = with_other_people(mean(close.gap, (-1, 1)), close.without, bootstrap)
    return AgreementGap(among_people=mean(close.people), with_judge=mean(close.judge), gap=gap)


def _mean_over(
    values: FloatArray,
    ends: tuple[float, float],
    cluster: IntArray,
    n_ratings: int,
    bootstrap: Bootstrap | None,
) -> Estimate:
    few = n_distinct(cluster) < LEAST_CLUSTERS
    estimate = mean_by(values, clusters=cluster, ends=ends, bootstrap=None if few else bootstrap)
    estimate = replace(estimate, sd=None, sd_ddof=None, n_ratings=n_ratings)
    if few and bootstrap is not None:
        return replace(estimate, confidence=bootstrap.confidence, interval_method=TOO_FEW_CLUSTERS)
    return estimate


def _measure(distance: str, span: float) -> Distance:
    measure = distance_named(distance)
    if measure.kind != "number":
        return measure
    if not span > 0:
        raise ValueError("the closeness of numbers needs the length of their scale")

    def apart(domain: FloatArray, i: IntArray, j: IntArray) -> FloatArray:
        return np.minimum(np.abs(domain[i] - domain[j]) / span, 1.0)

    return replace(measure, between=apart)


def _closeness(tidy: TidyRatings, judge: int, measure: Distance, row: IntArray) -> Closeness:
    n_units = len(tidy.cluster_of_unit)
    judged = np.full(n_units, -1, dtype=np.int64)
    judged[tidy.unit[tidy.rater == judge]] = tidy.code[tidy.rater == judge]
    people = tidy.of((tidy.rater != judge) & (judged[tidy.unit] >= 0))
    people = people.of(np.argsort(people.unit, kind="stable"))
    unit, start = np.unique(people.unit, return_index=True)
    size = np.diff(start, append=len(people.unit))
    towards = measure.between(people.domain, judged[people.unit], people.code)
    if not len(unit):
        nothing, none = np.zeros(0), np.zeros(0, dtype=np.int64)
        without = WithoutOne(rater=none, cluster=none, size=none, gap=nothing, without=nothing)
        return Closeness(
            row=none, cluster=none, n_people=none, judge=nothing, people=nothing, without=without
        )
    to_others = distances_to_others(people, measure)
    apart, far = np.add.reduceat(to_others, start), np.add.reduceat(towards, start)
    pairs = size * (size - 1)
    return Closeness(
        row=row[unit],
        cluster=tidy.cluster_of_unit[unit],
        n_people=size,
        judge=1 - far / size,
        people=np.where(pairs > 0, 1 - apart / np.maximum(pairs, 1), np.nan),
        without=_without(people, to_others, towards, start, size),
    )


def _without(
    people: TidyRatings,
    to_others: FloatArray,
    towards: FloatArray,
    start: IntArray,
    size: IntArray,
) -> WithoutOne:
    """Each rating that has others on its unit. to_others, towards: its distance to all other people
    and to the judge. start, size: of each unit among the ratings, which are sorted by unit."""
    of = np.repeat(np.arange(len(size)), size)
    apart, far, k = (
        side[of]
        for side in (np.add.reduceat(to_others, start), np.add.reduceat(towards, start), size)
    )
    rows = np.flatnonzero(k >= 2)
    apart, far, k = apart[rows], far[rows], k[rows]
    apart_left, far_left = apart - 2 * to_others[rows], far - towards[rows]
    pairs_left = np.where(k > 2, (k - 1) * (k - 2), np.nan)
    return WithoutOne(
        rater=people.rater[rows],
        cluster=people.cluster_of_unit[people.unit[rows]],
        size=k,
        gap=far / k - apart / (k * (k - 1)),
        without=far_left / (k - 1) - apart_left / pairs_left,
    )
