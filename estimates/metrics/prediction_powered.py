"""Prediction-powered estimates: a judge's many answers, corrected by a few answers of people."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agreement import (
    Estimate,
    PredictionPowered,
    ppi_difference,
    ppi_mean,
    ppi_selection,
    ppi_stratified,
    source_correlation,
)
from agreement.scores.inclusion import inclusion_of
from estimates.catalogue.judges import ANSWERED_DIFFERENCE, SOURCE_CORRELATION
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.data.ratings import Ratings, ends_of
from estimates.data.rows import PER_SOURCE, Group
from estimates.data.table import BoolArray, FloatArray, IntArray
from estimates.metrics.averages import has_numbers, numbers_of
from estimates.metrics.systems.differences import MOST_SYSTEMS, OTHER
from estimates.statistics.samples import Compared
from estimates.statistics.statistic import Figure, Statistic, can_agree


@dataclass(frozen=True, eq=False)
class Answered:
    """Means of people and answers of a judge, by place; human is NaN where no person answered.

    drawn: units were given out to people in a random order.
    """

    source: IntArray
    unit: IntArray
    system: IntArray
    human: FloatArray
    judge: FloatArray
    drawn: bool

    @classmethod
    def of(cls, people: Ratings, judge: Ratings, *, drawn: bool = False) -> "Answered":
        """The judge's answers, beside those of people as one."""
        number = np.full(len(judge), np.nan)
        _, mine, theirs = np.intersect1d(judge.place, people.place, return_indices=True)
        number[mine] = numbers_of(people)[theirs]
        systems = judge.material.item_names[SYSTEM].codes[judge.item]
        return cls(judge.source, judge.unit, systems, number, numbers_of(judge), drawn)

    def by_source(self, chosen: BoolArray, n_sources: int) -> tuple[FloatArray, FloatArray]:
        """Means per source. Where people answered some places of a source, the judge's mean is
        over these too, so that the two are about the same; NaN where there is none."""
        human = _means(self.source, self.human, chosen & ~np.isnan(self.human), n_sources)
        both = _means(self.source, self.judge, chosen & ~np.isnan(self.human), n_sources)
        alone = _means(self.source, self.judge, chosen, n_sources)
        return human, np.where(np.isnan(human), alone, both)

    def inclusion(self, chosen: BoolArray, n_sources: int) -> FloatArray | None:
        """How likely each source was to have an answer of people; None where that is not known. A
        source of more units is met earlier while a study is under way."""
        if not self.drawn:
            return None
        units, at = np.unique(self.unit[chosen], return_index=True)
        answered = len(np.unique(self.unit[chosen & ~np.isnan(self.human)]))
        sizes = np.bincount(self.source[chosen][at], minlength=n_sources)
        return inclusion_of(sizes, len(units), answered)

    def whole(self, n_sources: int) -> tuple[FloatArray, FloatArray]:
        """The same of all places."""
        return self.by_source(np.ones(len(self.source), dtype=bool), n_sources)


def _powered(two: Compared) -> Iterator[Figure]:
    """The mean, by system too, and the differences of systems, each with what it is worth where it
    has an interval; how far the answered sources differ from the others to the judge; and what a
    plan of such a study rests on."""
    sides = _answered(two).whole(two.second.material.sources)
    related = source_correlation(*sides, confidence=two.options.confidence)
    yield Figure(SOURCE_CORRELATION, replace(related, n_raters=2))
    for metric, group, powered in _estimates(two):
        figures = {metric: powered.estimate}
        if powered.estimate.low is not None:  # else its reason is said once
            # How many human answers alone would do as well, and how many more that is.
            figures |= {
                f"{metric}_equivalent": powered.equivalent,
                f"{metric}_saved": powered.saved,
            }
        for name, estimate in figures.items():
            yield Figure(name, replace(estimate, n_raters=2), group=group)
        if not group and not powered.estimate.undefined:
            if powered.estimate.low is not None:
                yield Figure(f"{metric}_stratified", _stratified(two))
            yield Figure(ANSWERED_DIFFERENCE, _selection(two))


def _stratified(two: Compared) -> Estimate:
    sides = _answered(two).whole(two.second.material.sources)
    estimate = ppi_stratified(*sides, ends=_ends(two), confidence=two.options.confidence)
    return replace(estimate, n_raters=2)


def _selection(two: Compared) -> Estimate:
    sides = _answered(two).whole(two.second.material.sources)
    low, high = _ends(two)
    estimate = ppi_selection(*sides, reach=high - low, confidence=two.options.confidence)
    return replace(estimate, n_raters=2)


def _ends(two: Compared) -> tuple[float, float]:
    """Of the answers: those of the scale; 0 and 1 where an answer is one of two labels."""
    if two.second.facet.kind != "number":
        return 0.0, 1.0
    return ends_of(two.first, two.second)


def _estimates(two: Compared) -> Iterator[tuple[str, Group, PredictionPowered]]:
    answered, material, confidence = _answered(two), two.second.material, two.options.confidence
    ends = _ends(two)
    metric = "mean_ppi" if two.second.facet.kind == "number" else "share_ppi"
    names = material.item_names[SYSTEM].names
    every = np.ones(len(answered.source), dtype=bool)
    chances = answered.inclusion(every, material.sources)
    about: dict[str, Any] = {"ends": ends, "confidence": confidence}
    whole = ppi_mean(*answered.whole(material.sources), inclusion=chances, **about)
    yield metric, {}, whole
    if whole.estimate.undefined:  # so are all parts: that is said once
        return
    systems = [code for code in np.unique(answered.system).tolist() if code > 0]
    sides = {
        code: answered.by_source(answered.system == code, material.sources) for code in systems
    }
    for code in systems:
        chances = answered.inclusion(answered.system == code, material.sources)
        powered = ppi_mean(*sides[code], inclusion=chances, **about)
        yield metric, {SYSTEM: names[code]}, powered
    for first, second in _pairs(systems, names):
        difference = ppi_difference(
            *sides[first], *sides[second], reach=ends[1] - ends[0], confidence=confidence
        )
        yield "difference_ppi", {SYSTEM: names[first], OTHER: names[second]}, difference


def _pairs(systems: list[int], names: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    ordered = sorted(systems, key=lambda code: names[code])
    if len(ordered) <= MOST_SYSTEMS:
        for at, first in enumerate(ordered):
            yield from ((first, second) for second in ordered[at + 1 :])


def _answered(two: Compared) -> Answered:
    """Who was given which unit is drawn at random here, in imported studies it is not known."""
    drawn = two.scope.data.planned is not None and two.pair.first.name == HUMANS
    return Answered.of(two.first, two.second, drawn=drawn)


def _means(source: IntArray, values: FloatArray, chosen: BoolArray, n_sources: int) -> FloatArray:
    sums = np.bincount(source[chosen], weights=values[chosen], minlength=n_sources)
    sizes = np.bincount(source[chosen], minlength=n_sources)
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)


PREDICTION_POWERED = Statistic(
    compute=_powered,
    aggregation=PER_SOURCE,
    applies=lambda facet: has_numbers(facet) and not facet.ranks and can_agree(facet),
)
