"""Figures that are averaged within an item, then over items: P, R, F1 and means."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from agreement import Bootstrap, Estimate, mean_by, quantile_by, set_scores_each
from results.data.groups import GROUP_KEYS, SYSTEM, parts
from results.data.options import Options
from results.data.parties import Party
from results.data.ratings import Ratings, distinct_pairs
from results.data.table import FloatArray
from results.metrics.rows import Group, Row

PER_ITEM = "per_item"
SET_SCORES = ("precision", "recall", "f1")
# Published tables give P/R/F1 with the population's deviation, ratings with the sample's.
POPULATION, SAMPLE = 0, 1
TWO = 2
QUANTILES = {"lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}
# Parts of a study that figures are given for: all of them, or none but the whole.
EVERY: Collection[str] = GROUP_KEYS
WHOLE: Collection[str] = ()
# Quantiles are resampled value by value: beyond so many of them that takes minutes.
MOST_RESAMPLED = 20_000
NO_REFERENCE = "no question with a right answer"


def averages(
    ratings: Ratings, party: Party, options: Options, *, whole_only: bool = False
) -> Iterator[Row]:
    """What a party scores or gives on average, as a whole and by group; of numbers, beside the
    mean, the quartiles."""
    theirs = ratings.by(party.raters)
    measures, ddof = measure(theirs)
    keys = WHOLE if whole_only else EVERY
    yield from average_rows(theirs, measures, party, options, ddof=ddof, keys=keys)
    if theirs.facet.kind == "number" and not theirs.facet.ranks and not whole_only:
        yield from _quantiles(theirs, party, options)


def average_rows(
    theirs: Ratings,
    measures: Mapping[str, FloatArray],
    party: Party,
    options: Options,
    *,
    ddof: int,
    keys: Collection[str] = EVERY,
    reason: str = NO_REFERENCE,
    of_raters: bool = True,
) -> Iterator[Row]:
    """Means of values by name, one value per rating of a party and NaN where there is none.

    keys: what figures of parts are grouped by. reason: why there is no mean where every value is
    NaN. of_raters: whether a value is what its rater alone gave, so that raters can be drawn.
    """
    bootstrap = options.bootstrap_of(several=party.several and of_raters)
    for name, values in measures.items():
        if not len(theirs):
            if party.several:
                yield _row(theirs, name, party, {}, _nobody(party))
            continue
        for group, mask in parts(theirs):
            if not group.keys() <= set(keys):
                continue
            estimate = _mean(theirs.take(mask), values[mask], ddof, bootstrap, reason)
            yield _row(theirs, name, party, group, estimate)


def measure(ratings: Ratings) -> tuple[dict[str, FloatArray], int]:
    """What is averaged, one value per rating and NaN where there is none, and the deviation's
    divisor: scores for sets that have a reference, the numbers themselves for numbers, and 1 for
    the first of two labels."""
    if ratings.facet.kind == "number":
        return {"mean": ratings.number}, SAMPLE
    if ratings.facet.kind == "set":
        return scores(ratings), POPULATION
    if len(ratings.facet.labels) == TWO:
        first = [float(value == ratings.facet.labels[0]) for value in ratings.domain]
        return {"share": np.array(first)[ratings.code]}, POPULATION
    return {}, POPULATION


def scores(ratings: Ratings) -> dict[str, FloatArray]:
    """Precision, recall and F1 of each rating; NaN where the question has no reference."""
    known = np.flatnonzero(ratings.reference >= 0)
    distinct, which = distinct_pairs(ratings.code[known], ratings.reference[known])
    domain: Any = ratings.domain  # sets, all of them
    found = set_scores_each(
        [domain[code] for code, _ in distinct], [domain[reference] for _, reference in distinct]
    )
    values = {name: np.full(len(ratings), np.nan) for name in SET_SCORES}
    for name in SET_SCORES:
        values[name][known] = getattr(found, name)[which]
    return values


def _mean(
    ratings: Ratings, values: FloatArray, ddof: int, bootstrap: Bootstrap | None, reason: str
) -> Estimate:
    """Mean within a place, within an item, then over items."""
    estimate = mean_by(
        values,
        ratings.place,
        ratings.owner,
        clusters=ratings.source,
        raters=ratings.rater,
        ddof=ddof,
        bootstrap=bootstrap,
    )
    if estimate.undefined and len(ratings):
        return Estimate.missing(reason, n_units=0, n_ratings=0)
    return estimate


def _quantiles(theirs: Ratings, party: Party, options: Options) -> Iterator[Row]:
    """Quartiles of the items' means, as a whole and by system."""
    for group, mask in parts(theirs):
        if not len(theirs) or not group.keys() <= {SYSTEM}:
            continue
        part = theirs.take(mask)
        few = len(np.unique(part.owner)) <= MOST_RESAMPLED
        bootstrap = options.bootstrap if few else None
        for name, level in QUANTILES.items():
            estimate = quantile_by(
                part.number,
                part.place,
                part.owner,
                level=level,
                clusters=part.source,
                raters=part.rater,
                bootstrap=bootstrap,
            )
            if not few:
                reason = f"none: more than {MOST_RESAMPLED} items"
                estimate = replace(estimate, interval_method=reason)
            yield _row(theirs, name, party, group, estimate)


def _nobody(party: Party) -> Estimate:
    return Estimate.missing(party.silence, n_units=0, n_raters=0, n_ratings=0)


def _row(ratings: Ratings, metric: str, party: Party, group: Group, estimate: Estimate) -> Row:
    return Row(
        metric=metric,
        facet=ratings.facet.name,
        raters=party.name,
        group=group,
        aggregation=PER_ITEM,
        estimate=estimate,
    )
