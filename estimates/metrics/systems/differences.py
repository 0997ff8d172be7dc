"""Systems compared: whether they differ, which of them, by how much, and with what certainty."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from agreement import (
    Estimate,
    SystemDifference,
    equivalence_p,
    friedman,
    holm,
    kendall_w,
    min_f,
    system_differences,
    wilcoxon_signed_rank,
)
from agreement.systems.differences import NO_SHARED
from agreement.values.exact import Differences, ExactMeans
from estimates.catalogue import DIFFERENCE_P, MEAN_DIFFERENCE, SHARED_SOURCES
from estimates.data.groups import SYSTEM
from estimates.data.options import Options
from estimates.data.ratings import Ratings, reach_of
from estimates.data.rows import OF_SYSTEMS, PER_SOURCE
from estimates.data.table import BoolArray, FloatArray, IntArray
from estimates.metrics.averages import measure
from estimates.metrics.systems.ranks import ranked_systems
from estimates.statistics.statistic import Figure, Rated, Statistic, can_agree

# With more systems there would be too many pairs to read.
MOST_SYSTEMS = 20
OTHER = "other_system"
# What an estimate says of its intervals.
BOUNDS = (
    *("low", "high", "confidence", "interval_method"),
    *("live_low", "live_high", "live_method"),
    *("live_these_low", "live_these_high", "live_these_method"),
)


@dataclass(frozen=True, eq=False)
class Design:
    """The ratings of two systems or more, parallel, and the mean of each system on each source.

    source, rater, system, value: of each rating. means: of every pair of source and system, which
    `of_source` and `of_system` name. reach: the largest difference that there can be.
    """

    source: IntArray
    rater: IntArray
    system: IntArray
    value: FloatArray
    of_source: IntArray
    of_system: IntArray
    means: ExactMeans
    names: Sequence[str]
    reach: float

    def of(self, system: int) -> tuple[IntArray, ExactMeans]:
        """Sources and means of one system."""
        own = np.flatnonzero(self.of_system == system)
        return self.of_source[own], self.means.take(own)


def _tests(sample: Rated) -> Iterator[Figure]:
    """Tests and differences of the systems, over all ratings of a party."""
    ratings = sample.ratings
    if ratings.facet.ranks:
        ratings = ranked_systems(ratings.once())
    design = design_of(ratings)
    if design is None:
        return
    yield from overall(sample, design)
    yield from differences(sample, pairs_of(sample, design))
    if ratings.facet.ranks and sample.several:
        about = (ratings.unit, ratings.rater, ratings.item, ratings.number)
        bootstrap = sample.options.bootstrap
        yield Figure("kendall_w", kendall_w(*about, clusters=ratings.source, bootstrap=bootstrap))


def design_of(ratings: Ratings) -> Design | None:
    """The ratings and means by system and source; None where there are no two named systems, too
    many, or nothing to average. Of ranks, those of units that show all of the systems: the second
    of two is not the second of five."""
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
    columns = (source, rater, system, values[used], source[first], system[first])
    return Design(*columns, means, column.names, _reach(ratings, n_systems))


def _reach(ratings: Ratings, n_systems: int) -> float:
    if ratings.facet.ranks:
        return float(n_systems - 1)
    return reach_of(ratings) if ratings.facet.kind == "number" else 1.0


def _show_all(unit: IntArray, system: IntArray, n_systems: int) -> BoolArray:
    """Which ratings are of units that show so many systems."""
    pairs = np.unique(np.stack([unit, system]), axis=1)
    units, counts = np.unique(pairs[0], return_counts=True)
    return np.isin(unit, units[counts == n_systems])


def _values(ratings: Ratings) -> FloatArray | None:
    """What stands for the facet: the numbers themselves, F1, or the first of two labels."""
    measures, _ = measure(ratings)
    return next((measures[name] for name in ("mean", "f1", "share") if name in measures), None)


def overall(sample: Rated, design: Design) -> Iterator[Figure]:
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


@dataclass(frozen=True, eq=False)
class SystemsApart:
    """Two systems by name, their differences on the sources that have both, exactly, and the mean
    of these with its error."""

    first: str
    second: str
    differences: Differences
    compared: SystemDifference

    @property
    def group(self) -> dict[str, str]:
        """The group of a row about the two."""
        return {SYSTEM: self.first, OTHER: self.second}


def pairs_of(sample: Rated, design: Design) -> list[SystemsApart]:
    """Every two systems, in the order of their names."""
    codes = sorted(np.unique(design.of_system).tolist(), key=lambda code: design.names[code])
    return [apart(sample, design, *pair) for pair in combinations(codes, 2)]


def apart(sample: Rated, design: Design, first: int, second: int) -> SystemsApart:
    """Two systems, by their codes."""
    (sources, means), (others, other_means) = design.of(first), design.of(second)
    _, mine, theirs = np.intersect1d(sources, others, return_indices=True)
    rows = np.flatnonzero((design.system == first) | (design.system == second))
    (compared,) = system_differences(
        design.source[rows],
        design.rater[rows],
        np.where(design.system[rows] == first, 0, 1),
        design.value[rows],
        reach=design.reach,
        bootstrap=sample.watched(sample.options.errors_of(several=sample.several)),
    ).values()
    exact = means.take(mine).minus(other_means.take(theirs))
    return SystemsApart(design.names[first], design.names[second], exact, compared)


def differences(sample: Rated, pairs: Sequence[SystemsApart]) -> Iterator[Figure]:
    """The first system's mean minus the second's on the same sources, with p corrected; and the p
    of equivalence, where the study has a margin. Wilcoxon's test is not for mean ranks."""
    tests = {DIFFERENCE_P: [pair.compared.p_value for pair in pairs]}
    if not sample.ratings.facet.ranks:
        tests["wilcoxon_p"] = [_signed_rank(pair.differences) for pair in pairs]
    corrected = {name: holm([test.value for test in each]) for name, each in tests.items()}
    for at, pair in enumerate(pairs):
        yield Figure(MEAN_DIFFERENCE, _difference(pair, sample.options), group=pair.group)
        for name, of_pairs in tests.items():
            yield Figure(name, of_pairs[at], group=pair.group)
            adjusted = _holm(of_pairs[at], corrected[name][at], len(pairs))
            yield Figure(f"{name}_holm", adjusted, group=pair.group)
    margin = sample.scope.data.margins.get(sample.facet)
    if margin is not None and not sample.ratings.facet.ranks:
        yield from _equivalences(pairs, margin)


