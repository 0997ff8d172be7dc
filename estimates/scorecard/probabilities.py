"""A judge's scores in another facet beside people's yes; from 0 to 1, as its probabilities."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agreement import Estimate, probability_scores, ranking_area
from estimates.catalogue.meta_evaluation import RANKING_AREA
from estimates.catalogue.scorecard import BRIER, CALIBRATION_ERROR, OBSERVED, PREDICTED
from estimates.data.ratings import Ratings, by_item
from estimates.data.table import FloatArray
from estimates.scorecard.labels import Labels
from estimates.statistics.samples import Compared
from estimates.statistics.statistic import Figure, Statistic

BIN = "bin"
PROBABILITIES = (0.0, 1.0)
EVEN = 0.5


def _scores(two: Compared) -> Iterator[Figure]:
    """The area under the ROC curve; of probabilities Brier score, calibration error and curve. By
    item."""
    judge = two.second
    if two.pair.second.older or judge.facet.kind != "number" or judge.facet.ranks:
        return
    people = by_item(replace(two.first, number=_is_positive(two.first)))
    scores = by_item(judge)
    _, theirs, its = np.intersect1d(people.owner, scores.owner, return_indices=True)
    if not len(its):
        return
    yield _area(two, people.take(theirs), scores.take(its))
    if judge.facet.ends != PROBABILITIES:
        return
    measured = probability_scores(
        scores.number[its],
        people.number[theirs],
        clusters=people.source[theirs],
        bootstrap=two.options.bootstrap,
    )
    n_people = len(np.unique(two.ratings.rater))

    def figure(metric: str, estimate: Estimate, **group: str) -> Figure:
        return Figure(metric, replace(estimate, n_raters=n_people), group=group)

    yield figure(BRIER, measured.brier)
    yield figure(CALIBRATION_ERROR, measured.calibration_error)
    for each in measured.bins:
        name = f"{each.low:.1f} to {each.high:.1f}"
        yield figure(PREDICTED, each.predicted, **{BIN: name})
        yield figure(OBSERVED, each.observed, **{BIN: name})


def _area(two: Compared, people: Ratings, scores: Ratings) -> Figure:
    """Of the texts of which people say more often yes, or more often no."""
    decided = np.flatnonzero(people.number != EVEN)
    area = ranking_area(
        scores.number[decided],
        people.number[decided] > EVEN,
        clusters=people.source[decided],
        bootstrap=two.options.bootstrap,
    )
    return Figure(RANKING_AREA, replace(area, n_raters=len(np.unique(two.ratings.rater))))


def _is_positive(ratings: Ratings) -> FloatArray:
    """1 for the positive label, 0 for the other one."""
    labels = Labels(ratings.facet.labels)
    positive = ratings.facet.labels[labels.positive]
    of_domain = np.array([value == positive for value in ratings.domain], dtype=np.float64)
    return of_domain[ratings.code]


SCORES = Statistic(
    compute=_scores,
    applies=lambda facet: facet.kind == "label" and len(facet.labels) == 2,
)
