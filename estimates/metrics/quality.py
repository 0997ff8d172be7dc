"""Quality of answers: agreement with others, right answers to controls, and time taken."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from agreement import Estimate, agreement_with_others, dawid_skene, mean_by, straight_lining
from estimates.catalogue.agreement import CONTROL_ACCURACY as ACCURACY
from estimates.catalogue.agreement import MEDIAN_SECONDS as SECONDS
from estimates.catalogue.agreement import WITH_OTHERS
from estimates.data.facts.answer_times import AnswerTimes
from estimates.data.facts.controls import ControlAnswer
from estimates.data.groups import CRITERION, ROUND
from estimates.data.ratings import Ratings
from estimates.metrics.kappas import as_labels
from estimates.statistics.statistic import Figure, Rated, Sample, Scope, Statistic, can_agree

NO_INTERVAL = "no interval"


def _quality(crowd: Rated) -> Iterator[Figure]:
    """Of every single rater of a crowd, over the whole study: agreement with the others, the
    longest run of one answer and, for labels, the accuracy that Dawid and Skene's model finds."""
    theirs = {*np.unique(crowd.ratings.rater).tolist()}
    singles = [
        party for party in crowd.scope.parties.singles if not theirs.isdisjoint(party.raters)
    ]
    for metric, by_rater in _of_raters(crowd.ratings).items() if singles else ():
        for party in singles:
            (rater,) = party.raters
            if rater in by_rater:
                yield Figure(metric, _without_interval(by_rater[rater]), raters=party.name)


def _without_interval(estimate: Estimate) -> Estimate:
    return estimate if estimate.value is None else replace(estimate, interval_method=NO_INTERVAL)


def _of_raters(ratings: Ratings) -> dict[str, Mapping[Hashable, Estimate]]:
    """Metric -> rater id -> estimate."""
    raters = ratings.rater.tolist()
    estimates: dict[str, Mapping[Hashable, Estimate]] = {WITH_OTHERS: with_others(ratings)}
    # Ranks of one answer differ by themselves, and so do names of texts from unit to unit.
    if not ratings.facet.ranks and not ratings.facet.names_items:
        estimates["straight_lining"] = dict(_runs(ratings))
    # Without a list of labels these are names of systems or items: other ones in every unit.
    if ratings.facet.kind == "label" and ratings.facet.labels:
        model = dawid_skene(
            ratings.place.tolist(), raters, ratings.values, labels=ratings.facet.labels
        )
        estimates["dawid_skene_accuracy"] = model.accuracy
    return estimates


def with_others(ratings: Ratings) -> Mapping[Any, Estimate]:
    """Rater id -> agreement with the other raters of these, of each question one answer each."""
    distance = ratings.facet.distance
    values = as_labels(ratings) if distance == "nominal" else ratings.values
    raters = ratings.rater.tolist()
    return agreement_with_others(ratings.place, raters, values, distance=distance)


def _runs(ratings: Ratings) -> Iterator[tuple[Hashable, Estimate]]:
    """Rater id -> longest run; ratings are read in the order in which answers came in."""
    number = ratings.facet.kind == "number"
    codes = np.unique(ratings.number, return_inverse=True)[1] if number else ratings.code
    ordered = np.argsort(ratings.rater, kind="stable")
    raters, starts = np.unique(ratings.rater[ordered], return_index=True)
    for rater, own in zip(raters.tolist(), np.split(codes[ordered], starts[1:]), strict=True):
        yield rater, straight_lining(own.tolist())


@dataclass(frozen=True, eq=False, kw_only=True)
class Timed(Sample):
    """The times that a party took in a block."""

    times: AnswerTimes

    def __len__(self) -> int:
        return len(self.times.seconds)


def answer_times(scope: Scope) -> Iterator[Timed]:
    """Of crowds and of each of their raters, block by block."""
    for block in scope.data.blocks:
        for party in (*scope.parties.crowds, *scope.parties.singles):
            times = scope.data.times.of(block.pk, party.raters)
            facet = block.facets[0].name
            yield Timed(scope=scope, raters=party.name, facet=facet, times=times)


def _median_seconds(sample: Timed) -> Iterator[Figure]:
    """The median of the seconds that raters were active in an answer."""
    times = sample.times
    estimate = Estimate(
        value=float(np.median(times.seconds)),
        interval_method=NO_INTERVAL,
        n_raters=len(np.unique(times.rater)),
        n_ratings=len(times.seconds),
    )
    yield Figure(SECONDS, estimate)


@dataclass(frozen=True, eq=False, kw_only=True)
class Controls(Sample):
    """A party's answers to control questions of a block; pilots count in their round alone."""

    answers: Sequence[ControlAnswer]

    def __len__(self) -> int:
        return len(self.answers)

    def parts(self, keys: Collection[str]) -> Iterator[Self]:
        """Counting rounds together, these criterion by criterion, then every round by name."""
        counting = [answer for answer in self.answers if answer.counts]
        rounds = {"": counting}
        for name in dict.fromkeys(name for answer in counting for name in answer.right_in):
            own = [
                replace(answer, right=answer.right_in[name])
                for answer in counting
                if name in answer.right_in
            ]
            yield replace(self, answers=own, group={CRITERION: name})
        for answer in self.answers if ROUND in keys else ():
            if answer.round:
                rounds.setdefault(answer.round, []).append(answer)
        for name, answers in rounds.items():
            if answers:
                yield replace(self, answers=answers, group={ROUND: name} if name else {})


def control_answers(scope: Scope) -> Iterator[Controls]:
    """Of every party and single rater, block by block. They enter no other estimate."""
    for block in scope.data.blocks:
        answers = [answer for answer in scope.data.controls if answer.block == block.pk]
        for party in (*scope.parties.groups, *scope.parties.singles):
            yield Controls(
                scope=scope,
                raters=party.name,
                facet=block.facets[0].name,
                several=party.may_be_drawn,
                answers=[answer for answer in answers if answer.rater in party.raters],
            )


def _control_accuracy(sample: Controls) -> Iterator[Figure]:
    """The share of right answers to questions whose right answer was known beforehand."""
    answers = sample.answers
    estimate = mean_by(
        [float(answer.right) for answer in answers],
        clusters=[answer.source for answer in answers],
        units=[answer.unit for answer in answers],
        raters=[answer.rater for answer in answers],
        ends=(0, 1),
        bootstrap=sample.options.bootstrap_of(several=sample.several),
    )
    yield Figure(ACCURACY, estimate)


QUALITY = Statistic(compute=_quality, applies=can_agree)
MEDIAN_SECONDS = Statistic(compute=_median_seconds)
CONTROL_ACCURACY = Statistic(compute=_control_accuracy, by={CRITERION, ROUND})
