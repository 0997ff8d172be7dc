"""Systems compared: do they differ at all, which of them, by how much, and how sure is that?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from agreement import (
    Estimate,
    FriedmanTest,
    friedman,
    holm,
    kendall_w,
    mean_by,
    wilcoxon_signed_rank,
)
from agreement.rounding import even
from results.data.options import Options
from results.data.parties import Parties, Party
from results.data.ratings import Ratings
from results.data.table import FloatArray, IntArray
from results.metrics.averages import measure
from results.metrics.orders import ranked_systems
from results.metrics.rows import Group, Row

LEVEL = "system"
# More systems make more pairs than anybody reads.
MOST_SYSTEMS = 20
OTHER = "other_system"
NO_SHARED = "no source on which both systems were rated"


@dataclass(frozen=True, eq=False)
class Design:
    """One value per system and block, the mean of all that was said.

    A block is what systems are compared on: the unit where several are ranked, else the source.
    """

    block: IntArray
    system: IntArray
    cluster: IntArray
    value: FloatArray
    names: Sequence[str]

    def of(self, system: int) -> tuple[IntArray, FloatArray, IntArray]:
        """Blocks, values and clusters of one system."""
        own = self.system == system
        return self.block[own], self.value[own], self.cluster[own]


def comparison_rows(ratings: Ratings, parties: Parties, options: Options) -> Iterator[Row]:
    """Tests and differences of the systems of a facet, for every party as a whole."""
    if ratings.facet.compared_with:
        return
    for party in parties.groups:
        theirs = ratings.by(party.raters)
        if theirs.facet.ranks:
            theirs = ranked_systems(theirs.once())
        design = _design(theirs)
        if design is None:
            continue
        yield from _tests(theirs, party, design, options)
        if not theirs.facet.ranks:
            yield from _differences(theirs, party, design, options)


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
    means = even(np.bincount(which, weights=values[used]) / np.bincount(which))
    cluster = ratings.source[used][first]
    return Design(block[used][first], system[used][first], cluster, means, column.names)


def _values(ratings: Ratings) -> FloatArray | None:
    """What stands for the facet: the numbers themselves, F1, or the first of two labels."""
    measures, _ = measure(ratings)
    return next((measures[name] for name in ("mean", "f1", "share") if name in measures), None)


def _tests(ratings: Ratings, party: Party, design: Design, options: Options) -> Iterator[Row]:
    """Friedman's test over complete blocks, Nemenyi's of every two, and Kendall's W of raters."""
    found = friedman(
        design.block.tolist(),
        [design.names[code] for code in design.system.tolist()],
        design.value,
        descending=not ratings.facet.ranks,
    )
    n_raters = len(np.unique(ratings.rater))
    overall = {"friedman_chi_square": found.chi_square, "friedman_p": found.p_value}
    for name, estimate in overall.items():
        yield _row(ratings, party, name, replace(estimate, n_raters=n_raters))
    yield from _nemenyi(ratings, party, found, n_raters)
    if party.several and ratings.facet.ranks:
        yield _row(ratings, party, "kendall_w", _concordance(ratings, options))


def _nemenyi(ratings: Ratings, party: Party, found: FriedmanTest, n_raters: int) -> Iterator[Row]:
    for pair, estimate in found.pairs.items():
        first, second = sorted(map(str, pair))
        group = {LEVEL: first, OTHER: second}
        yield _row(ratings, party, "nemenyi_p", replace(estimate, n_raters=n_raters), group)


def _concordance(ratings: Ratings, options: Options) -> Estimate:
    return kendall_w(
        ratings.unit,
        ratings.rater,
        ratings.item,
        ratings.number,
        clusters=ratings.source,
        bootstrap=options.bootstrap,
    )


def _differences(ratings: Ratings, party: Party, design: Design, options: Options) -> Iterator[Row]:
    """The first system's mean minus the second's on the same sources, with p corrected."""
    codes = sorted(np.unique(design.system).tolist(), key=lambda code: design.names[code])
    pairs = list(combinations(codes, 2))
    apart = [_apart(design, *pair) for pair in pairs]
    largest = float(np.abs(design.value).max())
    tests = [_signed_rank(even(differences, largest=largest)) for differences, _ in apart]
    corrected = holm([test.value for test in tests])
    for pair, (values, clusters), test, p_value in zip(pairs, apart, tests, corrected, strict=True):
        group = {LEVEL: design.names[pair[0]], OTHER: design.names[pair[1]]}
        found = {
            "mean_difference": _mean(values, clusters, options),
            "wilcoxon_p": test,
            "wilcoxon_p_holm": _holm(test, p_value, len(pairs)),
        }
        for name, estimate in found.items():
            yield _row(ratings, party, name, estimate, group)


def _apart(design: Design, first: int, second: int) -> tuple[FloatArray, IntArray]:
    """Differences on the blocks that have both, and their clusters."""
    (blocks, values, clusters), (others, other_values, _) = design.of(first), design.of(second)
    _, mine, theirs = np.intersect1d(blocks, others, return_indices=True)
    return values[mine] - other_values[theirs], clusters[mine]


def _mean(values: FloatArray, clusters: IntArray, options: Options) -> Estimate:
    if not len(values):
        return Estimate.missing(NO_SHARED, n_units=0)
    return mean_by(values, clusters=clusters, ddof=1, bootstrap=options.bootstrap)


def _signed_rank(values: FloatArray) -> Estimate:
    return wilcoxon_signed_rank(values) if len(values) else Estimate.missing(NO_SHARED, n_units=0)


def _holm(test: Estimate, p_value: float | None, pairs: int) -> Estimate:
    if p_value is None:
        return test
    return replace(test, value=p_value, interval_method=f"{test.interval_method}; Holm, {pairs}")


def _row(
    ratings: Ratings, party: Party, metric: str, estimate: Estimate, group: Group | None = None
) -> Row:
    return Row(
        metric=metric,
        facet=ratings.facet.name,
        raters=party.name,
        group=group or {},
        aggregation=LEVEL,
        estimate=estimate,
    )
