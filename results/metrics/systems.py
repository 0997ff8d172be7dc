"""Systems compared: whether they differ, which of them, by how much, and with what certainty."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from agreement import (
    Estimate,
    SystemDifference,
    friedman,
    holm,
    kendall_w,
    min_f,
    system_differences,
    wilcoxon_signed_rank,
)
from agreement.systems.differences import NO_SHARED
from agreement.values.exact import Differences, ExactMeans
from results.data.groups import SYSTEM
from results.data.options import Options
from results.data.ratings import COLUMNS, Ratings, item_names
from results.data.rows import OF_SYSTEMS
from results.data.table import BoolArray, FloatArray, IntArray
from results.metrics.averages import MEAN, POPULATION, Numbers, mean, measure, stand_for
from results.metrics.ranks import ranked_systems
from results.metrics.statistic import Figure, Rated, Scope, Statistic, can_agree

# With more systems there would be too many pairs to read.
MOST_SYSTEMS = 20
OTHER = "other_system"


@dataclass(frozen=True, eq=False)
class Design:
    """The ratings of two systems or more, parallel, and the mean of each system on each source.

    source, rater, system, value: of each rating. means: of every pair of source and system, which
    `of_source` and `of_system` name.
    """

    source: IntArray
    rater: IntArray
    system: IntArray
    value: FloatArray
    of_source: IntArray
    of_system: IntArray
    means: ExactMeans
    names: Sequence[str]

    def of(self, system: int) -> tuple[IntArray, ExactMeans]:
        """Sources and means of one system."""
        own = np.flatnonzero(self.of_system == system)
        return self.of_source[own], self.means.take(own)


def _tests(sample: Rated) -> Iterator[Figure]:
    """Tests and differences of the systems, over all ratings of a party."""
    ratings = sample.ratings
    if ratings.facet.ranks:
        ratings = ranked_systems(ratings.once())
    design = _design(ratings)
    if design is None:
        return
    yield from _overall(sample, design)
    yield from _differences(sample, design)
    if ratings.facet.ranks and sample.several:
        about = (ratings.unit, ratings.rater, ratings.item, ratings.number)
        bootstrap = sample.options.bootstrap
        yield Figure("kendall_w", kendall_w(*about, clusters=ratings.source, bootstrap=bootstrap))


def _design(ratings: Ratings) -> Design | None:
    """None where there are no two named systems, too many, or nothing to average. Of ranks, units
    that show all of the systems: the second of two is not the second of five."""
    values = ratings.number if ratings.facet.ranks else _values(ratings)
    if values is None or not len(ratings):
        return None
    column = ratings.material.item_names["system"]
    system = column.codes[ratings.item]
    used = (ratings.item >= 0) & (system > 0) & ~np.isnan(values)
    n_systems = len(np.unique(system[used]))
    if not 1 < n_systems <= MOST_SYSTEMS:
        return None
    if ratings.facet.ranks:
        used &= _show_all(ratings.unit, system, n_systems)
    source, rater, system = ratings.source[used], ratings.rater[used], system[used]
    # One integer per source and system: sorting pairs would take ten times as long.
    key = source * len(column.names) + system
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    means = ExactMeans.of(values[used], which)
    return Design(
        source, rater, system, values[used], source[first], system[first], means, column.names
    )


def _show_all(unit: IntArray, system: IntArray, n_systems: int) -> BoolArray:
    """Which ratings are of units that show so many systems."""
    pairs = np.unique(np.stack([unit, system]), axis=1)
    units, counts = np.unique(pairs[0], return_counts=True)
    return np.isin(unit, units[counts == n_systems])


def _values(ratings: Ratings) -> FloatArray | None:
    """What stands for the facet: the numbers themselves, F1, or the first of two labels."""
    measures, _ = measure(ratings)
    return next((measures[name] for name in ("mean", "f1", "share") if name in measures), None)


def _overall(sample: Rated, design: Design) -> Iterator[Figure]:
    """Friedman's test over complete sources, and Nemenyi's of every two systems; for other raters
    too, min F'."""
    test = friedman(
        design.of_source.tolist(),
        [design.names[code] for code in design.of_system.tolist()],
        design.means.values,
        descending=not sample.ratings.facet.ranks,
    )
    n_raters = len(np.unique(sample.ratings.rater))
    yield Figure("friedman_chi_square", replace(test.chi_square, n_raters=n_raters))
    yield Figure("friedman_p", replace(test.p_value, n_raters=n_raters))
    for pair, estimate in test.pairs.items():
        first, second = sorted(map(str, pair))
        group = {SYSTEM: first, OTHER: second}
        yield Figure("nemenyi_p", replace(estimate, n_raters=n_raters), group=group)
    if sample.several:
        both = min_f(design.source, design.rater, design.system, design.value)
        yield Figure("min_f", both.statistic)
        yield Figure("min_f_p", both.p_value)


