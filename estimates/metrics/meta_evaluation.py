"""Who orders systems and texts as people do: judges as metrics are meta-evaluated."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, combinations

import numpy as np

from agreement import (
    Estimate,
    correlation_difference,
    pairwise_accuracy,
    tie_calibrated_accuracy,
)
from agreement.meta_evaluation.permutation import LEVELS
from estimates.catalogue.meta_evaluation import (
    CORRELATION_DIFFERENCE,
    CORRELATION_P,
    PAIRWISE_ACCURACY,
    TIE_THRESHOLD,
    TIED_ACCURACY,
)
from estimates.data.rows import OF_SYSTEMS, OTHER_JUDGE, SUMMARY
from estimates.metrics.averages import has_numbers
from estimates.metrics.correlations import AGGREGATIONS, Numbers, numbers_of_both
from estimates.statistics import samples
from estimates.statistics.samples import Compared
from estimates.statistics.statistic import Figure, Sample, Scope, Statistic
from tasktypes.facets import Facet

# More judges make more pairs than anybody reads.
MOST_JUDGES = 12


def _pairs(two: Compared) -> Iterator[Figure]:
    """Of pairs of systems and of pairs of texts, where there are some."""
    if two.pair.second.older or not has_numbers(two.second.facet):
        return
    people, judge = numbers_of_both(two)
    bootstrap = two.options.bootstrap

    def figure(metric: str, estimate: Estimate, aggregation: str) -> Figure:
        of_both = replace(estimate, n_raters=2)
        return Figure(metric, of_both, aggregation=aggregation)

    named = np.flatnonzero(people.system > 0)
    if len(np.unique(people.system[named])) > 1:
        accuracy = pairwise_accuracy(
            people.number[named],
            judge.number[named],
            systems=people.system[named],
            sources=people.source[named],
            bootstrap=bootstrap,
        )
        yield figure(PAIRWISE_ACCURACY, accuracy, OF_SYSTEMS)
    if len(np.unique(people.source)) < len(people.source):
        tied = tie_calibrated_accuracy(
            people.number, judge.number, sources=people.source, bootstrap=bootstrap
        )
        yield figure(TIED_ACCURACY, tied.accuracy, SUMMARY)
        yield figure(TIE_THRESHOLD, tied.threshold, SUMMARY)


@dataclass(frozen=True, eq=False, kw_only=True)
class Rankers(Sample):
    """Judges beside one crowd, whose numbers are in one facet."""

    judges: tuple[Compared, ...]

    def __len__(self) -> int:
        return len(self.judges)


def rankers(scope: Scope) -> Iterator[Rankers]:
    """The newest judges beside each crowd, by the facet of their numbers, where everything is asked
    for: permutations of every two take a while."""
    if not scope.options.everything:
        return
    found: dict[tuple[str, str], list[Compared]] = {}
    for two in chain(samples.judges_beside_people(scope), samples.judges_in_other_facets(scope)):
        if not two.pair.second.older and has_numbers(two.second.facet):
            found.setdefault((two.pair.first.name, str(two.group)), []).append(two)
    for judges in found.values():
        first, judged = judges[0], tuple(judges[:MOST_JUDGES])
        yield Rankers(
            scope=scope,
            raters=first.raters,
            facet=first.facet,
            group=first.group,
            consensus=first.consensus,
            judges=judged,
        )


def _differences(sample: Rankers) -> Iterator[Figure]:
    """Of every two judges on the texts of both, at the level of systems and within sources."""
    numbers = [numbers_of_both(two) for two in sample.judges]
    for (one, mine), (other, theirs) in combinations(zip(sample.judges, numbers, strict=True), 2):
        people, first, second = _shared(mine, theirs)
        for level in LEVELS:
            found = correlation_difference(
                people.number,
                first.number,
                second.number,
                systems=people.system,
                sources=people.source,
                level=level,
                seed=sample.options.seed,
            )
            group = {OTHER_JUDGE: other.pair.second.name}
            about = group, one.raters, AGGREGATIONS[level]
            yield Figure(CORRELATION_DIFFERENCE, found.difference, *about)
            yield Figure(CORRELATION_P, found.p_value, *about)


def _shared(
    mine: tuple[Numbers, Numbers], theirs: tuple[Numbers, Numbers]
) -> tuple[Numbers, Numbers, Numbers]:
    """People's numbers and both judges', of named systems' texts that all have numbers for."""
    people, first = mine
    _, here, there = np.intersect1d(people.key, theirs[0].key, return_indices=True)
    named = people.system[here] > 0
    here, there = here[named], there[named]
    return people.take(here), first.take(here), theirs[1].take(there)


def _applies(facet: Facet) -> bool:
    return has_numbers(facet) and not facet.ranks


PAIRS = Statistic(compute=_pairs, applies=_applies)
DIFFERENCES = Statistic(compute=_differences, applies=_applies)
