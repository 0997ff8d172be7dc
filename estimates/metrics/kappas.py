"""Labels and points on a scale: agreement beyond chance, and how widely choices spread."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from agreement import Coded, Estimate, choice_entropy, cohen_kappa, fleiss_kappa, gwet_ac
from estimates.data.ratings import Ratings
from estimates.statistics.samples import TwoRaters
from estimates.statistics.statistic import EVERY, Figure, Rated, Statistic, can_agree

Kappa = Callable[..., Estimate]
Scale = tuple[Hashable, ...]


def as_labels(ratings: Ratings) -> Any:
    """The values, numbers as labels too."""
    if ratings.facet.kind != "number":
        return ratings.values
    numbers, codes = np.unique(ratings.number, return_inverse=True)
    return Coded(codes, numbers.tolist())


def _kappas(sample: Rated) -> Iterator[Figure]:
    """Of two raters Cohen's kappa, weighted where the values are ordered, of any number Fleiss';
    and Gwet's AC."""
    scale = scale_of(sample.whole, sample.consensus)
    if scale is None:
        return
    ratings, two = sample.ratings, isinstance(sample, TwoRaters)
    kappas = _cohen(scale) if two else {"fleiss_kappa": fleiss_kappa}
    several = sample.several and not two and sample.options.draws_raters_of_agreement
    bootstrap = sample.live_bootstrap(several=several)
    for metric, kappa in (kappas | _gwet(sample.whole, scale)).items():
        about = (ratings.place, ratings.rater, as_labels(ratings))
        yield Figure(metric, kappa(*about, clusters=ratings.source, bootstrap=bootstrap))


def scale_of(ratings: Ratings, how: str | None) -> Scale | None:
    """All values in their order; () for labels without one, None where kappa has no place: for
    sets, for numbers that are no points to choose from, and for the means of several people."""
    facet = ratings.facet
    if facet.kind == "label":
        return facet.labels if facet.ordered else ()
    if facet.kind != "number" or facet.distance != "ordinal" or facet.ranks or how:
        return None
    numbers = ratings.points
    if not len(numbers) or (numbers != np.round(numbers)).any():
        return None
    return _points(numbers[0], numbers[-1])


def _points(low: float, high: float) -> Scale:
    return tuple(float(point) for point in range(int(low), int(high) + 1))


def _cohen(scale: Scale) -> dict[str, Kappa]:
    kappas: dict[str, Kappa] = {"cohen_kappa": partial(cohen_kappa, labels=scale or None)}
    for weights in ("linear", "quadratic") if len(scale) > 2 else ():
        kappas[f"cohen_kappa_{weights}"] = partial(cohen_kappa, weights=weights, labels=scale)
    return kappas


def _gwet(ratings: Ratings, scale: Scale) -> dict[str, Kappa]:
    """AC1 over what the facet offers, used or not; AC2 where that has an order."""
    labels = offered(ratings, scale)
    kappas: dict[str, Kappa] = {"gwet_ac1": partial(gwet_ac, labels=labels or None)}
    if len(scale) > 2:
        kappas["gwet_ac2"] = partial(gwet_ac, weights="quadratic", labels=labels)
    return kappas


def offered(ratings: Ratings, scale: Scale) -> Scale:
    """Every label, or every point from the facet's lowest to its highest; what was used where
    the facet leaves that open."""
    facet = ratings.facet
    if facet.kind == "label":
        return facet.labels
    if facet.low is None or facet.high is None or facet.low % 1 or facet.high % 1:
        return scale
    return _points(min(facet.low, ratings.points[0]), max(facet.high, ratings.points[-1]))


def _choices(sample: Rated) -> Iterator[Rated]:
    """Answers of which some could differ, every replicate as one of a rater of its own: a single
    rater's single label has no spread to speak of."""
    ratings = sample.ratings
    if not len(ratings):
        if ratings.facet.kind != "number":
            yield sample
    elif ratings.facet.kind == "set" or (
        scale_of(ratings, None) is not None and len(np.unique(ratings.place)) < len(ratings)
    ):
        most = int(ratings.replicate.max()) + 1
        answers = replace(ratings, rater=ratings.rater * most + ratings.replicate)
        yield replace(sample, ratings=answers)


def _entropy(sample: Rated) -> Iterator[Figure]:
    """Mean entropy of the choices for a unit, of people or of one judge's replicates."""
    ratings = sample.ratings
    estimate = choice_entropy(
        ratings.place,
        ratings.rater,
        as_labels(ratings),
        options=_options(ratings),
        clusters=ratings.source,
        bootstrap=sample.options.bootstrap,
    )
    if not sample.several:  # replicates are not raters
        estimate = replace(estimate, n_raters=1)
    yield Figure("entropy", estimate)


def _options(ratings: Ratings) -> int | None:
    """How many there are to choose from; None where that is not known."""
    scale = scale_of(ratings, None)
    labels = () if scale is None else offered(ratings, scale)
    return len(labels) if len(labels) > 1 else None


KAPPAS = Statistic(compute=_kappas, by=EVERY, applies=can_agree)
ENTROPY = Statistic(
    compute=_entropy, values=_choices, by=EVERY, missing=lambda _sample: ("entropy",)
)