def _differences(sample: Rated, design: Design) -> Iterator[Figure]:
    """The first system's mean minus the second's on the same sources, with p corrected."""
    codes = sorted(np.unique(design.of_system).tolist(), key=lambda code: design.names[code])
    pairs = list(combinations(codes, 2))
    compared = _compare(sample, design)
    exact = [_apart(design, *pair) for pair in pairs]
    tests = {"difference_p": [compared[pair].p_value for pair in pairs]}
    if not sample.ratings.facet.ranks:
        tests["wilcoxon_p"] = [_signed_rank(differences) for differences in exact]
    corrected = {name: holm([test.value for test in each]) for name, each in tests.items()}
    for at, pair in enumerate(pairs):
        group = {SYSTEM: design.names[pair[0]], OTHER: design.names[pair[1]]}
        yield Figure("mean_difference", _exactly(compared[pair].difference, exact[at]), group=group)
        for name, of_pairs in tests.items():
            yield Figure(name, of_pairs[at], group=group)
            adjusted = _holm(of_pairs[at], corrected[name][at], len(pairs))
            yield Figure(f"{name}_holm", adjusted, group=group)


def _compare(sample: Rated, design: Design) -> dict[tuple[int, int], SystemDifference]:
    """Every two systems in the order of their names."""
    options = sample.options
    order = np.argsort(np.array([str(name) for name in design.names]), kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    compared = system_differences(
        design.source,
        design.rater,
        place[design.system],
        design.value,
        bootstrap=options.errors_of(several=sample.several),
    )
    return {
        (int(order[first]), int(order[second])): _as_asked(difference, options)
        for (first, second), difference in compared.items()
    }


def _as_asked(compared: SystemDifference, options: Options) -> SystemDifference:
    """Without an interval where none is wanted; p is the same."""
    if options.resamples:
        return compared
    none: dict[str, Any] = dict.fromkeys(("low", "high", "confidence", "interval_method"))
    return compared._replace(difference=replace(compared.difference, **none))


def _apart(design: Design, first: int, second: int) -> Differences:
    """Differences on the sources that have both."""
    (sources, means), (others, other_means) = design.of(first), design.of(second)
    _, mine, theirs = np.intersect1d(sources, others, return_indices=True)
    return means.take(mine).minus(other_means.take(theirs))


def _exactly(estimate: Estimate, differences: Differences) -> Estimate:
    """With the fraction's own value in place of one that rounding may have changed."""
    if not len(differences):
        return estimate
    return replace(estimate, value=differences.mean, n_ratings=len(differences))


def _signed_rank(differences: Differences) -> Estimate:
    if not len(differences):
        return Estimate.missing(NO_SHARED, n_units=0)
    return wilcoxon_signed_rank(differences.values)


def _holm(test: Estimate, p_value: float | None, pairs: int) -> Estimate:
    if p_value is None:
        return test
    family = f"Holm over {pairs} pairs of systems of this facet and party"
    return replace(test, value=p_value, interval_method=f"{test.interval_method}; {family}")


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
    yield stand_for(sample, "win_share", sample.ratings.number, POPULATION)


def _win_share(numbers: Numbers) -> Iterator[Figure]:
    """The share of comparisons that a system wins; over all systems it is one half."""
    for figure in mean(numbers):
        if numbers.group or figure.estimate.value is None:
            yield figure


TESTS = Statistic(compute=_tests, aggregation=OF_SYSTEMS, applies=can_agree)
WIN_SHARE = replace(MEAN, compute=_win_share, values=_wins, by={SYSTEM})
