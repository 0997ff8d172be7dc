"""Systems compared: whether they differ, which of them, by how much, and with what certainty."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from agreement import (
    Bootstrap,
    Estimate,
    equivalence_p,
    friedman,
    holm,
    kendall_w,
    mean_by,
    wilcoxon_signed_rank,
)
from agreement.values.exact import Differences, ExactMeans
from results.data.groups import SYSTEM
from results.data.ratings import Ratings
from results.data.rows import OF_SYSTEMS, PER_SOURCE
from results.data.table import FloatArray, IntArray
from results.metrics.averages import measure
from results.metrics.catalogue import MEAN_DIFFERENCE, SHARED_SOURCES, WILCOXON_P
from results.metrics.ranks import ranked_systems
from results.metrics.statistic import Figure, Rated, Statistic, can_agree

# With more systems there would be too many pairs to read.
MOST_SYSTEMS = 20
OTHER = "other_system"
NO_SHARED = "no source on which both systems were rated"


@dataclass(frozen=True, eq=False)
class Design:
    """One value per system and block, the mean of its ratings.

    A block is what systems are compared on: the unit where several are ranked, else the source.
    """

    block: IntArray
    system: IntArray
    cluster: IntArray
    means: ExactMeans
    names: Sequence[str]

    def of(self, system: int) -> tuple[IntArray, ExactMeans, IntArray]:
        """Blocks, means and clusters of one system."""
        own = np.flatnonzero(self.system == system)
        return self.block[own], self.means.take(own), self.cluster[own]


def _tests(sample: Rated) -> Iterator[Figure]:
    """Tests and differences of the systems, over all ratings of a party."""
    ratings = sample.ratings
    if ratings.facet.ranks:
        ratings = ranked_systems(ratings.once())
    design = design_of(ratings)
    if design is None:
        return
    yield from overall(ratings, design)
    if not ratings.facet.ranks:
        margin = sample.scope.data.margins.get(sample.facet)
        yield from differences(pairs_of(design), sample.live_bootstrap(), margin)
    elif sample.several:
        about = (ratings.unit, ratings.rater, ratings.item, ratings.number)
        bootstrap = sample.options.bootstrap
        yield Figure("kendall_w", kendall_w(*about, clusters=ratings.source, bootstrap=bootstrap))


def design_of(ratings: Ratings) -> Design | None:
    """The means by system and block; None where there are no two named systems, too many, or
    nothing to average."""
    values = ratings.number if ratings.facet.ranks else _values(ratings)
    if values is None or not len(ratings):
        return None
    column = ratings.material.item_names["system"]
    system = column.codes[ratings.item]
    used = (ratings.item >= 0) & (system > 0) & ~np.isnan(values)
    if not 1 < len(np.unique(system[used])) <= MOST_SYSTEMS:
        return None
    block = ratings.unit if ratings.facet.ranks else ratings.source
    # One integer per block and system: sorting pairs would take ten times as long.
    key = block[used] * len(column.names) + system[used]
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    means = ExactMeans.of(values[used], which)
    cluster = ratings.source[used][first]
    return Design(block[used][first], system[used][first], cluster, means, column.names)


def _values(ratings: Ratings) -> FloatArray | None:
    """What stands for the facet: the numbers themselves, F1, or the first of two labels."""
    measures, _ = measure(ratings)
    return next((measures[name] for name in ("mean", "f1", "share") if name in measures), None)


def overall(ratings: Ratings, design: Design) -> Iterator[Figure]:
    """Friedman's test over complete blocks, and Nemenyi's of every two systems."""
    test = friedman(
        design.block.tolist(),
        [design.names[code] for code in design.system.tolist()],
        design.means.values,
        descending=not ratings.facet.ranks,
    )
    n_raters = len(np.unique(ratings.rater))
    yield Figure("friedman_chi_square", replace(test.chi_square, n_raters=n_raters))
    yield Figure("friedman_p", replace(test.p_value, n_raters=n_raters))
    for pair, estimate in test.pairs.items():
        first, second = sorted(map(str, pair))
        group = {SYSTEM: first, OTHER: second}
        yield Figure("nemenyi_p", replace(estimate, n_raters=n_raters), group=group)


@dataclass(frozen=True, eq=False)
class Apart:
    """Two systems by name, and their differences on the blocks that have both, with clusters."""

    first: str
    second: str
    differences: Differences
    clusters: IntArray

    @property
    def group(self) -> dict[str, str]:
        """The group of a row about the two."""
        return {SYSTEM: self.first, OTHER: self.second}


def pairs_of(design: Design) -> list[Apart]:
    """Every two systems, in the order of their names."""
    codes = sorted(np.unique(design.system).tolist(), key=lambda code: design.names[code])
    return [apart(design, *pair) for pair in combinations(codes, 2)]


def apart(design: Design, first: int, second: int) -> Apart:
    """Two systems, by their codes."""
    (blocks, means, clusters), (others, other_means, _) = design.of(first), design.of(second)
    _, mine, theirs = np.intersect1d(blocks, others, return_indices=True)
    differences = means.take(mine).minus(other_means.take(theirs))
    return Apart(design.names[first], design.names[second], differences, clusters[mine])


def differences(
    pairs: Sequence[Apart], bootstrap: Bootstrap | None, margin: float | None = None
) -> Iterator[Figure]:
    """The first system's mean minus the second's on the same sources, with p corrected; and the p
    of equivalence, where the study has a margin."""
    tests = [_signed_rank(pair.differences) for pair in pairs]
    corrected = holm([test.value for test in tests])
    for pair, test, p_value in zip(pairs, tests, corrected, strict=True):
        mean_apart = _mean(pair.differences, pair.clusters, bootstrap)
        yield Figure(MEAN_DIFFERENCE, mean_apart, group=pair.group)
        yield Figure(WILCOXON_P, test, group=pair.group)
        yield Figure("wilcoxon_p_holm", _holm(test, p_value, len(pairs)), group=pair.group)
    if margin is not None:
        yield from _equivalences(pairs, margin)


def _equivalences(pairs: Sequence[Apart], margin: float) -> Iterator[Figure]:
    tests = [
        equivalence_p(pair.differences.values, margin=margin, clusters=pair.clusters)
        for pair in pairs
    ]
    corrected = holm([test.value for test in tests])
    for pair, test, p_value in zip(pairs, tests, corrected, strict=True):
        yield Figure("equivalence_p_holm", _holm(test, p_value, len(pairs)), group=pair.group)


def _mean(differences: Differences, clusters: IntArray, bootstrap: Bootstrap | None) -> Estimate:
    if not len(differences):
        return Estimate.missing(NO_SHARED, n_units=0)
    estimate = mean_by(differences.values, clusters=clusters, ddof=1, bootstrap=bootstrap)
    return replace(estimate, value=differences.mean)


def _signed_rank(differences: Differences) -> Estimate:
    if not len(differences):
        return Estimate.missing(NO_SHARED, n_units=0)
    return wilcoxon_signed_rank(differences.values)


def _holm(test: Estimate, p_value: float | None, pairs: int) -> Estimate:
    if p_value is None:
        return test
    return replace(test, value=p_value, interval_method=f"{test.interval_method}; Holm, {pairs}")


def _coverage(sample: Rated) -> Iterator[Figure]:
    """The share of sources on which every system was rated, where that is not all of them: the
    plain means of the systems are then of different texts."""
    ratings = sample.ratings
    if ratings.facet.ranks or ratings.facet.names_items:
        return
    design = design_of(ratings)
    if design is None:
        return
    n_systems = len(np.unique(design.system))
    shown = np.unique(design.block, return_counts=True)[1]
    if (shown < n_systems).any():
        share = float((shown == n_systems).mean())
        yield Figure(SHARED_SOURCES, Estimate(value=share, n_units=len(shown)))


TESTS = Statistic(compute=_tests, aggregation=OF_SYSTEMS, applies=can_agree)
COVERAGE = Statistic(compute=_coverage, aggregation=PER_SOURCE, applies=can_agree)
