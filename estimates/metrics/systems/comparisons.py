"""Comparisons of two texts: strengths of systems whoever they met, and who won against whom."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from agreement import Estimate, bradley_terry, mean_by
from agreement.systems.components import Cells
from agreement.systems.differences import NO_SHARED, PairedMeans
from agreement.values.exact import Differences
from estimates.catalogue.scores import HEAD_TO_HEAD, STRENGTH, STRENGTH_FIT, WIN_SHARE
from estimates.data.groups import SYSTEM
from estimates.data.ratings import COLUMNS, Ratings, item_names
from estimates.data.rows import OF_SYSTEMS, PER_ITEM
from estimates.data.table import BoolArray, IntArray
from estimates.metrics.averages import MEAN, POPULATION, SHARES, Numbers, mean, stand_for
from estimates.metrics.systems.differences import (
    MOST_SYSTEMS,
    OTHER,
    SystemsApart,
    design_of,
    differences,
    overall,
    pairs_of,
)
from estimates.statistics.statistic import Figure, Rated, Scope, Statistic, can_agree

NEVER_MET = "never compared with each other"


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
    facet = replace(ratings.facet, kind="number", distance="interval", low=0, high=1)
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
    yield stand_for(sample, WIN_SHARE, sample.ratings.number, POPULATION, ends=SHARES)


def _win_share(numbers: Numbers) -> Iterator[Figure]:
    """The share of comparisons that a system wins; over all systems it is one half."""
    for figure in mean(numbers):
        if numbers.group or figure.estimate.value is None:
            yield figure


@dataclass(frozen=True, eq=False)
class Meetings:
    """The comparisons of two different named systems among wins (see `wins_of`): the rows of wins
    of the first and of the second system, by code, the first having the lower one."""

    wins: Ratings
    first_row: IntArray
    second_row: IntArray
    first: IntArray
    second: IntArray

    @classmethod
    def of(cls, wins: Ratings) -> "Meetings":
        """Wins come in twos, one for each text of a comparison."""
        column = wins.material.item_names[SYSTEM]
        rows = np.arange(len(wins)).reshape(-1, 2)
        systems = column.codes[wins.item].reshape(-1, 2)
        kept = (systems > 0).all(axis=1) & (systems[:, 0] != systems[:, 1])
        rows, systems = rows[kept], systems[kept]
        order = np.argsort(systems, axis=1)
        rows, systems = (np.take_along_axis(each, order, axis=1) for each in (rows, systems))
        return cls(wins, rows[:, 0], rows[:, 1], systems[:, 0], systems[:, 1])

    def name(self, system: int) -> str:
        """The name of a system, by its code."""
        return self.wins.material.item_names[SYSTEM].names[system]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Every two of the systems, in the order of their names; none with too many to read."""
        codes = np.unique(np.concatenate([self.first, self.second])).tolist()
        if len(codes) > MOST_SYSTEMS:
            return []
        return list(combinations(sorted(codes, key=self.name), 2))

    def between(self, one: int, other: int) -> BoolArray:
        """Which meetings are of these two."""
        low, high = sorted((one, other))
        return np.asarray((self.first == low) & (self.second == high))


def _strengths(sample: Rated) -> Iterator[Figure]:
    """The chance of each system to win against one of average strength, and whether such strengths
    fit who won against whom."""
    meetings = Meetings.of(sample.ratings)
    wins = sample.ratings
    bootstrap = sample.options.bootstrap
    model = bradley_terry(
        meetings.first,
        meetings.second,
        wins.number[meetings.first_row],
        clusters=wins.source[meetings.first_row],
        raters=wins.rater[meetings.first_row] if sample.several else None,
        confidence=None if bootstrap is None else bootstrap.confidence,
    )
    n_raters = len(np.unique(wins.rater))
    by_name = {meetings.name(int(str(code))): each for code, each in model.chance.items()}
    for name, estimate in sorted(by_name.items()):
        yield Figure(STRENGTH, replace(estimate, n_raters=n_raters), group={SYSTEM: name})
    if model.fitted:
        yield Figure(STRENGTH_FIT, replace(model.fit_p, n_raters=n_raters))


def _head_to_head(sample: Rated) -> Iterator[Figure]:
    """For every two systems the share of their own comparisons that the first won."""
    meetings = Meetings.of(sample.ratings)
    for one, other in meetings.pairs:
        group = {SYSTEM: meetings.name(one), OTHER: meetings.name(other)}
        yield Figure(HEAD_TO_HEAD, _share(sample, meetings, one, other), group=group)


def _share(sample: Rated, meetings: Meetings, one: int, other: int) -> Estimate:
    between = meetings.between(one, other)
    if not between.any():
        return Estimate.missing(NEVER_MET, n_units=0, n_ratings=0)
    rows = (meetings.first_row if one < other else meetings.second_row)[between]
    own = sample.ratings.take(rows)
    estimate = mean_by(
        own.number,
        clusters=own.source,
        units=own.unit,
        raters=own.rater,
        ends=SHARES,
        bootstrap=sample.options.bootstrap,
    )
    return Estimate(**{**vars(estimate), "sd": None, "sd_ddof": None})


def _tests(sample: Rated) -> Iterator[Figure]:
    """Tests of the systems: of all together over all of their comparisons, of two over those that
    they met in, so that games against others do not count."""
    ratings = sample.ratings
    design = design_of(ratings)
    if design is None:
        return
    yield from overall(sample, design)
    meetings = Meetings.of(ratings)
    pairs = [_met(meetings, *pair) for pair in meetings.pairs]
    yield from differences(sample, pairs, design.reach)


def _met(meetings: Meetings, one: int, other: int) -> SystemsApart:
    """The differences of two systems over their own comparisons alone."""
    between = meetings.between(one, other)
    rows = np.concatenate([meetings.first_row[between], meetings.second_row[between]])
    design = design_of(meetings.wins.take(rows))
    if design is not None:
        return pairs_of(design)[0]
    nobody, nothing = np.zeros(0, dtype=np.int64), np.zeros(0)
    none = Cells(nobody, nobody, nobody, nothing, (0, 0, 2))
    return SystemsApart(
        meetings.name(one),
        meetings.name(other),
        Differences(nobody, nobody),
        PairedMeans(none, (0, 1), nothing, NO_SHARED, NO_SHARED),
    )


STRENGTHS = Statistic(compute=_strengths, aggregation=PER_ITEM)
WINS = replace(MEAN, compute=_win_share, values=_wins, by={SYSTEM})
HEADS = Statistic(compute=_head_to_head, aggregation=OF_SYSTEMS)
TESTS = Statistic(compute=_tests, aggregation=OF_SYSTEMS, applies=can_agree)
