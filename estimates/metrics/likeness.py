"""How close each person's answers are to each judge's, beside those of other people."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from agreement import Estimate, JudgeLikeness, benjamini_hochberg, judge_likeness
from annotation import rater_names
from estimates.catalogue import (
    JUDGE_LIKENESS,
    JUDGE_LIKENESS_Q,
    LIKENESS_TO_JUDGE,
    LIKENESS_TO_PEOPLE,
)
from estimates.data.parties import Party
from estimates.data.ratings import Ratings, join
from estimates.statistics.statistic import Figure, Sample, Scope, Statistic, can_agree

ADJUSTED = "no interval; adjusted by Benjamini and Hochberg over {n} people and judges"


@dataclass(frozen=True, eq=False, kw_only=True)
class BesideJudges(Sample):
    """The people of a study beside its judges, in one facet: by the names of both."""

    likenesses: Mapping[str, JudgeLikeness]
    adjusted: Mapping[str, Estimate]

    def __len__(self) -> int:
        return len(self.likenesses)


def people_beside_judges(scope: Scope) -> Iterator[BesideJudges]:
    """One sample per facet; p values are adjusted over all of them together."""
    by_facet = {
        facet.name: _of_facet(scope.data.ratings[facet.name], scope)
        for block in scope.data.blocks
        for facet in block.facets
        if can_agree(facet)
    }
    adjusted = _adjusted(by_facet)
    for name, likenesses in by_facet.items():
        own = {pair: q for (facet, pair), q in adjusted.items() if facet == name}
        yield BesideJudges(scope=scope, raters="", facet=name, likenesses=likenesses, adjusted=own)


def _of_facet(ratings: Ratings, scope: Scope) -> dict[str, JudgeLikeness]:
    (crowd, *_simulated) = scope.parties.crowds
    people, names = ratings.by(crowd.raters).once(), {r.pk: r.name for r in scope.data.raters}
    return {
        f"{names[person]}{rater_names.BETWEEN}{judge.name}": likeness
        for judge in scope.parties.judges
        if not judge.older
        for person, likeness in _beside(people, ratings, judge, scope.options.confidence)
    }


def _beside(
    people: Ratings, ratings: Ratings, judge: Party, confidence: float
) -> Iterator[tuple[int, JudgeLikeness]]:
    """Rater id of each person who answered something that the judge answered, too."""
    own = ratings.by(judge.raters).once()
    shared = people.take(np.isin(people.place, own.place))
    if not len(shared):
        return
    (pk,) = judge.raters
    both = join(shared, own.take(np.isin(own.place, shared.place)))
    by_rater = judge_likeness(
        both.place,
        both.rater.tolist(),
        both.values,
        judge=pk,
        distance=both.facet.distance,
        clusters=both.source,
        confidence=confidence,
    )
    for person, likeness in by_rater.items():
        assert isinstance(person, int)
        yield person, likeness


def _adjusted(
    by_facet: Mapping[str, Mapping[str, JudgeLikeness]],
) -> dict[tuple[str, str], Estimate]:
    """(facet, person and judge) -> q, where there is a p value."""
    tested = [
        (name, pair, likeness.p_value, likeness.excess)
        for name, likenesses in by_facet.items()
        for pair, likeness in likenesses.items()
        if likeness.p_value is not None
    ]
    values = benjamini_hochberg([p_value for _, _, p_value, _ in tested])
    how = ADJUSTED.format(n=len(tested))
    return {
        (name, pair): _like(excess, q, how)
        for (name, pair, _, excess), q in zip(tested, values, strict=True)
    }


def _like(excess: Estimate, value: float, how: str) -> Estimate:
    """Another figure of the same answers, without an interval."""
    return replace(excess, value=value, low=None, high=None, confidence=None, interval_method=how)


def _likeness(sample: BesideJudges) -> Iterator[Figure]:
    """The excess with its q and what it is made of; where undefined, the reason alone."""
    for pair, likeness in sample.likenesses.items():
        yield Figure(JUDGE_LIKENESS, likeness.excess, raters=pair)
        if pair not in sample.adjusted:
            continue
        yield Figure(JUDGE_LIKENESS_Q, sample.adjusted[pair], raters=pair)
        for metric, value in (
            (LIKENESS_TO_JUDGE, likeness.to_judge),
            (LIKENESS_TO_PEOPLE, likeness.to_people),
        ):
            assert value is not None  # as it has a p value
            yield Figure(metric, _like(likeness.excess, value, "no interval"), raters=pair)


LIKENESS = Statistic(compute=_likeness)
