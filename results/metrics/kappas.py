"""Agreement beyond chance, of labels and of points on a scale: kappas, and Gwet's AC."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from agreement import Coded, Estimate, cohen_kappa, fleiss_kappa, gwet_ac
from results.data.groups import split
from results.data.options import Options
from results.data.ratings import Ratings
from results.metrics.rows import Group, Row

POOLED = "pooled"
TWO = 2

Statistic = Callable[..., Estimate]
Pieces = Iterable[tuple[Group, Ratings]]


def kappas_within(ratings: Ratings, name: str, options: Options) -> Iterator[Row]:
    """Of any number of raters among themselves: Fleiss' kappa and Gwet's AC."""
    if (scale := scale_of(ratings, None)) is not None:
        statistics = {"fleiss_kappa": fleiss_kappa, **_gwet(ratings, scale)}
        yield from _rows(split(ratings), name, None, statistics, options)


def kappas_between(
    ratings: Ratings, pieces: Pieces, name: str, how: str | None, options: Options
) -> Iterator[Row]:
    """Of two raters: Cohen's kappa, weighted where the values are ordered, and Gwet's AC.

    pieces: the parts that these are given for, the whole among them.
    """
    if (scale := scale_of(ratings, how)) is not None:
        statistics = {**_cohen(scale), **_gwet(ratings, scale)}
        yield from _rows(pieces, name, how, statistics, options)


def scale_of(ratings: Ratings, how: str | None) -> tuple[Hashable, ...] | None:
    """All values in their order; () for labels without one, None where kappa has no place: for
    sets, for numbers that are no points to choose from, and for the means of several people."""
    facet = ratings.facet
    if facet.kind == "label":
        return facet.labels if facet.ordered else ()
    if facet.kind != "number" or facet.distance != "ordinal" or facet.ranks or how:
        return None
    numbers = np.unique(ratings.number)
    if not len(numbers) or (numbers != np.round(numbers)).any():
        return None
    return tuple(float(one) for one in range(int(numbers[0]), int(numbers[-1]) + 1))


def as_labels(ratings: Ratings) -> Any:
    """The values, numbers as labels too."""
    if ratings.facet.kind != "number":
        return ratings.values
    numbers, codes = np.unique(ratings.number, return_inverse=True)
    return Coded(codes, numbers.tolist())


def _cohen(scale: tuple[Hashable, ...]) -> dict[str, Statistic]:
    found: dict[str, Statistic] = {"cohen_kappa": partial(cohen_kappa, labels=scale or None)}
    for weights in ("linear", "quadratic") if len(scale) > TWO else ():
        found[f"cohen_kappa_{weights}"] = partial(cohen_kappa, weights=weights, labels=scale)
    return found


def _gwet(ratings: Ratings, scale: tuple[Hashable, ...]) -> dict[str, Statistic]:
    """AC1 over what the facet offers, used or not; AC2 where that has an order."""
    offered = _offered(ratings, scale)
    found: dict[str, Statistic] = {"gwet_ac1": partial(gwet_ac, labels=offered or None)}
    if len(scale) > TWO:
        found["gwet_ac2"] = partial(gwet_ac, weights="quadratic", labels=offered)
    return found


def _offered(ratings: Ratings, scale: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    """Every label, or every point from the facet's lowest to its highest; what was used where
    the facet leaves that open."""
    facet = ratings.facet
    if facet.kind == "label":
        return facet.labels
    if facet.low is None or facet.high is None or facet.low % 1 or facet.high % 1:
        return scale
    used = ratings.number
    low, high = min(facet.low, used.min()), max(facet.high, used.max())
    return tuple(float(one) for one in range(int(low), int(high) + 1))


def _rows(
    pieces: Pieces,
    name: str,
    how: str | None,
    statistics: dict[str, Statistic],
    options: Options,
) -> Iterator[Row]:
    for group, part in pieces:
        for metric, statistic in statistics.items():
            yield Row(
                metric=metric,
                facet=part.facet.name,
                raters=name,
                group=group,
                aggregation=POOLED,
                consensus=how,
                estimate=statistic(
                    part.place,
                    part.rater,
                    as_labels(part),
                    clusters=part.source,
                    bootstrap=options.bootstrap,
                ),
            )
