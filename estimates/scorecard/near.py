"""Judges beside a crowd's single people, unit by unit."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agreement import Closeness, closeness
from estimates.data.parties import Pair, judge_in
from estimates.data.ratings import Ratings, join
from estimates.data.table import IntArray
from estimates.scorecard.comparable import comparable
from estimates.statistics.statistic import Sample, Scope

DISTANCES: Mapping[str, str] = {"label": "nominal", "number": "interval", "set": "jaccard"}


@dataclass(frozen=True, eq=False)
class Near:
    """A judge beside people, over the units that it and at least one person answered.

    people, judge: comparable ratings, the people's on what the judge answered. span: the length of
    a scale.
    """

    pair: Pair
    people: Ratings
    judge: Ratings
    span: float

    @property
    def name(self) -> str:
        """The judge's."""
        return self.pair.second.name

    @property
    def older(self) -> bool:
        """Whether the judge has a newer version."""
        return self.pair.second.older

    @property
    def n_people(self) -> int:
        """How many people answered what the judge did."""
        return len(np.unique(self.people.rater))

    @cached_property
    def closeness(self) -> Closeness:
        """How near the judge and the people are to each other."""
        shared = join(self.people, self.judge)
        (judge,) = self.pair.second.raters
        return closeness(
            shared.place,
            shared.rater.tolist(),
            shared.values,
            judge=judge,
            distance=DISTANCES[shared.facet.kind],
            span=self.span,
            clusters=shared.source,
        )

    @cached_property
    def about(self) -> Ratings:
        """Of each of the units a rating of a person."""
        return self.people.take(self.closeness.row)

    def both(self, other: "Near") -> tuple[IntArray, IntArray]:
        """The positions of the units that another judge answered as well, in both."""
        places = self.about.place, other.about.place
        _, mine, others = np.intersect1d(*places, return_indices=True)
        return mine, others


@dataclass(frozen=True, eq=False, kw_only=True)
class Judges(Sample):
    """All judges beside one crowd, older versions last."""

    near: tuple[Near, ...]

    def __len__(self) -> int:
        return len(self.near)

    @property
    def newest(self) -> list[Near]:
        """Each judge in its newest version."""
        return [near for near in self.near if not near.older]

    def older_than(self, newest: Near) -> list[Near]:
        """The older versions of a judge."""
        older = [near for near in self.near if near.older]
        return [near for near in older if judge_in(near.name, (newest.name,))]


def judges_near_people(scope: Scope) -> Iterator[Judges]:
    """The judges that answered what some people of a crowd did, for each crowd."""
    ratings, span = comparable(scope.ratings), span_of(scope.ratings)
    if ratings is None or (ratings.facet.kind == "number" and not span):
        return
    for crowd in scope.parties.crowds:
        people = ratings.by(crowd.raters).once()
        pairs = [pair for pair in scope.parties.pairs if pair.first is crowd]
        near = [near_people(pair, people, ratings, span) for pair in pairs]
        answered = tuple(each for each in near if len(each.people))
        yield Judges(scope=scope, raters=crowd.name, facet=scope.facet, near=answered)


def near_people(pair: Pair, people: Ratings, ratings: Ratings, span: float) -> Near:
    """A judge of these comparable ratings beside the people's among them."""
    judge = ratings.by(pair.second.raters).once()
    return Near(pair, people.take(np.isin(people.place, judge.place)), judge, span)


def span_of(ratings: Ratings) -> float:
    """The length of the scale; where its ends are not known, of what was answered."""
    facet, numbers = ratings.facet, ratings.number
    if facet.kind != "number" or not len(numbers):
        return 0.0
    low, high = facet.ends or (float(numbers.min()), float(numbers.max()))
    return high - low
