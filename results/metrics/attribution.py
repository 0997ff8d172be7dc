"""Ratings of texts whose citations can be followed: helpful is not yet attributable."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from agreement.rounding import reaches
from results.data.groups import SYSTEM
from results.data.options import Options
from results.data.parties import Party
from results.data.ratings import Ratings
from results.data.rows import Row
from results.data.table import BoolArray
from results.metrics.averages import SAMPLE, average_rows, scores

KEY = "attribution"
THRESHOLDS = {"F1 = 1": 1.0, "F1 >= 0.9": 0.9}
NONE_KEPT = "no unit reaches that F1"


def attribution_rows(
    rated: Mapping[str, Ratings], parties: tuple[Party, ...], options: Options
) -> Iterator[Row]:
    """Means of numbers over the units whose citations a party recovered itself, by threshold, as
    a whole and by system."""
    recovered = next((one for one in rated.values() if _is_scored(one)), None)
    if recovered is None:
        return
    for ratings in rated.values():
        facet = ratings.facet
        if facet.kind != "number" or facet.ranks or facet.compared_with:
            continue
        for party in parties:
            yield from _rows(ratings.by(party.raters), recovered.by(party.raters), party, options)


def _is_scored(ratings: Ratings) -> bool:
    return ratings.facet.kind == "set" and bool((ratings.reference >= 0).any())


def _rows(ratings: Ratings, recovered: Ratings, party: Party, options: Options) -> Iterator[Row]:
    if not len(ratings) or not len(recovered):
        return
    for name, threshold in THRESHOLDS.items():
        kept = _reaching(ratings, recovered, threshold)
        values = np.where(kept, ratings.number, np.nan)
        rows = average_rows(
            ratings, {"mean": values}, party, options, ddof=SAMPLE, keys=[SYSTEM], reason=NONE_KEPT
        )
        for row in rows:
            yield replace(row, group={**row.group, KEY: name})


def _reaching(ratings: Ratings, recovered: Ratings, threshold: float) -> BoolArray:
    """Which ratings are of units with a mean F1 of at least so much."""
    f1 = scores(recovered)["f1"]
    known = ~np.isnan(f1)
    units, which = np.unique(recovered.unit[known], return_inverse=True)
    means = np.bincount(which, weights=f1[known]) / np.bincount(which)
    return np.isin(ratings.unit, units[[reaches(mean, threshold) for mean in means.tolist()]])
