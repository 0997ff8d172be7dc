"""People's own agreement as the yardstick of a judge's: the noise ceiling."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agreement import Closeness, agreement_gap, closeness
from results.data.ratings import Ratings, join
from results.metrics.catalogue import AGREEMENT_AMONG_PEOPLE, AGREEMENT_GAP, AGREEMENT_WITH_PEOPLE
from results.metrics.samples import Compared
from results.metrics.scorecard.comparable import comparable
from results.metrics.statistic import Figure, Statistic, can_agree

DISTANCES = {"label": "nominal", "number": "interval", "set": "jaccard"}


def close(two: Compared) -> tuple[Ratings, Closeness] | None:
    """The comparable ratings of people and judge on what the judge rated, and how near they are
    to each other; None where nothing can be compared."""
    both = np.isin(two.ratings.place, two.second.place)
    shared, span = comparable(join(two.ratings.take(both), two.second)), _span(two)
    if shared is None or (shared.facet.kind == "number" and not span):
        return None
    (rater,) = two.pair.second.raters
    return shared, closeness(
        shared.place,
        shared.rater.tolist(),
        shared.values,
        judge=rater,
        distance=DISTANCES[shared.facet.kind],
        span=span,
        clusters=shared.source,
    )


def _span(two: Compared) -> float:
    """The length of the scale, of what people gave where its ends are not known."""
    facet, numbers = two.ratings.facet, two.ratings.number
    if facet.kind != "number":
        return 0.0
    low, high = facet.ends or (float(numbers.min()), float(numbers.max()))
    return high - low


def _gap(two: Compared) -> Iterator[Figure]:
    """People's agreement with each other, the judge's with them, and the difference."""
    compared = close(two)
    if compared is None:
        return
    gap = agreement_gap(compared[1], bootstrap=two.options.bootstrap)
    n_people = len(np.unique(two.ratings.rater))
    for metric, estimate in (
        (AGREEMENT_AMONG_PEOPLE, gap.among_people),
        (AGREEMENT_WITH_PEOPLE, gap.with_judge),
        (AGREEMENT_GAP, gap.gap),
    ):
        if metric == AGREEMENT_GAP or not estimate.undefined:  # its reason is said once
            yield Figure(metric, replace(estimate, n_raters=n_people))


CEILING = Statistic(compute=_gap, applies=can_agree)
