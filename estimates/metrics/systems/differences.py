"""Systems compared: whether they differ, which of them, by how much, and with what certainty."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from agreement import (
    Estimate,
    equivalence_p,
    friedman,
    holm,
    kendall_w,
    min_f,
    wilcoxon_signed_rank,
)
from agreement.systems.components import Cells
from agreement.systems.differences import (
    NO_SHARED,
    NOBODY_BESIDE,
    ONE_RATER,
    PairedMeans,
    SystemDifference,
    in_family,
    paired_means,
)
from agreement.values.estimate import Counts
from agreement.values.exact import Differences, ExactMeans
from estimates.catalogue.systems import (
    DIFFERENCE_P,
    DIFFERENCE_P_HOLM,
    MEAN_DIFFERENCE,
    RATERS_BY_SYSTEMS,
    SHARED_SOURCES,
    THESE_P,
    THESE_P_HOLM,
)
from estimates.data.groups import SYSTEM
from estimates.data.raters import UNNAMED
from estimates.data.ratings import Ratings, reach_of
from estimates.data.rows import OF_SYSTEMS, PER_SOURCE
from estimates.data.table import BoolArray, FloatArray, IntArray
from estimates.metrics.averages import measure
from estimates.metrics.systems.places import places
from estimates.metrics.systems.ranks import ranked_systems
from estimates.statistics.statistic import Figure, Rated, Statistic, can_agree

# With more systems there would be too many pairs to read.
MOST_SYSTEMS = 20
OTHER = "other_system"
# The tests of a pair and what they are called.
TESTS_OF = {
    THESE_P: "these_p",
    THESE_P_HOLM: "these_p_holm",
    DIFFERENCE_P: "others_p",
    DIFFERENCE_P_HOLM: "others_p_holm",
}


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

    @cached_property
    def cells(self) -> Cells:
        """The ratings with codes from 0 on; systems as `systems` lists them."""
        source, rater, system = (
            np.unique(codes, return_inverse=True)[1]
            for codes in (self.source, self.rater, self.system)
        )
        shape = tuple(int(codes.max()) + 1 for codes in (source, rater, system))
        return Cells(source, rater, system, self.value, (shape[0], shape[1], shape[2]))

    @property
    def systems(self) -> list[int]:
        """The systems that were rated, by code."""
        return [int(code) for code in np.unique(self.system)]

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
    yield from differences(sample, pairs_of(design), design.reach)
    if ratings.facet.ranks and (sample.several or sample.numbered):
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
        group = dict(zip((SYSTEM, OTHER), sorted(map(str, pair)), strict=True))
        yield Figure("nemenyi_p", replace(estimate, n_raters=n_raters), group=group)
    if sample.several:
        both = min_f(design.source, design.rater, design.system, design.value)
        yield Figure("min_f", both.statistic)
        yield Figure("min_f_p", both.p_value)
        yield Figure(RATERS_BY_SYSTEMS, _raters_by_systems(design.cells))


def _raters_by_systems(cells: Cells) -> Estimate:
    """How much more some raters like one system than others do."""
    (n_sources, n_raters, _), parts = cells.shape, cells.components if cells.shape[1] > 1 else None
    n = Counts(n_units=n_sources, n_raters=n_raters, n_ratings=len(cells.value))
    if parts is None:
        return Estimate.missing(NOBODY_BESIDE if n_raters > 1 else ONE_RATER, **n)
    return Estimate(value=parts.raters_sd, **n)


@dataclass(frozen=True, eq=False)
class SystemsApart:
    """Two systems by name, their differences on the sources that have both, exactly, and the mean
    of these with its errors."""

    first: str
    second: str
    differences: Differences
    means: PairedMeans

    @property
    def group(self) -> dict[str, str]:
        """The group of a row about the two."""
        return {SYSTEM: self.first, OTHER: self.second}


def pairs_of(design: Design) -> list[SystemsApart]:
    """Every two systems, in the order of their names."""
    codes = sorted(design.systems, key=lambda code: design.names[code])
    pairs, at = list(combinations(codes, 2)), {code: at for at, code in enumerate(design.systems)}
    means = paired_means(design.cells, [(at[first], at[second]) for first, second in pairs])
    return [_apart(design, *pair, of) for pair, of in zip(pairs, means, strict=True)]


def _apart(design: Design, first: int, second: int, means: PairedMeans) -> SystemsApart:
    """Two systems, by their codes."""
    (sources, own), (others, other_means) = design.of(first), design.of(second)
    _, mine, theirs = np.intersect1d(sources, others, return_indices=True)
    exact = own.take(mine).minus(other_means.take(theirs))
    return SystemsApart(design.names[first], design.names[second], exact, means)


def differences(sample: Rated, pairs: Sequence[SystemsApart], reach: float) -> Iterator[Figure]:
    """The first system's mean minus the second's on the same sources, with the p of both readings,
    corrected; and the p of equivalence, where the study has a margin. Wilcoxon's test is not for
    mean ranks. reach: as in Design."""
    options = sample.options
    bootstrap = sample.watched(options.errors_of(several=sample.several))
    means = [pair.means for pair in pairs]
    if sample.numbered:
        means = [replace(of, others=UNNAMED) for of in means]
    compared = in_family(means, reach=reach, bootstrap=bootstrap if options.resamples else None)
    for pair, of in zip(pairs, compared, strict=True):
        yield Figure(MEAN_DIFFERENCE, _difference(pair, of), group=pair.group)
        for name, field in TESTS_OF.items():
            yield Figure(name, getattr(of, field), group=pair.group)
    yield from places(pairs, compared, descending=sample.ratings.facet.ranks)
    if sample.ratings.facet.ranks:
        return
    yield from _signed_ranks(pairs)
    margin = sample.scope.data.margins.get(sample.facet)
    if margin is not None:
        yield from _equivalences(pairs, margin)


def _difference(pair: SystemsApart, of: SystemDifference) -> Estimate:
    """With the fraction's own value in place of one that rounding may have changed."""
    if not len(pair.differences):
        return of.difference
    exact = pair.differences
    return replace(of.difference, value=exact.mean, n_ratings=len(exact))


def _signed_ranks(pairs: Sequence[SystemsApart]) -> Iterator[Figure]:
    tests = [_signed_rank(pair.differences) for pair in pairs]
    for pair, test, corrected in zip(pairs, tests, _holm(tests), strict=True):
        yield Figure("wilcoxon_p", test, group=pair.group)
        yield Figure("wilcoxon_p_holm", corrected, group=pair.group)


def _equivalences(pairs: Sequence[SystemsApart], margin: float) -> Iterator[Figure]:
    tests = [equivalence_p(pair.differences.values, margin=margin) for pair in pairs]
    for pair, corrected in zip(pairs, _holm(tests), strict=True):
        yield Figure("equivalence_p_holm", corrected, group=pair.group)


def _signed_rank(differences: Differences) -> Estimate:
    if not len(differences):
        return Estimate.missing(NO_SHARED, n_units=0)
    return wilcoxon_signed_rank(differences.values)


def _holm(tests: Sequence[Estimate]) -> Iterator[Estimate]:
    """The tests of all pairs, each with its p corrected for the others."""
    family = f"Holm over {len(tests)} pairs of systems of this facet and party"
    for test, p_value in zip(tests, holm([test.value for test in tests]), strict=True):
        method = f"{test.interval_method}; {family}"
        is_defined = p_value is not None
        yield replace(test, value=p_value, interval_method=method) if is_defined else test


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
