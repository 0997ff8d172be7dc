"""How large the differences of systems are, and systems on different inputs."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from agreement import Estimate, UnpairedComparison, effect_sizes, holm, unpaired_comparison
from estimates.catalogue.effects import (
    CLIFF_DELTA,
    MANN_WHITNEY_P,
    PERMUTATION_P,
    STANDARDISED,
    SUPERIORITY,
    UNPAIRED_DIFFERENCE,
    UNPAIRED_SUPERIORITY,
)
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
            continue  # see `_unpaired`
        found = effect_sizes(
            means.values[mine], other_means.values[theirs], bootstrap=sample.options.bootstrap
        )
        group = {SYSTEM: design.names[first], OTHER: design.names[second]}
        yield Figure(SUPERIORITY, found.superiority, group=group)
        yield Figure(CLIFF_DELTA, found.cliff_delta, group=group)
        yield Figure(STANDARDISED, found.standardised, group=group)


def _unpaired(sample: Rated) -> Iterator[Figure]:
    """Of every two systems without a source of both, how far their own sources lie apart; p values
    corrected for all such pairs."""
    design = design_of(sample.ratings)
    if design is None:
        return
    found: dict[tuple[str, str], UnpairedComparison] = {}
    codes = np.unique(design.of_system).tolist()
    for first, second in combinations(sorted(codes, key=lambda code: design.names[code]), 2):
        (sources, means), (others, other_means) = design.of(first), design.of(second)
        if not len(np.intersect1d(sources, others)):
            found[design.names[first], design.names[second]] = unpaired_comparison(
                means.values,
                other_means.values,
                first_sources=sources.tolist(),
                second_sources=others.tolist(),
                reach=design.reach,
                seed=sample.options.seed,
                bootstrap=sample.options.bootstrap,
            )
    tests = {"permutation_p": PERMUTATION_P, "mann_whitney_p": MANN_WHITNEY_P}
    corrected = {
        field: holm([getattr(each, field).value for each in found.values()]) for field in tests
    }
    for at, ((one, other), each) in enumerate(found.items()):
        group = {SYSTEM: one, OTHER: other}
        yield Figure(UNPAIRED_DIFFERENCE, each.difference, group=group)
        yield Figure(UNPAIRED_SUPERIORITY, each.superiority, group=group)
        for field, metric in tests.items():
            p_value = corrected[field][at]
            test: Estimate = getattr(each, field)
            shown = test if p_value is None else replace(test, value=p_value)
            yield Figure(metric, shown, group=group)


UNPAIRED = Statistic(
    compute=_unpaired,
    aggregation=OF_SYSTEMS,
    applies=lambda facet: can_agree(facet) and not facet.ranks,
)
EFFECTS = Statistic(
    compute=_effects,
    aggregation=OF_SYSTEMS,
    applies=lambda facet: can_agree(facet) and not facet.ranks,
)
