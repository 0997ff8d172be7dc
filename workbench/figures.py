"""How near versions of a judge are to people, on one half of a split study."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agreement import Bootstrap, Estimate
from agreement.scores.shares import share_of
from annotation.models import Block, Rater, Source, Study
from estimates.data.database import load_table
from estimates.data.parties import HUMANS, Pair, Party
from estimates.data.raters import RaterKind
from estimates.data.ratings import Ratings, ratings_of
from estimates.data.records import BlockRecord
from estimates.report.newest import newest_ratings
from estimates.scorecard.comparable import comparable
from estimates.scorecard.near import near_people, span_of
from tasktypes.facets import Facet

NO_SHARED = "no unit that it and a person have answered"
NO_PEERS = "no unit that two people have answered"
STORED = ("value", "low", "high", "confidence", "n_units", "interval_method", "undefined")


@dataclass(frozen=True)
class Figure:
    """The mean closeness to people in one facet; 1: always the same answer. people: that of people
    to each other on the same units."""

    facet: str
    title: str
    estimate: Estimate
    people: Estimate

    def as_json(self) -> dict[str, Any]:
        """As a look keeps it."""
        kept = asdict(self.estimate)
        ceiling = {"people": self.people.value}
        return {"facet": self.facet, "title": self.title} | {n: kept[n] for n in STORED} | ceiling


@dataclass(frozen=True)
class Measured:
    """A version on one half. by_unit: its closeness to people, from 0 to 1, by the unit's id."""

    rater: Rater
    figures: Sequence[Figure]
    by_unit: Mapping[int, float]


def measured(
    study: Study, raters: Sequence[Rater], *, sealed: bool, confidence: float
) -> list[Measured] | None:
    """Each of these versions beside people; None where a large study is still being counted.

    The closeness of two answers is that of the alternative to a person (`agreement.closeness`): 1
    for equal labels, the Jaccard index of sets, 1 - |x - y| over the length of the scale of
    numbers. Its mean is over a unit's people, then over units; intervals are over sources.
    sealed: on the sealed half, which only a look may ask for.
    """
    figures: dict[int, list[Figure]] = defaultdict(list)
    units: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    people = frozenset(
        study.raters.filter(kind=Rater.Kind.HUMAN).order_by().values_list("pk", flat=True)
    )
    for facet in facets_of(study):
        ratings = _sealed_ratings(study, facet) if sealed else _newest(study, facet)
        if ratings is None:
            return None
        for rater in raters:
            found = measure(ratings, people, rater.pk, confidence)
            figures[rater.pk].append(found.figure)
            for unit, close in found.units:
                units[rater.pk][unit].append(close)
    return [
        Measured(
            rater,
            figures[rater.pk],
            {unit: float(np.mean(each)) for unit, each in units[rater.pk].items()},
        )
        for rater in raters
    ]


def facets_of(study: Study) -> list[Facet]:
    """The facets in which a judge can be compared with people."""
    return compared_facets(study.blocks.order_by("position"))


def compared_facets(blocks: Iterable[Block | BlockRecord]) -> list[Facet]:
    """The same of blocks in their order."""
    return [facet for block in blocks for facet in block.facets if not facet.own_scale]


def about(ratings: Ratings, units: Collection[int]) -> Ratings:
    """Those about these units."""
    chosen = np.array([pk in units for pk in ratings.material.unit_ids], dtype=bool)
    return ratings.take(chosen[ratings.unit]) if len(ratings) else ratings


@dataclass(frozen=True)
class Found:
    """The figure of one facet. units: with the closeness of each, by id."""

    figure: Figure
    units: Sequence[tuple[int, float]]


def measure(ratings: Ratings, people: Collection[int], rater: int, confidence: float) -> Found:
    """A judge beside people in the ratings of one facet; raters by their ids."""
    facet, compared = ratings.facet, comparable(ratings)
    span = span_of(ratings)
    if compared is None or (facet.kind == "number" and not span):
        return Found(_nothing(facet), ())
    crowd = Party(HUMANS, frozenset(people), RaterKind.HUMAN, several=True)
    judge = Party(str(rater), frozenset([rater]), RaterKind.JUDGE)
    theirs = compared.by(people).once()
    near = near_people(Pair(crowd, judge), theirs, compared, span)
    if not len(near.people) or not len(near.judge):
        return Found(_nothing(facet), ())
    close = near.closeness
    ids = np.array(near.about.material.unit_ids, dtype=np.int64)[near.about.unit]
    bootstrap = Bootstrap(method="jackknife", confidence=confidence)
    estimate = share_of(
        close.judge, np.ones(len(close)), close.cluster, bootstrap, missing_reason=NO_SHARED
    )
    among = np.where(np.isnan(close.people), 0.0, close.people)
    several = (~np.isnan(close.people)).astype(float)
    ceiling = share_of(among, several, close.cluster, None, missing_reason=NO_PEERS)
    figure = Figure(facet.name, str(facet.title), estimate, ceiling)
    return Found(figure, list(zip(ids.tolist(), close.judge.tolist(), strict=True)))


def _nothing(facet: Facet) -> Figure:
    missing = Estimate.missing(NO_SHARED, n_units=0)
    return Figure(facet.name, str(facet.title), missing, Estimate.missing(NO_PEERS, n_units=0))


def _newest(study: Study, facet: Facet) -> Ratings | None:
    newest = newest_ratings(study, facet)
    return None if newest is None else newest.ratings


def _sealed_ratings(study: Study, facet: Facet) -> Ratings:
    """All ratings of the facet about sealed sources, those of judges included."""
    ratings = ratings_of(load_table(study, facet=facet.name, sealed=True), facet.name)
    sealed = Source.objects.filter(study=study, sealed=True).order_by().values("pk")
    units = study.units.filter(source__in=sealed).order_by()
    return about(ratings, set(units.values_list("pk", flat=True)))
