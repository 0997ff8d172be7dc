"""Systems compared: whether they differ, which of them, by how much, and with what certainty."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from agreement import (
    Bootstrap,
    Estimate,
    friedman,
    holm,
    kendall_w,
    mean_by,
    wilcoxon_signed_rank,
)
from agreement.values.exact import Differences, ExactMeans
from results.data.groups import SYSTEM
from results.data.ratings import COLUMNS, Ratings, item_names
from results.data.rows import OF_SYSTEMS
from results.data.table import FloatArray, IntArray
from results.metrics.averages import MEAN, POPULATION, Numbers, mean, measure, stand_for
from results.metrics.ranks import ranked_systems
from results.metrics.statistic import Figure, Rated, Scope, Statistic, can_agree

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
    design = _design(ratings)
    if design is None:
        return
    yield from _overall(ratings, design)
    if not ratings.facet.ranks:
        yield from _differences(design, sample.live_bootstrap())
    elif sample.several:
        about = (ratings.unit, ratings.rater, ratings.item, ratings.number)
        bootstrap = sample.options.bootstrap
        yield Figure("kendall_w", kendall_w(*about, clusters=ratings.source, bootstrap=bootstrap))


def _design(ratings: Ratings) -> Design | None:
    """None where there are no two named systems, too many, or nothing to average."""
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


def _overall(ratings: Ratings, design: Design) -> Iterator[Figure]:
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


def _differences(design: Design, bootstrap: Bootstrap | None) -> Iterator[Figure]:
    """The first system's mean minus the second's on the same sources, with p corrected."""
    codes = sorted(np.unique(design.system).tolist(), key=lambda code: design.names[code])
    pairs = list(combinations(codes, 2))
    apart = [_apart(design, *pair) for pair in pairs]
    tests = [_signed_rank(differences) for differences, _ in apart]
    corrected = holm([test.value for test in tests])
    for pair, (differences, clusters), test, p_value in zip(
        pairs, apart, tests, corrected, strict=True
    ):
        group = {SYSTEM: design.names[pair[0]], OTHER: design.names[pair[1]]}
        yield Figure("mean_difference", _mean(differences, clusters, bootstrap), group=group)
        yield Figure("wilcoxon_p", test, group=group)
        yield Figure("wilcoxon_p_holm", _holm(test, p_value, len(pairs)), group=group)


def _apart(design: Design, first: int, second: int) -> tuple[Differences, IntArray]:
    """Differences on the blocks that have both, and their clusters."""
    (blocks, means, clusters), (others, other_means, _) = design.of(first), design.of(second)
    _, mine, theirs = np.intersect1d(blocks, others, return_indices=True)
    return means.take(mine).minus(other_means.take(theirs)), clusters[mine]


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


def winners(scope: Scope) -> Iterator[Rated]:
    """Of every party, choices between two texts as numbers of the texts themselves."""
    if scope.ratings.facet.names_items:
        wins = wins_of(scope.ratings)
        for party in scope.parties.groups:
            yield Rated.by(party, scope, wins.by(party.raters))


def wins_of(ratings: Ratings) -> Ratings:
    """Two numbers per choice, one for each text: 1 for the one preferred and 0 for the other, 1/2
    for both where neither was. Units that do not show two texts do not count."""
    units, which = np.unique(ratings.unit, return_inverse=True)
    pairs = np.array([_by_name(ratings, unit) for unit in units.tolist()], dtype=np.int64)
    pairs = pairs.reshape(-1, 2)[which]
    kept = np.flatnonzero(pairs[:, 0] >= 0)
    side = ratings.side[kept]
    both = ratings.take(np.repeat(kept, 2))
    preferred = np.where(side[:, None] < 0, 0.5, side[:, None] == np.arange(2))
    columns: dict[str, Any] = {name: getattr(both, name) for name in COLUMNS}
    columns |= {
        "place": both.place * 2 + np.tile(np.arange(2), len(kept)),
        "item": pairs[kept].reshape(-1),
        "number": preferred.astype(np.float64).reshape(-1),
        "code": np.full(len(both), -1, dtype=np.int64),
    }
    facet = replace(ratings.facet, kind="number", distance="interval")
    return Ratings(facet=facet, material=ratings.material, domain=(), **columns)


def _by_name(ratings: Ratings, unit: int) -> tuple[int, int]:
    """The two items of a unit in the order of their names, as sides are; -1 for other units."""
    items = [item for _, item in ratings.material.unit_items.get(unit, ())]
    if len(items) != 2:
        return -1, -1
    names = item_names(ratings.material, unit, items)
    _, (first, second) = zip(*sorted(zip(names, items, strict=True)), strict=True)
    return first, second


def _wins(sample: Rated) -> Iterator[Numbers]:
    yield stand_for(sample, "win_share", sample.ratings.number, POPULATION, share=True)


def _win_share(numbers: Numbers) -> Iterator[Figure]:
    """The share of comparisons that a system wins; over all systems it is one half."""
    for figure in mean(numbers):
        if numbers.group or figure.estimate.value is None:
            yield figure


TESTS = Statistic(compute=_tests, aggregation=OF_SYSTEMS, applies=can_agree)
WIN_SHARE = replace(MEAN, compute=_win_share, values=_wins, by={SYSTEM})
