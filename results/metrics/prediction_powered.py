"""Prediction-powered estimates: a judge's many answers, set right by few of people's."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from agreement import Estimate, PredictionPowered, ppi_difference, ppi_mean
from results.data.groups import SYSTEM
from results.data.options import Options
from results.data.parties import Pair, Parties
from results.data.ratings import Ratings
from results.data.rows import Group, Row
from results.data.table import BoolArray, FloatArray, IntArray
from results.metrics.agreement import unite
from results.metrics.systems import MOST_SYSTEMS, OTHER

AGGREGATION = "per_source"
# A pair of labels such as yes and no is 1 for the first and 0 for the second.
TWO = 2


@dataclass(frozen=True, eq=False)
class Answered:
    """What people together and a judge say of the same places; human is NaN where nobody did."""

    source: IntArray
    system: IntArray
    human: FloatArray
    judge: FloatArray

    def by_source(self, chosen: BoolArray, n_sources: int) -> tuple[FloatArray, FloatArray]:
        """Means per source. Where people answered some places of a source, the judge's mean is
        over these too, so that the two are about the same; NaN where there is none."""
        human = _means(self.source, self.human, chosen & ~np.isnan(self.human), n_sources)
        both = _means(self.source, self.judge, chosen & ~np.isnan(self.human), n_sources)
        alone = _means(self.source, self.judge, chosen, n_sources)
        return human, np.where(np.isnan(human), alone, both)


def prediction_rows(ratings: Ratings, parties: Parties, options: Options) -> Iterator[Row]:
    """For every judge of a facet with numbers, or two labels: the mean, by system too, and the
    differences of systems."""
    facet = ratings.facet
    two = facet.kind == "label" and len(facet.labels) == TWO
    if facet.ranks or facet.compared_with or not (two or facet.kind == "number"):
        return
    for pair in parties.pairs:
        if pair.first.several:
            yield from _rows(ratings, pair, options)


def _rows(ratings: Ratings, pair: Pair, options: Options) -> Iterator[Row]:
    how = options.consensus_for(ratings.facet.kind)
    answered = _answered(ratings, pair, how)
    if answered is None:
        return
    name = "mean" if ratings.facet.kind == "number" else "share"
    n_sources, names = ratings.material.sources, ratings.material.item_names["system"].names
    systems = [code for code in np.unique(answered.system).tolist() if code > 0]
    everything = np.ones(len(answered.source), dtype=bool)
    sides = {code: answered.by_source(answered.system == code, n_sources) for code in systems}
    whole = _powered(*answered.by_source(everything, n_sources), options)
    found: list[tuple[str, Group, PredictionPowered]] = [(f"{name}_ppi", {}, whole)]
    # Where the whole is undefined all parts are: that is said once.
    parts = [] if whole.estimate.undefined else systems
    for code in parts:
        found.append((f"{name}_ppi", {SYSTEM: names[code]}, _powered(*sides[code], options)))
    for first, second in _pairs(parts, names):
        powered = ppi_difference(*sides[first], *sides[second], confidence=options.confidence)
        found.append(("difference_ppi", {SYSTEM: names[first], OTHER: names[second]}, powered))
    for metric, group, powered in found:
        for of_it, estimate in _estimates(metric, powered):
            yield Row(
                metric=of_it,
                facet=ratings.facet.name,
                raters=pair.name,
                group=group,
                aggregation=AGGREGATION,
                consensus=how,
                estimate=replace(estimate, n_raters=2),
            )


def _pairs(systems: list[int], names: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    ordered = sorted(systems, key=lambda code: names[code])
    if len(ordered) <= MOST_SYSTEMS:
        for at, first in enumerate(ordered):
            yield from ((first, second) for second in ordered[at + 1 :])


def _powered(human: FloatArray, judge: FloatArray, options: Options) -> PredictionPowered:
    return ppi_mean(human, judge, confidence=options.confidence)


def _estimates(metric: str, powered: PredictionPowered) -> Iterator[tuple[str, Estimate]]:
    """The estimate, how many human answers alone would do as well, and how many more that is."""
    yield metric, powered.estimate
    if not powered.estimate.undefined:  # said once
        yield f"{metric}_equivalent", powered.equivalent
        yield f"{metric}_saved", powered.saved


def _answered(ratings: Ratings, pair: Pair, how: str) -> Answered | None:
    """None where one of the two has said nothing."""
    judge = ratings.by(pair.second.raters).once()
    people = ratings.by(pair.first.raters).once()
    if not len(judge) or not len(people):
        return None
    people = unite(people, how)
    number = np.full(len(judge), np.nan)
    _, mine, theirs = np.intersect1d(judge.place, people.place, return_indices=True)
    number[mine] = _numbers(people)[theirs]
    systems = judge.material.item_names["system"].codes[judge.item]
    return Answered(judge.source, systems, number, _numbers(judge))


def _numbers(ratings: Ratings) -> FloatArray:
    if ratings.facet.kind == "number":
        return ratings.number
    yes = np.array([value == ratings.facet.labels[0] for value in ratings.domain], dtype=np.float64)
    return yes[ratings.code] if len(ratings) else np.zeros(0)


def _means(source: IntArray, values: FloatArray, chosen: BoolArray, n_sources: int) -> FloatArray:
    sums = np.bincount(source[chosen], weights=values[chosen], minlength=n_sources)
    sizes = np.bincount(source[chosen], minlength=n_sources)
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)
