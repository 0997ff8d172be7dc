"""The samples of statistics: ratings of crowds, judges or single raters, or of two compared."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from estimates.data.consensus import consensus_of, merge_outside_reference
from estimates.data.groups import ROUND, parts, rater_parts
from estimates.data.parties import Pair, Party
from estimates.data.ratings import Ratings, join
from estimates.data.rows import SCORE_FACET, Group
from estimates.data.table import BoolArray
from estimates.statistics.statistic import Rated, Scope

# The two of a comparison, as raters.
FIRST, SECOND = 1, 2
MEAN = "mean"


def crowds(scope: Scope) -> Iterator[Rated]:
    """People together, and simulated raters together; one answer of each rater to each question."""
    for party in scope.parties.crowds:
        yield Rated.by(party, scope, scope.ratings.by(party.raters).once())


def judges(scope: Scope) -> Iterator[Rated]:
    """Every judge, with all of its replicates."""
    return _each(scope, scope.parties.judges)


def groups(scope: Scope) -> Iterator[Rated]:
    """Crowds and judges, with all replicates."""
    return _each(scope, scope.parties.groups)


def singles(scope: Scope) -> Iterator[Rated]:
    """Every person or simulated rater alone."""
    return _each(scope, scope.parties.singles, alone=True)


def everyone(scope: Scope) -> Iterator[Rated]:
    """Crowds and judges, then every person alone."""
    yield from groups(scope)
    yield from singles(scope)


def _each(scope: Scope, parties: Collection[Party], *, alone: bool = False) -> Iterator[Rated]:
    for party in parties:
        yield Rated.by(party, scope, scope.ratings.by(party.raters), alone=alone)


@dataclass(frozen=True, eq=False, kw_only=True)
class Compared(Rated):
    """Two parties: `ratings` are the first's, as each of its raters gave them."""

    pair: Pair
    second: Ratings

    @cached_property
    def first(self) -> Ratings:
        """The first's ratings, those of several people as one by consensus."""
        return consensus_of(self.ratings, self.consensus) if self.consensus else self.ratings


def pairs(scope: Scope) -> Iterator[Compared]:
    """Every two parties that are compared and have both answered."""
    for pair in scope.parties.pairs:
        yield from _compared(scope, pair, scope.consensus if pair.first.several else None)


def judges_beside_people(scope: Scope) -> Iterator[Compared]:
    """Every judge beside a crowd that becomes one by consensus."""
    return _with_crowds(scope, scope.consensus)


def judges_beside_means(scope: Scope) -> Iterator[Compared]:
    """Every judge beside the mean of a crowd, whatever consensus was asked for."""
    return _with_crowds(scope, MEAN)


def judges_among_people(scope: Scope) -> Iterator[Compared]:
    """Every judge beside the people of a crowd, as separate raters."""
    return _with_crowds(scope, None)


def judges_in_other_facets(scope: Scope) -> Iterator[Compared]:
    """A crowd beside every judge whose numbers are in another facet."""
    return _across(scope, scope.consensus)


def judges_beside_other_means(scope: Scope) -> Iterator[Compared]:
    """The same beside the mean of the crowd, whatever consensus was asked for."""
    return _across(scope, MEAN)


def _across(scope: Scope, how: str | None) -> Iterator[Compared]:
    for scores in compared_facets(scope):
        yield from _with_crowds(scope, how, scores)


def compared_facets(scope: Scope) -> list[Ratings]:
    """The ratings of the facets whose numbers are to be compared with this one."""
    ratings = scope.data.ratings.values()
    return [scores for scores in ratings if scope.facet in scores.facet.compared_with]


def _with_crowds(
    scope: Scope, how: str | None, scores: Ratings | None = None
) -> Iterator[Compared]:
    for pair in scope.parties.pairs:
        if pair.first.several:
            yield from _compared(scope, pair, how, scores)


