"""Figures that are averaged within an item, then over items: P, R, F1, means and quartiles."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from math import inf
from typing import Any

import numpy as np

from agreement import Estimate, mean_by, quantile_by, set_scores_each
from agreement.values.rounding import reaches
from estimates import catalogue
from estimates.data.groups import SYSTEM
from estimates.data.ratings import Ratings, distinct_pairs, ends_of
from estimates.data.rows import PER_ITEM
from estimates.data.table import BoolArray, FloatArray
from estimates.statistics.statistic import EVERY, Figure, Rated, Scope, Statistic
from tasktypes.facets import Facet

SET_SCORES = ("precision", "recall", "f1")
# Published tables give P/R/F1 with the population's deviation, ratings with the sample's.
POPULATION, SAMPLE = 0, 1
SHARES, OPEN = (0.0, 1.0), (-inf, inf)
QUANTILES = {"lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}
# Quantiles are resampled value by value: beyond so many of them that takes minutes.
MOST_RESAMPLED = 20_000
NO_REFERENCE = "no question with a right answer"
# Ratings of only those texts whose citations could be recovered.
ATTRIBUTION = "attribution"
THRESHOLDS = {"F1 = 1": 1.0, "F1 >= 0.9": 0.9}
NONE_KEPT = "no unit reaches that F1"


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbers(Rated):
    """Ratings whose numbers are values to be averaged, NaN where there is none.

    metric: what their mean is called. ddof: as in a mean's deviation. reason: why there is no mean
    where every number is NaN. of_items: whether a value stands for all raters of an item. ends:
    between which every value lies that there could be.
    """

    metric: str
    ddof: int
    reason: str = NO_REFERENCE
    of_items: bool = False
    ends: tuple[float, float] = OPEN

    @property
    def nothing(self) -> Estimate:
        return (
            Estimate.missing(self.missing_reason, n_units=0) if self.of_items else super().nothing
        )


def stand_for(
    sample: Rated,
    metric: str,
    values: FloatArray,
    ddof: int,
    reason: str = NO_REFERENCE,
    *,
    of_items: bool = False,
    ends: tuple[float, float] = OPEN,
) -> Numbers:
    """The sample with a value in place of every rating."""
    about = {field.name: getattr(sample, field.name) for field in fields(Rated)}
    about["ratings"] = replace(sample.ratings, number=values)
    return Numbers(**about, metric=metric, ddof=ddof, reason=reason, of_items=of_items, ends=ends)


def mean(numbers: Numbers) -> Iterator[Figure]:
    """Mean within a place, within an item, then over items, which `n_units` counts."""
    ratings, several = numbers.ratings, numbers.several and not numbers.of_items
    live = catalogue.metric(numbers.metric).live
    make = numbers.live_bootstrap if live else numbers.options.bootstrap_of
    estimate = mean_by(
        ratings.number,
        ratings.place,
        ratings.owner,
        clusters=ratings.source,
        units=ratings.owner,
        raters=ratings.rater,
        ddof=numbers.ddof,
        ends=numbers.ends if live or not _are_shares(numbers) else SHARES,
        bootstrap=make(several=several),
    )
    if estimate.undefined:
        estimate = Estimate.missing(numbers.reason, n_units=0, n_ratings=0)
    if numbers.of_items:
        estimate = replace(estimate, n_raters=None, n_ratings=None)
    yield Figure(numbers.metric, estimate)


def _are_shares(numbers: Numbers) -> bool:
    """Whether all values lie within 0 and 1, as shares, F1 and the like do."""
    values = numbers.ratings.number
    return numbers.ddof == POPULATION and not ((values < 0) | (values > 1)).any()


def measure(ratings: Ratings) -> tuple[dict[str, FloatArray], int]:
    """What is averaged, one value per rating and NaN where there is none, and the deviation's
    divisor: scores for sets that have a reference, the numbers themselves for numbers, and 1 for
    the first of two labels."""
    if ratings.facet.kind == "set":
        return scores(ratings), POPULATION
    if not has_numbers(ratings.facet):
        return {}, POPULATION
    if ratings.facet.kind == "number":
        return {"mean": ratings.number}, SAMPLE
    return {"share": numbers_of(ratings)}, POPULATION


def has_numbers(facet: Facet) -> bool:
    """Whether ratings are numbers, or one of two labels such as yes and no."""
    return facet.kind == "number" or (facet.kind == "label" and len(facet.labels) == 2)


def numbers_of(ratings: Ratings) -> FloatArray:
    """The ratings as numbers: 1 for the first of two labels and 0 for the second."""
    if ratings.facet.kind == "number":
        return ratings.number
    is_first = [float(value == ratings.facet.labels[0]) for value in ratings.domain]
    return np.array(is_first, dtype=np.float64)[ratings.code]


def scores(ratings: Ratings) -> dict[str, FloatArray]:
    """Precision, recall and F1 of each rating; NaN where the question has no reference."""
    referenced = np.flatnonzero(ratings.reference >= 0)
    distinct, which = distinct_pairs(ratings.code[referenced], ratings.reference[referenced])
    domain: Any = ratings.domain  # sets, all of them
    each = set_scores_each(
        [domain[code] for code, _ in distinct], [domain[reference] for _, reference in distinct]
    )
    values = {name: np.full(len(ratings), np.nan) for name in SET_SCORES}
    for name in SET_SCORES:
        values[name][referenced] = getattr(each, name)[which]
    return values


def _measures(sample: Rated) -> Iterator[Numbers]:
    values, ddof = measure(sample.ratings)
    for metric, of_ratings in values.items():
        ends = ends_of(sample.ratings) if metric == "mean" else SHARES
        yield stand_for(sample, metric, of_ratings, ddof, ends=ends)


def _quartiles(sample: Rated) -> Iterator[Figure]:
    """Quartiles of the items' means."""
    ratings = sample.ratings
    few = len(np.unique(ratings.owner)) <= MOST_RESAMPLED
    for metric, level in QUANTILES.items():
        estimate = quantile_by(
            ratings.number,
            ratings.place,
            ratings.owner,
            level=level,
            clusters=ratings.source,
            units=ratings.owner,
            raters=ratings.rater,
            bootstrap=sample.options.bootstrap if few else None,
        )
        if not few:
            reason = f"none: more than {MOST_RESAMPLED} items"
            estimate = replace(estimate, interval_method=reason)
        yield Figure(metric, estimate)


