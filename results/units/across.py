"""The units behind a comparison of people's answers with a judge's numbers in another facet."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from estimates.data.parties import Party
from estimates.data.ratings import Ratings
from estimates.data.table import FloatArray
from estimates.metrics.averages import has_numbers, numbers_of
from results.units.lines import UnitLines


def scores_elsewhere(
    ratings: Ratings, scores: Sequence[Ratings], judge: Party, wanted: str
) -> Ratings | None:
    """The judge's numbers in the wanted facet; where none is named and the judge has no answers in
    the facet of `ratings`, those in the facet that it has answers in. None: there are none."""
    theirs = [of.by(judge.raters).once() for of in scores]
    theirs = [of for of in theirs if len(of)]
    if not theirs or (not wanted and len(ratings.by(judge.raters))):
        return None
    return theirs[0]


def lines_across(people: Ratings, judge: Ratings) -> UnitLines:
    """The units with items that both have answered, those first that the two rank most unlike.

    The facets may have different scales: disagreement is the distance between the ranks that an
    item has among them, as a share of the most there can be.
    """
    shared = np.intersect1d(people.owner, judge.owner)
    people = people.take(np.isin(people.owner, shared))
    judge = judge.take(np.isin(judge.owner, shared))
    places, first = np.unique(people.place, return_index=True)
    apart = np.full(len(places), np.nan)
    if has_numbers(people.facet) and len(shared):
        ranks = np.abs(_ranks(people) - _ranks(judge))
        apart = ranks[np.searchsorted(shared, people.owner[first])]
    lines = UnitLines.of(people, places, apart)
    ids = np.array(judge.material.unit_ids, dtype=np.int64)[judge.unit]
    units, counts = np.unique(ids, return_counts=True)
    return replace(lines, answers=lines.answers + counts[np.searchsorted(units, lines.unit_id)])


def _ranks(ratings: Ratings) -> FloatArray:
    """The rank of each item, by the mean of its numbers, from 0 to 1; equal means share theirs."""
    _, which = np.unique(ratings.owner, return_inverse=True)
    means = np.bincount(which, weights=numbers_of(ratings)) / np.bincount(which)
    _, at, sizes = np.unique(means, return_inverse=True, return_counts=True)
    middles = np.cumsum(sizes) - (sizes + 1) / 2
    return np.asarray(middles[at] / max(len(means) - 1, 1))
