"""People who gave the same answers throughout."""

from collections.abc import Iterator

import numpy as np

from agreement import Estimate, equal_pairs
from annotation.rater_names import BETWEEN
from estimates.statistics.statistic import Figure, Rated, Statistic, can_agree

METRIC, NO_INTERVAL = "equal_answers", "no interval"


def _equal_answers(crowd: Rated) -> Iterator[Figure]:
    """A figure for each two people who never differ, where that is hardly chance; no others."""
    ratings = crowd.ratings
    name_of = {pk: party.name for party in crowd.scope.parties.singles for pk in party.raters}
    if not name_of:
        return
    raters, which = np.unique(ratings.rater, return_inverse=True)
    places = np.unique(ratings.place, return_inverse=True)[1]
    number = ratings.facet.kind == "number"
    values = np.unique(ratings.number, return_inverse=True)[1] if number else ratings.code
    for pair in equal_pairs(places, which, values):
        names = sorted(name_of[int(raters[rater])] for rater in (pair.first, pair.second))
        estimate = Estimate(
            value=1.0,
            interval_method=NO_INTERVAL,
            n_units=pair.shared,
            n_raters=2,
            n_ratings=2 * pair.shared,
        )
        yield Figure(METRIC, estimate, raters=BETWEEN.join(names))


EQUAL_ANSWERS = Statistic(compute=_equal_answers, applies=can_agree)