def attributed(scope: Scope) -> Iterator[Numbers]:
    """Numbers of the units whose citations a party recovered itself, by threshold."""
    facets = scope.data.ratings.values()
    recovered = next((ratings for ratings in facets if _is_scored(ratings)), None)
    if recovered is None:
        return
    for ratings in facets:
        for party in scope.parties.groups if ratings.facet.is_score else ():
            sample = Rated.by(party, scope, ratings.by(party.raters))
            theirs = recovered.by(party.raters)
            for name, threshold in THRESHOLDS.items() if len(sample) and len(theirs) else ():
                kept = _reaching(sample.ratings, theirs, threshold)
                values = np.where(kept, sample.ratings.number, np.nan)
                part = replace(sample, group={ATTRIBUTION: name})
                ends = ends_of(sample.ratings)
                yield stand_for(part, "mean", values, SAMPLE, NONE_KEPT, ends=ends)


def _is_scored(ratings: Ratings) -> bool:
    return ratings.facet.kind == "set" and bool((ratings.reference >= 0).any())


def _reaching(ratings: Ratings, recovered: Ratings, threshold: float) -> BoolArray:
    """Which ratings are of units with a mean F1 of at least so much."""
    f1 = scores(recovered)["f1"]
    defined = ~np.isnan(f1)
    units, which = np.unique(recovered.unit[defined], return_inverse=True)
    means = np.bincount(which, weights=f1[defined]) / np.bincount(which)
    return np.isin(ratings.unit, units[[reaches(mean, threshold) for mean in means.tolist()]])


MEAN = Statistic(
    compute=mean,
    by=EVERY,
    aggregation=PER_ITEM,
    missing=lambda numbers: (numbers.metric,),
)
AVERAGES = replace(MEAN, values=_measures)
ATTRIBUTED = replace(MEAN, by={SYSTEM})
QUARTILES = Statistic(
    compute=_quartiles,
    by={SYSTEM},
    aggregation=PER_ITEM,
    applies=lambda facet: facet.kind == "number" and not facet.ranks,
)