def _difference(pair: SystemsApart, options: Options) -> Estimate:
    """With the fraction's own value in place of one that rounding may have changed, and without an
    interval where none is wanted; p is the same."""
    estimate = pair.compared.difference
    if not len(pair.differences):
        return estimate
    estimate = replace(estimate, value=pair.differences.mean, n_ratings=len(pair.differences))
    if options.resamples:
        return estimate
    return replace(estimate, **dict.fromkeys(BOUNDS))


def _equivalences(pairs: Sequence[SystemsApart], margin: float) -> Iterator[Figure]:
    tests = [equivalence_p(pair.differences.values, margin=margin) for pair in pairs]
    corrected = holm([test.value for test in tests])
    for pair, test, p_value in zip(pairs, tests, corrected, strict=True):
        yield Figure("equivalence_p_holm", _holm(test, p_value, len(pairs)), group=pair.group)


def _signed_rank(differences: Differences) -> Estimate:
    if not len(differences):
        return Estimate.missing(NO_SHARED, n_units=0)
    return wilcoxon_signed_rank(differences.values)


def _holm(test: Estimate, p_value: float | None, pairs: int) -> Estimate:
    if p_value is None:
        return test
    family = f"Holm over {pairs} pairs of systems of this facet and party"
    return replace(test, value=p_value, interval_method=f"{test.interval_method}; {family}")


def _coverage(sample: Rated) -> Iterator[Figure]:
    """The share of sources on which every system was rated, where that is not all of them: the
    plain means of the systems are then of different texts."""
    ratings = sample.ratings
    if ratings.facet.ranks or ratings.facet.names_items:
        return
    design = design_of(ratings)
    if design is None:
        return
    n_systems = len(np.unique(design.of_system))
    shown = np.unique(design.of_source, return_counts=True)[1]
    if (shown < n_systems).any():
        share = float((shown == n_systems).mean())
        yield Figure(SHARED_SOURCES, Estimate(value=share, n_units=len(shown)))


TESTS = Statistic(compute=_tests, aggregation=OF_SYSTEMS, applies=can_agree)
COVERAGE = Statistic(compute=_coverage, aggregation=PER_SOURCE, applies=can_agree)
