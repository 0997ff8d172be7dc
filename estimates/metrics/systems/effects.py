"""How large the differences of systems are."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from agreement import effect_sizes
from estimates.catalogue import CLIFF_DELTA, STANDARDISED, SUPERIORITY
from estimates.data.groups import SYSTEM
from estimates.data.rows import OF_SYSTEMS
from estimates.metrics.systems.differences import OTHER, design_of
from estimates.statistics import samples
from estimates.statistics.statistic import Figure, Rated, Scope, Statistic, can_agree


def compared(scope: Scope) -> Iterator[Rated]:
    """Crowds; judges, too, where everything is asked for."""
    return samples.groups(scope) if scope.options.everything else samples.crowds(scope)


def _effects(sample: Rated) -> Iterator[Figure]:
    """Of every two systems three effect sizes, over their means on the sources of both."""
    design = design_of(sample.ratings)
    if design is None:
        return
    codes = np.unique(design.of_system).tolist()
    for first, second in combinations(sorted(codes, key=lambda code: design.names[code]), 2):
        (sources, means), (others, other_means) = design.of(first), design.of(second)
        _, mine, theirs = np.intersect1d(sources, others, return_indices=True)
        if not len(mine):
            continue
        found = effect_sizes(
            means.values[mine], other_means.values[theirs], bootstrap=sample.options.bootstrap
        )
        group = {SYSTEM: design.names[first], OTHER: design.names[second]}
        yield Figure(SUPERIORITY, found.superiority, group=group)
        yield Figure(CLIFF_DELTA, found.cliff_delta, group=group)
        yield Figure(STANDARDISED, found.standardised, group=group)


EFFECTS = Statistic(
    compute=_effects,
    aggregation=OF_SYSTEMS,
    applies=lambda facet: can_agree(facet) and not facet.ranks,
)
