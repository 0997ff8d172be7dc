"""The alternative annotator test: whether a judge may replace a person."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agreement import AlternativeAnnotatorTest, Estimate, alternative_annotator_test
from estimates.catalogue.judges import ALT_GAP, ALT_WINNING_RATE
from estimates.data.raters import UNNAMED
from estimates.data.ratings import join
from estimates.statistics.samples import Compared
from estimates.statistics.statistic import Figure, Statistic, can_agree

# How near a person's answer is to another's: equal or not (accuracy), by negative RMSE, and by
# the share of elements in common.
DISTANCES = {"label": "nominal", "number": "interval", "set": "jaccard"}
# False discovery rate of the correction over people.
LEVEL = 0.05


def _replacement(two: Compared) -> Iterator[Figure]:
    """Winning rate, advantage probability and gap of a judge, over the whole study."""
    if two.numbered:
        yield Figure(ALT_WINNING_RATE, Estimate.missing(UNNAMED))
        return
    test = _test(two)
    yield Figure(ALT_WINNING_RATE, _with_setting(test))
    yield Figure("alt_advantage_probability", test.advantage_probability)
    yield Figure(ALT_GAP, test.gap)


def _test(two: Compared) -> AlternativeAnnotatorTest:
    """The test on places that the judge rated: others have no effect, and there may be many."""
    (judge,) = two.pair.second.raters
    people = two.ratings.take(np.isin(two.ratings.place, two.second.place))
    shared, epsilon = join(people, two.second), two.options.epsilon
    assert epsilon is not None  # settled by the study
    return alternative_annotator_test(
        shared.place,
        shared.rater.tolist(),
        shared.values,
        judge=judge,
        distance=DISTANCES[shared.facet.kind],
        epsilon=epsilon,
        level=LEVEL,
        clusters=shared.source,
        bootstrap=two.options.bootstrap,
    )


def _with_setting(test: AlternativeAnnotatorTest) -> Estimate:
    """The rate with its setting and correction; it has no interval."""
    rate = test.winning_rate
    if rate.value is None:
        return rate
    how = (
        f"no interval; epsilon {test.epsilon:g}, one-sided t tests over sources at {LEVEL:g} "
        "corrected over people by Benjamini and Yekutieli; passed from 0.5"
    )
    return replace(rate, interval_method=how)


# Ranks are no values of their own: the place of one text depends on those of the others.
REPLACEMENT = Statistic(
    compute=_replacement, applies=lambda facet: not facet.ranks and can_agree(facet)
)
