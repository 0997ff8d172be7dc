"""Agreement: of people among themselves, of a judge with people, and of a judge with itself."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from agreement import Bootstrap, Estimate, alpha, raw_agreement
from estimates.data.groups import LABEL, ROUND, SETTING
from estimates.data.ratings import Ratings
from estimates.metrics.kappas import as_labels
from estimates.metrics.systems.ranks import orders_of
from estimates.statistics.statistic import EVERY, Figure, Rated, Statistic, can_agree
from tasktypes.facets import Facet

# Distances that published studies report for each kind of value beside the facet's own.
CUSTOMARY = {
    "set": ("jaccard", "masi"),
    "number": ("interval", "ordinal", "ratio"),
    "label": ("nominal",),
}
# Groups that take units as a whole; others hold some of the systems that a unit orders.
WHOLE_UNITS = frozenset({SETTING, LABEL, ROUND})
# Whoever gives fewer of their answers as whole numbers answers between the points of a scale.
MOSTLY = 0.5
NEVER_SAME = "one of them answers in decimals, so that hardly any two answers are the same"
OTHER_SYSTEMS = "orders of different systems"


def distances(facet: Facet, how: str | None = None, *, everything: bool = False) -> tuple[str, ...]:
    """The facet's own distance first; ratio only where the scale has a true zero, and nominal of
    numbers only where they are points to choose from.

    how: the consensus of one party; the mean of several people is no point of the scale.
    everything: ratio wherever numbers are not negative, since published tables have it.
    """
    customary = CUSTOMARY[facet.kind]
    if facet.kind == "number" and facet.distance == "ordinal" and not how:
        customary = (*customary, "nominal")
    may_be_ratio = _has_zero(facet) or (everything and facet.low is not None and facet.low >= 0)
    if "ratio" in customary and not may_be_ratio:
        customary = tuple(name for name in customary if name != "ratio")
    return tuple(dict.fromkeys((facet.distance, *customary)))


def _has_zero(facet: Facet) -> bool:
    """Whether the scale begins at 0: four is then twice two, as it is not between 1 and 5."""
    return facet.ends is not None and facet.ends[0] == 0


def _agreement(sample: Rated) -> Iterator[Figure]:
    """Alpha by every distance, of whole orders too, and raw agreement."""
    ratings, how = sample.ratings, sample.consensus
    about = (ratings.place, ratings.rater)
    never_same = _are_never_same(ratings)
    several = sample.several and sample.options.draws_raters_of_agreement
    bootstrap = sample.live_bootstrap(several=several)
    # Of the whole, how far it carries to other people as well, which takes longer.
    whole = bootstrap and replace(bootstrap, both=sample.several and not sample.group)
    for distance in distances(ratings.facet, how, everything=sample.options.everything):
        values = as_labels(ratings) if distance == "nominal" else ratings.values
        made = whole if distance == ratings.facet.distance else bootstrap
        estimate = alpha(*about, values, distance=distance, clusters=ratings.source, bootstrap=made)
        if distance == "nominal" and never_same:
            estimate = Estimate.missing(NEVER_SAME, n_ratings=len(ratings))
        yield Figure(f"krippendorff_alpha_{distance}", estimate)
    if ratings.facet.ranks and sample.group.keys() <= WHOLE_UNITS:
        yield from _of_orders(sample, bootstrap)
    if _may_be_equal(ratings.facet, how):
        same = raw_agreement(*about, ratings.values, clusters=ratings.source, bootstrap=whole)
        if never_same:
            same = Estimate.missing(NEVER_SAME, n_ratings=len(ratings))
        yield Figure("raw_agreement", same)


def _are_never_same(ratings: Ratings) -> bool:
    """Whether one rater keeps to the whole points of a scale and another answers mostly between
    them, as judges with decimals do."""
    facet = ratings.facet
    if facet.kind != "number" or facet.distance != "ordinal" or facet.ranks:
        return False
    whole = ratings.number == np.round(ratings.number)
    raters, of = np.unique(ratings.rater, return_inverse=True)
    shares = np.bincount(of, whole) / np.bincount(of, minlength=len(raters))
    return len(raters) > 1 and bool(shares.max() == 1 and shares.min() < MOSTLY)


def _of_orders(sample: Rated, bootstrap: Bootstrap | None) -> Iterator[Figure]:
    """Alpha of whole orders of systems; none where only claims and the like are ordered."""
    orders = orders_of(sample.ratings)
    if not orders.ranks:
        return
    estimate = Estimate.missing(OTHER_SYSTEMS, n_ratings=len(orders.ranks))
    if orders.of_the_same:
        estimate = alpha(
            orders.unit.tolist(),
            orders.rater.tolist(),
            orders.ranks,
            distance="kendall",
            clusters=orders.source.tolist(),
            bootstrap=bootstrap,
        )
    yield Figure("krippendorff_alpha_kendall", estimate)


def _may_be_equal(facet: Facet, how: str | None) -> bool:
    """Whether equal values mean agreement: the mean of 3 and 4 is no point of the scale."""
    return not how or facet.kind != "number"


def _metrics(sample: Rated) -> list[str]:
    """The metrics that get a row without a value where people gave no answers."""
    facet, how = sample.ratings.facet, sample.consensus
    metrics = [f"krippendorff_alpha_{distance}" for distance in distances(facet, how)]
    return [*metrics, "raw_agreement"] if _may_be_equal(facet, how) else metrics


def _run_to_run(sample: Rated) -> Iterator[Figure]:
    """A judge that answered several times, with itself: each replicate is one rater."""
    runs, distance = sample.ratings, sample.ratings.facet.distance
    if len(np.unique(runs.replicate)) < 2:
        return
    about = (runs.place, runs.replicate, runs.values)
    resampling: dict[str, Any] = {"clusters": runs.source, "bootstrap": sample.options.bootstrap}
    estimates = {
        f"run_to_run_alpha_{distance}": alpha(*about, distance=distance, **resampling),
        "run_to_run_agreement": raw_agreement(*about, **resampling),
    }
    for metric, estimate in estimates.items():
        yield Figure(metric, replace(estimate, n_raters=1))


AGREEMENT = Statistic(compute=_agreement, by=EVERY, applies=can_agree, missing=_metrics)
RUN_TO_RUN = Statistic(compute=_run_to_run, applies=can_agree)
