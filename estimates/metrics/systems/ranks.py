"""Orders of systems: whole ones, how alike two are, and where each system comes on average."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from agreement import best_worst, correlation
from agreement.systems.ranks import ENTERED, mean_ranks
from estimates.catalogue.scores import BEST_WORST, BEST_WORST_RELIABILITY
from estimates.data.groups import SYSTEM
from estimates.data.ratings import Ratings
from estimates.data.rows import PER_ITEM
from estimates.data.table import BoolArray, IntArray
from estimates.statistics.samples import Compared
from estimates.statistics.statistic import Figure, Rated, Statistic


@dataclass(frozen=True, eq=False)
class Orders:
    """Parallel: the unit, rater and source of each answer, and system -> rank."""

    unit: IntArray
    rater: IntArray
    source: IntArray
    ranks: list[dict[int, float]]

    @property
    def of_the_same(self) -> bool:
        """Whether all of them order the same systems."""
        return len({frozenset(order) for order in self.ranks}) < 2


def orders_of(ratings: Ratings) -> Orders:
    """Every complete order of the systems that a unit shows."""
    ratings = ranked_systems(ratings)
    ratings = ratings.take(np.lexsort((ratings.rater, ratings.unit)))
    systems = ratings.material.item_names["system"].codes[ratings.item]
    new = np.diff(ratings.unit, prepend=-1) != 0
    new |= np.diff(ratings.rater, prepend=-1) != 0
    starts = np.flatnonzero(new)
    pairs = zip(np.split(systems, starts[1:]), np.split(ratings.number, starts[1:]), strict=True)
    ranks = [dict(zip(of.tolist(), numbers.tolist(), strict=True)) for of, numbers in pairs]
    shown: dict[int, int] = {}
    units = ratings.unit[starts].tolist()
    for unit, order in zip(units, ranks if len(starts) else [], strict=True):
        shown[unit] = max(shown.get(unit, 0), len(order))
    whole = [at for at, unit in enumerate(units) if len(ranks[at]) == shown[unit]]
    kept = starts[whole]
    return Orders(
        ratings.unit[kept], ratings.rater[kept], ratings.source[kept], [ranks[at] for at in whole]
    )


def ranked_systems(ratings: Ratings) -> Ratings:
    """Ranks of items of different systems. A unit that shows two items of one system has no rank
    of that system and does not count."""
    ratings = ratings.take(ratings.item >= 0)
    systems = ratings.material.item_names["system"].codes[ratings.item]
    return ratings.take(_told_apart(ratings, systems))


def _told_apart(ratings: Ratings, systems: IntArray) -> BoolArray:
    """Ratings of units in which several systems come up, each once."""
    units, which, counts = np.unique(ratings.unit, return_inverse=True, return_counts=True)
    pairs = np.unique(np.stack([ratings.unit, ratings.rater, systems]), axis=1)
    answers = np.unique(np.stack([ratings.unit, ratings.rater]), axis=1)
    distinct = np.bincount(np.searchsorted(units, pairs[0]), minlength=len(units))
    answer_counts = np.bincount(np.searchsorted(units, answers[0]), minlength=len(units))
    named = np.bincount(which, weights=systems > 0, minlength=len(units))
    fit = (distinct == counts) & (named == counts) & (distinct > answer_counts)
    return np.asarray(fit[which] if len(units) else np.zeros(0, dtype=bool))


def _taus(two: Compared) -> Iterator[Figure]:
    """Tau within each unit, then the mean over units."""
    first, second = two.first, two.second
    _, mine, theirs = np.intersect1d(first.place, second.place, return_indices=True)
    estimate = correlation(
        first.number[mine],
        second.number[theirs],
        method="kendall_tau_b",
        level="summary",
        sources=first.unit[mine],
        clusters=first.source[mine],
        least=2,  # of two items, whether their order is the same
        bootstrap=two.options.bootstrap,
    )
    yield Figure("kendall_tau_b", replace(estimate, n_raters=2))


def _mean_ranks(sample: Rated) -> Iterator[Figure]:
    """The mean rank of each system, of ranks as the block numbers them: as in a competition, or as
    they were entered."""
    ratings = ranked_systems(sample.ratings.once())
    if not len(ratings):
        return
    column = ratings.material.item_names["system"]
    means = mean_ranks(
        ratings.unit,
        ratings.rater,
        column.codes[ratings.item].tolist(),
        ratings.number,
        ties=ENTERED,
        clusters=ratings.source,
        bootstrap=sample.options.bootstrap_of(several=sample.several),
    )
    for system, estimate in sorted(means.overall.items(), key=lambda item: str(item[0])):
        assert isinstance(system, int)
        yield Figure("mean_rank", estimate, group={SYSTEM: column.names[system]})


def _best_worst(sample: Rated) -> Iterator[Figure]:
    """How much more often each system is ranked first than last, and how reliable that is."""
    ratings = ranked_systems(sample.ratings.once())
    column = ratings.material.item_names["system"]
    found = best_worst(
        ratings.unit,
        ratings.rater,
        column.codes[ratings.item],
        ratings.number,
        clusters=ratings.source,
        bootstrap=sample.options.bootstrap,
    )
    for system, estimate in sorted(found.score.items(), key=lambda item: str(item[0])):
        yield Figure(BEST_WORST, estimate, group={SYSTEM: column.names[int(str(system))]})
    if found.score and sample.several:
        yield Figure(BEST_WORST_RELIABILITY, found.reliability)


TAUS = Statistic(compute=_taus, aggregation=PER_ITEM, applies=lambda facet: facet.ranks)
MEAN_RANKS = replace(TAUS, compute=_mean_ranks)
BEST_WORSTS = replace(TAUS, compute=_best_worst)
