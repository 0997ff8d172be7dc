"""How close each person's answers are to each judge's, beside those of other people."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from agreement import Estimate, JudgeSimilarity, benjamini_hochberg, judge_similarity
from annotation import rater_names
from estimates.catalogue.agreement import (
    JUDGE_SIMILARITY,
    JUDGE_SIMILARITY_Q,
    SIMILARITY_TO_JUDGE,
    SIMILARITY_TO_PEOPLE,
)
from estimates.data.parties import Party
from estimates.data.ratings import Ratings, join
from estimates.statistics.statistic import Figure, Sample, Scope, Statistic, can_agree

ADJUSTED = "no interval; adjusted by Benjamini and Hochberg over {n} people and judges"


@dataclass(frozen=True, eq=False, kw_only=True)
class BesideJudges(Sample):
    """The people of a study beside its judges, in one facet: by the names of both."""

    similarities: Mapping[str, JudgeSimilarity]
    adjusted: Mapping[str, Estimate]

    def __len__(self) -> int:
        return len(self.similarities)


def people_beside_judges(scope: Scope) -> Iterator[BesideJudges]:
    """One sample per facet; p values are adjusted over all of them together."""
    by_facet = {
        facet.name: _of_facet(scope.data.ratings[facet.name], scope)
        for block in scope.data.blocks
        for facet in block.facets
        if can_agree(facet)
    }
    adjusted = _adjusted(by_facet)
    for name, similarities in by_facet.items():
        own = {pair: q for (facet, pair), q in adjusted.items() if facet == name}
        yield BesideJudges(
            scope=scope, raters="", facet=name, similarities=similarities, adjusted=own
        )


def _of_facet(ratings: Ratings, scope: Scope) -> dict[str, JudgeSimilarity]:
    (crowd, *_simulated) = scope.parties.crowds
    named = {r.pk: r.name for r in scope.data.raters if not r.numbered}
    people = ratings.by(crowd.raters & named.keys()).once()
    return {
        f"{named[person]}{rater_names.BETWEEN}{judge.name}": similarity
        for judge in scope.parties.judges
        if not judge.older
        for person, similarity in _beside(people, ratings, judge, scope.options.confidence)
    }


def _beside(
    people: Ratings, ratings: Ratings, judge: Party, confidence: float
) -> Iterator[tuple[int, JudgeSimilarity]]:
    """Rater id of each person who answered something that the judge answered, too."""
    own = ratings.by(judge.raters).once()
    shared = people.take(np.isin(people.place, own.place))
    if not len(shared):
        return
    (pk,) = judge.raters
    both = join(shared, own.take(np.isin(own.place, shared.place)))
    by_rater = judge_similarity(
        both.place,
        both.rater.tolist(),
        both.values,
        judge=pk,
        distance=both.facet.distance,
        clusters=both.source,
        confidence=confidence,
    )
    for person, similarity in by_rater.items():
        assert isinstance(person, int)
        yield person, similarity


def _adjusted(
    by_facet: Mapping[str, Mapping[str, JudgeSimilarity]],
) -> dict[tuple[str, str], Estimate]:
    """(facet, person and judge) -> q, where there is a p value."""
    tested = [
        (name, pair, similarity.p_value, similarity.excess)
        for name, similarities in by_facet.items()
        for pair, similarity in similarities.items()
        if similarity.p_value is not None
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


def _similarity(sample: BesideJudges) -> Iterator[Figure]:
    """The excess with its q and what it is made of; where undefined, the reason alone."""
    for pair, similarity in sample.similarities.items():
        yield Figure(JUDGE_SIMILARITY, similarity.excess, raters=pair)
        if pair not in sample.adjusted:
            continue
        yield Figure(JUDGE_SIMILARITY_Q, sample.adjusted[pair], raters=pair)
        for metric, value in (
            (SIMILARITY_TO_JUDGE, similarity.to_judge),
            (SIMILARITY_TO_PEOPLE, similarity.to_people),
        ):
            assert value is not None  # as it has a p value
            yield Figure(metric, _like(similarity.excess, value, "no interval"), raters=pair)


SIMILARITY = Statistic(compute=_similarity)
