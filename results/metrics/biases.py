"""Bias probes: does a judge overrate texts of its own family, or long ones, beside people?"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from agreement import Estimate, ego_centric_difference, ego_centric_share, length_slope
from annotation.models import Item, Study
from results.data.options import Options
from results.data.parties import Pair, Parties
from results.data.ratings import Ratings
from results.data.table import BoolArray, FloatArray, Material
from results.metrics.agreement import unite
from results.metrics.kappas import POOLED
from results.metrics.rows import Group, Row

CHUNK = 2000
FAMILY = "family"
# People always become one by their mean here: it is part of the definition.
MEAN = "mean"
NO_FAMILY = "the judge's family is not known"
NO_TEXT = "no text with a length"
HUNDRED = 100


@dataclass(frozen=True)
class Texts:
    """How long the items are, looked up when it is first asked for."""

    study: Study
    material: Material

    @cached_property
    def words(self) -> FloatArray:
        """Words of each item, in hundreds; NaN where the text is not known."""
        counted = {pk: _words(sentences) for pk, sentences in self._sentences()}
        of_items = [counted.get(pk, 0) for pk in self.material.item_ids]
        words = np.array(of_items, dtype=np.float64) / HUNDRED
        return np.where(words > 0, words, np.nan)

    def _sentences(self) -> Iterator[tuple[int, list[dict[str, str]]]]:
        items = Item.objects.filter(study=self.study).order_by("pk")
        yield from items.values_list("pk", "sentences").iterator(CHUNK)


def _words(sentences: list[dict[str, str]]) -> int:
    return sum(len(sentence["text"].split()) for sentence in sentences)


@dataclass(frozen=True, eq=False)
class _Beside:
    """A judge's scores with the means of people for the same places."""

    ratings: Ratings
    scores: FloatArray
    humans: FloatArray

    def of(self, chosen: BoolArray) -> "_Beside":
        return _Beside(self.ratings.take(chosen), self.scores[chosen], self.humans[chosen])


def bias_rows(ratings: Ratings, texts: Texts, parties: Parties, options: Options) -> Iterator[Row]:
    """The probes of every judge beside people, where both score on one scale."""
    facet = ratings.facet
    if facet.kind != "number" or facet.ranks or facet.compared_with:
        return
    for pair in parties.pairs:
        if not pair.first.several:
            continue
        beside = _beside(ratings, pair)
        if len(beside.scores):
            yield from _ego_centric(beside, pair, options)
            yield _row(beside, pair, "length_slope", {}, _length(beside, texts, options))


def _beside(ratings: Ratings, pair: Pair) -> _Beside:
    people, judge = (ratings.by(one.raters).once() for one in (pair.first, pair.second))
    people = unite(people, MEAN) if len(people) else people
    _, theirs, its = np.intersect1d(people.place, judge.place, return_indices=True)
    about = judge.take(its)
    return _Beside(about, about.number, people.number[theirs])


def _ego_centric(beside: _Beside, pair: Pair, options: Options) -> Iterator[Row]:
    """The share as a whole and by family of what was judged, and the own family's lead."""
    facet = beside.ratings.facet
    if facet.low is None or facet.high is None:
        return
    scale: dict[str, Any] = {"low": facet.low, "high": facet.high}
    families = beside.ratings.material.item_names[FAMILY]
    family = families.codes[beside.ratings.item]
    for code, name in sorted(enumerate(families.names), key=lambda one: one[1]):
        part = beside.of(family == code) if name else beside
        if len(part.scores):
            share = ego_centric_share(
                part.scores,
                part.humans,
                **scale,
                clusters=part.ratings.source,
                bootstrap=options.bootstrap,
            )
            yield _row(part, pair, "ego_centric_share", {FAMILY: name} if name else {}, share)
    if len(families.names) > 1:
        lead = _lead(beside.of(family > 0), pair.second.family, scale, options)
        yield _row(beside, pair, "ego_centric_difference", {}, lead)


def _lead(beside: _Beside, own: str, scale: dict[str, Any], options: Options) -> Estimate:
    """The own family against the others; items of no known family are neither."""
    if not own:
        return Estimate.missing(NO_FAMILY, n_units=len(beside.scores))
    families = beside.ratings.material.item_names[FAMILY]
    alike = np.array([name.casefold() == own.casefold() for name in families.names])
    return ego_centric_difference(
        beside.scores,
        beside.humans,
        alike[families.codes[beside.ratings.item]],
        **scale,
        clusters=beside.ratings.source,
        bootstrap=options.bootstrap,
    )


def _length(beside: _Beside, texts: Texts, options: Options) -> Estimate:
    """Points of the scale per 100 words of the text that was judged."""
    about = beside.of(beside.ratings.item >= 0)
    words = texts.words[about.ratings.item] if len(about.scores) else np.zeros(0)
    if np.isnan(words).all():
        return Estimate.missing(NO_TEXT, n_units=0, n_ratings=0)
    return length_slope(
        about.scores,
        words,
        about.humans,
        clusters=about.ratings.source,
        bootstrap=options.bootstrap,
    )


def _row(beside: _Beside, pair: Pair, metric: str, group: Group, estimate: Estimate) -> Row:
    return Row(
        metric=metric,
        facet=beside.ratings.facet.name,
        raters=pair.name,
        group=group,
        aggregation=POOLED,
        consensus=MEAN,
        estimate=replace(estimate, n_raters=2),
    )
