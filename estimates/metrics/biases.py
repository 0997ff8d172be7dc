"""Bias probes: whether a judge, compared with people, overrates its own family or long texts."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agreement import Bootstrap, Estimate, ego_centric_difference, ego_centric_share, length_slope
from estimates.data.ratings import Ratings, by_item
from estimates.data.rows import Group
from estimates.data.table import BoolArray, FloatArray, IntArray
from estimates.statistics.samples import Compared
from estimates.statistics.statistic import Figure, Statistic

FAMILY = "family"
NO_FAMILY = "the judge's family is not known"
NO_TEXT = "the texts are not known"


@dataclass(frozen=True, eq=False)
class _Beside:
    """A judge's scores with the means of people for the same places, both on one scale."""

    ratings: Ratings
    humans: FloatArray

    def of(self, chosen: BoolArray) -> "_Beside":
        return _Beside(self.ratings.take(chosen), self.humans[chosen])

    @property
    def family(self) -> IntArray:
        """Of whose models each text is, as a code."""
        return self.ratings.material.item_names[FAMILY].codes[self.ratings.item]


def _biases(two: Compared) -> Iterator[Figure]:
    """Every probe of a judge, where people gave some of the same scores."""
    people, judge = two.first, two.second
    _, theirs, its = np.intersect1d(people.place, judge.place, return_indices=True)
    beside = _Beside(judge.take(its), people.number[theirs])
    if len(its):
        for metric, group, estimate in _probes(beside, two):
            yield Figure(metric, replace(estimate, n_raters=2), group=group)


def _across(two: Compared) -> Iterator[Figure]:
    """The ego-centric probes of a judge whose scores are in another facet: by item, its scores
    mapped linearly onto people's scale. How long a text is says nothing across two facets."""
    theirs, its = two.ratings.facet.ends, two.second.facet.ends
    if theirs is None or its is None or two.second.facet.kind != "number":
        return
    people, judge = by_item(two.first), by_item(two.second)
    _, mine, also = np.intersect1d(people.owner, judge.owner, return_indices=True)
    if len(also):
        share = (judge.number[also] - its[0]) / (its[1] - its[0])
        scores = theirs[0] + share * (theirs[1] - theirs[0])
        judged = replace(judge.take(also), number=scores, facet=people.facet)
        for metric, group, estimate in _ego_centric(_Beside(judged, people.number[mine]), two):
            yield Figure(metric, replace(estimate, n_raters=2), group=group)


def _probes(beside: _Beside, two: Compared) -> Iterator[tuple[str, Group, Estimate]]:
    """The ego-centric probes and the slope on length."""
    yield from _ego_centric(beside, two)
    yield "length_slope", {}, _length(beside, two.scope.data.words, two.options.bootstrap)


def _ego_centric(beside: _Beside, two: Compared) -> Iterator[tuple[str, Group, Estimate]]:
    """The ego-centric share, as a whole and by family of what was judged; the own family's lead."""
    facet, bootstrap = beside.ratings.facet, two.options.bootstrap
    if facet.low is not None and facet.high is not None:
        scale: dict[str, Any] = {"low": facet.low, "high": facet.high, "bootstrap": bootstrap}
        for group, part in _by_family(beside):
            scores, clusters = part.ratings.number, part.ratings.source
            share = ego_centric_share(scores, part.humans, clusters=clusters, **scale)
            yield "ego_centric_share", group, share
        if len(beside.ratings.material.item_names[FAMILY].names) > 1:
            lead = _lead(beside.of(beside.family > 0), two.pair.second.family, scale)
            yield "ego_centric_difference", {}, lead


def _by_family(beside: _Beside) -> Iterator[tuple[Group, _Beside]]:
    names = beside.ratings.material.item_names[FAMILY].names
    yield {}, beside
    for name in sorted(names[1:]):
        part = beside.of(beside.family == names.index(name))
        if len(part.humans):
            yield {FAMILY: name}, part


def _lead(beside: _Beside, own: str, scale: dict[str, Any]) -> Estimate:
    """The own family against the others; items of no known family are neither."""
    if not own:
        return Estimate.missing(NO_FAMILY, n_units=len(beside.humans))
    names = beside.ratings.material.item_names[FAMILY].names
    alike = np.array([name.casefold() == own.casefold() for name in names])
    return ego_centric_difference(
        beside.ratings.number,
        beside.humans,
        alike[beside.family],
        clusters=beside.ratings.source,
        **scale,
    )


def _length(beside: _Beside, words: FloatArray, bootstrap: Bootstrap | None) -> Estimate:
    """Points of the scale per 100 words of the text that was judged.

    words: of each item, in hundreds; NaN where the text is not known.
    """
    about = beside.of(beside.ratings.item >= 0)
    lengths = words[about.ratings.item]
    if np.isnan(lengths).all():
        return Estimate.missing(NO_TEXT, n_units=0, n_ratings=0)
    return length_slope(
        about.ratings.number,
        lengths,
        about.humans,
        clusters=about.ratings.source,
        bootstrap=bootstrap,
    )


BIASES = Statistic(compute=_biases, applies=lambda facet: facet.is_score)
EGO_CENTRIC_ACROSS = Statistic(compute=_across, applies=lambda facet: facet.is_score)
