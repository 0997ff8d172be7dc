"""Judges side by side on the units that all of them answered, and what each left unanswered.

Judges fail on different units, and not at random: the figures of two judges over the units that
each of them answered compare unlike texts.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from weakref import WeakKeyDictionary

import numpy as np

from agreement import Estimate, mean_by
from estimates.catalogue.judges import UNANSWERED
from estimates.data.facts.measured import as_ratings
from estimates.data.groups import EVIDENCE, LABEL, SYSTEM
from estimates.data.parties import Parties, Party
from estimates.data.ratings import Ratings
from estimates.data.rows import COMMON
from estimates.data.table import IntArray
from estimates.statistics.samples import compared_facets
from estimates.statistics.statistic import WHOLE, Figure, Rated, Sample, Scope, Statistic

# Several statistics are computed from one scope; finding the units takes a while in a large study.
_COMMON: WeakKeyDictionary[Scope, Scope | None] = WeakKeyDictionary()


def on_common_units(of: Callable[[Scope], Iterable[Sample]]) -> Callable[[Scope], Iterator[Sample]]:
    """The same samples of the newest versions of the judges, and of people beside them, on the
    units that all of these judges answered. None where that is no other comparison: with fewer
    than two judges, and where all answered the same units."""

    def samples(scope: Scope) -> Iterator[Sample]:
        if scope not in _COMMON:
            _COMMON[scope] = _on_common_units(scope)
        narrowed = _COMMON[scope]
        for sample in of(narrowed) if narrowed else ():
            yield replace(sample, group={**sample.group, **COMMON})

    return samples


def of_the_whole(statistic: Statistic) -> Statistic:
    """The same without any parts, and without rows that say that there is nothing."""

    def compute(sample: Sample) -> Iterator[Figure]:
        return (figure for figure in statistic.compute(sample) if not figure.group)

    return replace(statistic, compute=compute, by=WHOLE, missing=lambda _sample: ())


def _on_common_units(scope: Scope) -> Scope | None:
    answered = _answered(scope)
    units = list(answered.values())
    if all(np.array_equal(units[0], others) for others in units[1:]):
        return None
    return _narrowed(scope, reduce(np.intersect1d, units), answered)


def _answered(scope: Scope) -> dict[str, IntArray]:
    """Name of each judge that is compared in a facet -> the units that it answered, in this facet
    and in those that are compared with it."""
    answered = {}
    for judge in scope.parties.judges:
        each = [of.by(judge.raters) for of in (scope.ratings, *compared_facets(scope))]
        units = [np.unique(ratings.unit) for ratings in each if len(ratings)]
        if units and not judge.older:
            answered[judge.name] = reduce(np.intersect1d, units)
    return answered


def _narrowed(scope: Scope, units: IntArray, judges: Iterable[str]) -> Scope:
    """The scope with these units and judges alone, each judge beside people."""
    data = scope.data

    def of_units(ratings: Ratings) -> Ratings:
        return ratings.take(np.isin(ratings.unit, units))

    compared = [scope.ratings, *compared_facets(scope)]
    ratings = {of.facet.name: of_units(of) for of in compared}
    measured = data.measured
    if scope.block.pk in measured:
        chosen = measured[scope.block.pk].on_units(units)
        measured = {**measured, scope.block.pk: chosen}
    return replace(
        scope,
        data=replace(data, ratings={**data.ratings, **ratings}, measured=measured),
        parties=_beside_people(scope.parties, set(judges)),
    )


def _beside_people(parties: Parties, judges: set[str]) -> Parties:
    def is_compared(party: Party) -> bool:
        return party.name in judges

    return replace(
        parties,
        judges=tuple(filter(is_compared, parties.judges)),
        singles=(),
        pairs=tuple(
            pair for pair in parties.pairs if pair.first.several and is_compared(pair.second)
        ),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedUnits(Rated):
    """The units that a judge was asked about in a block: their number is 1 where no answer came."""


def asked_units(scope: Scope) -> Iterator[JudgedUnits]:
    """The units of every judge that left some of them without an answer."""
    names = [facet.name for facet in scope.block.facets]
    for judge in scope.parties.judges:
        (rater,) = judge.raters
        missing = scope.data.unanswered.get((scope.block.pk, rater), ())
        if missing:
            theirs = (scope.data.ratings[name].by(judge.raters).unit for name in names)
            answered = reduce(np.union1d, theirs)
            unit = np.union1d(answered, missing).astype(np.int64)
            nothing = np.zeros(len(unit), dtype=np.int64)
            codes = {
                "unit": unit,
                "rater": nothing + rater,
                "replicate": nothing,
                "round": nothing,
            }
            ratings = as_ratings(scope.block, scope.data.material, codes)
            number = np.isin(unit, answered, invert=True).astype(np.float64)
            yield JudgedUnits.by(judge, scope, replace(ratings, number=number))


def _unanswered(asked: JudgedUnits) -> Iterator[Figure]:
    """The share of the units without an answer."""
    ratings = asked.ratings
    estimate = mean_by(
        ratings.number,
        clusters=ratings.source,
        ddof=0,
        ends=(0, 1),
        bootstrap=asked.options.bootstrap,
    )
    about = {"sd": None, "sd_ddof": None, "n_raters": 1, "n_ratings": None}
    yield Figure(UNANSWERED, Estimate(**{**vars(estimate), **about}))


UNANSWERED_SHARE = Statistic(compute=_unanswered, by={SYSTEM, EVIDENCE, LABEL})
