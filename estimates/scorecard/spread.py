"""A judge's labels beside the spread of people's labels of the same unit."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agreement import label_divergence
from estimates.catalogue.meta_evaluation import LABEL_DIVERGENCE
from estimates.statistics.samples import Compared
from estimates.statistics.statistic import Figure, Statistic, can_agree


def _spread(two: Compared) -> Iterator[Figure]:
    people, judge = two.ratings, two.second
    places, at = np.unique(np.concatenate([people.place, judge.place]), return_index=True)
    estimate = label_divergence(
        np.searchsorted(places, people.place),
        people.code,
        np.searchsorted(places, judge.place),
        judge.code,
        clusters=np.concatenate([people.source, judge.source])[at],
        bootstrap=two.options.bootstrap,
    )
    if not two.pair.second.older and not estimate.undefined:
        of_people = replace(estimate, sd=None, sd_ddof=None, n_raters=len(np.unique(people.rater)))
        yield Figure(LABEL_DIVERGENCE, of_people)


SPREAD = Statistic(
    compute=_spread,
    applies=lambda facet: facet.kind == "label" and not facet.names_items and can_agree(facet),
)
