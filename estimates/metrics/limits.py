"""A judge's numbers minus people's: limits of agreement, and whether the two are equivalent."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agreement import Estimate, equivalence_p, limits_of_agreement
from estimates.catalogue.reliability import EQUIVALENCE_P
from estimates.data.ratings import reach_of
from estimates.data.table import FloatArray, IntArray
from estimates.statistics.samples import Compared
from estimates.statistics.statistic import Figure, Statistic, can_agree


def _limits(two: Compared) -> Iterator[Figure]:
    """Mean difference and limits of agreement; equivalence where the study has a margin."""
    differences, sources = _differences(two)
    bootstrap = two.options.bootstrap
    limits = limits_of_agreement(
        differences,
        clusters=sources,
        reach=reach_of(two.first, two.second),
        confidence=None if bootstrap is None else bootstrap.confidence,
    )
    yield Figure("difference_from_people", _of_two(limits.bias))
    yield Figure("limit_low", _of_two(limits.low))
    yield Figure("limit_high", _of_two(limits.high))
    margin = two.scope.data.margins.get(two.facet)
    if margin is not None:
        p_value = equivalence_p(differences, margin=margin, clusters=sources)
        yield Figure(EQUIVALENCE_P, _of_two(p_value))


def _differences(two: Compared) -> tuple[FloatArray, IntArray]:
    """Judge minus people's mean, place by place, and the sources."""
    people, judge = two.first, two.second
    _, mine, theirs = np.intersect1d(people.place, judge.place, return_indices=True)
    return judge.number[theirs] - people.number[mine], people.source[mine]


def _of_two(estimate: Estimate) -> Estimate:
    return replace(estimate, n_raters=2)


LIMITS = Statistic(compute=_limits, applies=lambda facet: facet.is_score and can_agree(facet))