def _group_of(scope: Scope, judge: Party, scores: Ratings | None) -> Group:
    """The facet of a judge's scores, where that is another one. Scores on a scale of their own are
    told apart by it only where the judge has others to be compared with this facet."""
    if scores is None:
        return {}
    each = [scope.ratings, *compared_facets(scope)]
    if scores.facet.own_scale and sum(len(of.by(judge.raters)) > 0 for of in each) < 2:
        return {}
    return {SCORE_FACET: scores.facet.name}


def _compared(
    scope: Scope, pair: Pair, how: str | None, scores: Ratings | None = None
) -> Iterator[Compared]:
    """scores: the second's ratings, where they are in another facet."""
    first = scope.ratings.by(pair.first.raters).once()
    second = (scope.ratings if scores is None else scores).by(pair.second.raters).once()
    if len(first) and len(second):
        yield Compared(
            scope=scope,
            raters=pair.name,
            facet=scope.facet,
            group=_group_of(scope, pair.second, scores),
            consensus=how,
            ratings=first,
            pair=pair,
            second=second,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class TwoRaters(Rated):
    """Two parties as two raters; first and second are the ratings of each before consensus."""

    first: Ratings
    second: Ratings

    def parts(self, keys: Collection[str]) -> Iterator[Self]:
        """A judge is in no round of people: a round holds people's ratings in it, beside the
        judge's ratings of the same places."""
        keys = () if self.alone else keys
        for group, mask in parts(self.ratings, keys):
            if not self.consensus or ROUND not in group:
                yield self.part(group, mask)
        for group, mask in parts(self.first, {ROUND} & {*keys}) if self.consensus else ():
            if group:
                yield self._of_people(group, mask)

    def rater_parts(self) -> Iterator[Self]:
        """The judge beside the consensus of the people of a group."""
        for group, mask in rater_parts(self.first) if self.consensus else ():
            yield self._of_people(group, mask)

    def _of_people(self, group: Group, mask: BoolArray) -> Self:
        """The ratings of some people, beside the judge's of the same places."""
        part = self.first.take(mask)
        same = self.second.take(np.isin(self.second.place, part.place))
        ratings = _beside(part, same, self.consensus, none_apart=self.options.none_apart)
        return replace(self, ratings=ratings, origin=self.ratings, group=group)


def pairs_as_raters(scope: Scope) -> Iterator[TwoRaters]:
    """Every two that are compared as two raters; a crowd first becomes one by consensus, of sets
    as published (see `merge_outside_reference`). Two named raters have figures of the whole study
    alone, unless all are wanted: there are many pairs, each with a row per group and
    coefficient."""
    none_apart = scope.options.none_apart
    folded = merge_outside_reference(scope.ratings, none_apart=none_apart)
    for pair in scope.parties.pairs:
        several = pair.first.several
        ratings, how = (folded, scope.consensus) if several else (scope.ratings, None)
        first, second = (ratings.by(party.raters).once() for party in (pair.first, pair.second))
        if not len(second):
            continue  # nothing to compare with: not this rater's facet
        yield TwoRaters(
            scope=scope,
            raters=pair.name,
            facet=scope.facet,
            consensus=how,
            missing_reason=pair.first.missing_reason if several else "",
            alone=not several and not scope.options.everything,
            ratings=(_beside(first, second, how, none_apart=none_apart) if len(first) else first),
            first=first,
            second=second,
        )


def _beside(first: Ratings, second: Ratings, how: str | None, *, none_apart: bool) -> Ratings:
    """The two as two raters. Sets were folded before, and what a majority leaves empty is "none"
    like any other."""
    united = (
        merge_outside_reference(consensus_of(first, how), none_apart=none_apart) if how else first
    )
    return join(_as_one(united, FIRST), _as_one(second, SECOND))


def _as_one(ratings: Ratings, rater: int) -> Ratings:
    return replace(ratings, rater=np.full(len(ratings), rater, dtype=np.int64))
