"""Worker quality: how far each person's answers go with what the others say."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from agreement import Estimate, agreement_with_others, dawid_skene, straight_lining
from results.data.parties import Parties, Party
from results.data.ratings import Ratings
from results.data.rows import Row
from results.metrics.kappas import POOLED, as_labels

NO_INTERVAL = "no interval"


def quality_rows(ratings: Ratings, parties: Parties) -> Iterator[Row]:
    """Of every single rater of a crowd, over the whole study: agreement with the others, the
    longest run of one answer and, for labels, the accuracy that Dawid and Skene's model finds."""
    for crowd in parties.crowds:
        theirs = ratings.by(crowd.raters).once()
        singles = [party for party in parties.singles if party.raters <= crowd.raters]
        if not len(theirs) or not singles:
            continue
        for metric, by_rater in _figures(theirs).items():
            yield from _rows(metric, by_rater, ratings, singles)


def _figures(ratings: Ratings) -> dict[str, Mapping[Hashable, Estimate]]:
    """Metric -> rater id -> estimate."""
    raters = ratings.rater.tolist()
    distance = ratings.facet.distance
    values = as_labels(ratings) if distance == "nominal" else ratings.values
    found: dict[str, Mapping[Hashable, Estimate]] = {
        "agreement_with_others": agreement_with_others(
            ratings.place, raters, values, distance=distance
        )
    }
    # Ranks of one answer differ by themselves, and so do names of texts from unit to unit.
    if not ratings.facet.ranks and not ratings.facet.names_items:
        found["straight_lining"] = dict(_runs(ratings))
    # Without a list of labels these are names of systems or items: other ones in every unit.
    if ratings.facet.kind == "label" and ratings.facet.labels:
        model = dawid_skene(
            ratings.place.tolist(), raters, ratings.values, labels=ratings.facet.labels
        )
        found["dawid_skene_accuracy"] = model.accuracy
    return found


def _runs(ratings: Ratings) -> Iterator[tuple[Hashable, Estimate]]:
    """Rater id -> longest run; ratings are read in the order in which answers came in."""
    number = ratings.facet.kind == "number"
    codes = np.unique(ratings.number, return_inverse=True)[1] if number else ratings.code
    ordered = np.argsort(ratings.rater, kind="stable")
    raters, starts = np.unique(ratings.rater[ordered], return_index=True)
    for rater, own in zip(raters.tolist(), np.split(codes[ordered], starts[1:]), strict=True):
        yield rater, straight_lining(own.tolist())


def _rows(
    metric: str, by_rater: Mapping[Hashable, Estimate], ratings: Ratings, singles: list[Party]
) -> Iterator[Row]:
    for party in singles:
        (rater,) = party.raters
        estimate = by_rater.get(rater)
        if estimate is None:  # answered another block only
            continue
        if estimate.value is not None:
            estimate = replace(estimate, interval_method=NO_INTERVAL)
        yield Row(
            metric=metric,
            facet=ratings.facet.name,
            raters=party.name,
            aggregation=POOLED,
            estimate=estimate,
        )
