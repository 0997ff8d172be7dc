"""May a judge replace a person? The alternative annotator test of every judge against people."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agreement import AlternativeAnnotatorTest, Estimate, alternative_annotator_test
from results.data.options import Options
from results.data.parties import Pair, Parties
from results.data.ratings import Ratings, join
from results.metrics.kappas import POOLED
from results.metrics.rows import Row

# How near a person's answer is to another's: equal or not (accuracy), by negative RMSE, and by
# the share of elements in common.
DISTANCES = {"label": "nominal", "number": "interval", "set": "jaccard"}
# False discovery rate of the correction over people.
LEVEL = 0.05


def replacement_rows(ratings: Ratings, parties: Parties, options: Options) -> Iterator[Row]:
    """Winning rate and advantage probability of each judge, over the whole study. Ranks are no
    values of their own: the place of one text depends on those of the others."""
    if ratings.facet.ranks:
        return
    for pair in parties.pairs:
        if pair.first.several:
            yield from _of_pair(ratings, pair, options)


def _of_pair(ratings: Ratings, pair: Pair, options: Options) -> Iterator[Row]:
    people, judges = (ratings.by(one.raters).once() for one in (pair.first, pair.second))
    if not len(people) or not len(judges):
        return
    (judge,) = pair.second.raters
    found = _test(join(people, judges), judge, options)
    estimates = {
        "alt_winning_rate": _with_setting(found),
        "alt_advantage_probability": found.advantage_probability,
    }
    for metric, estimate in estimates.items():
        yield Row(
            metric=metric,
            facet=ratings.facet.name,
            raters=pair.name,
            aggregation=POOLED,
            estimate=estimate,
        )


def _test(ratings: Ratings, judge: int, options: Options) -> AlternativeAnnotatorTest:
    """The test on places that the judge rated: others say nothing, and there may be many."""
    judged = np.unique(ratings.place[ratings.rater == judge])
    shared = ratings.take(np.isin(ratings.place, judged))
    assert options.epsilon is not None  # settled by the study
    return alternative_annotator_test(
        shared.place,
        shared.rater.tolist(),
        shared.values,
        judge=judge,
        distance=DISTANCES[shared.facet.kind],
        epsilon=options.epsilon,
        level=LEVEL,
        clusters=shared.source,
        bootstrap=options.bootstrap,
    )


def _with_setting(found: AlternativeAnnotatorTest) -> Estimate:
    """The rate with what one needs to read it: no interval, but a setting and a correction."""
    rate = found.winning_rate
    if rate.value is None:
        return rate
    how = (
        f"no interval; epsilon {found.epsilon:g}, one-sided t tests at {LEVEL:g} corrected over "
        "people by Benjamini and Yekutieli; passed from 0.5"
    )
    return replace(rate, interval_method=how)
