"""How like those of other people somebody's answers are, on the same normal questions."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from statistics import fmean
from typing import Any, NamedTuple

from annotation.models import Rater, Rating, Study, Unit
from desk.workers.records.answers import given_by
from tasktypes.contract import Facet

# A block and a facet of it; two blocks may have facets of one name.
FacetKey = tuple[int, str]


class _Rated(NamedTuple):
    rater: int
    participation: int | None
    value: Any
    compared_with: bool


def likeness(study: Study, participations: Collection[int]) -> dict[int, dict[FacetKey, float]]:
    """Participation -> facet -> from 0 (never alike) to 1 (always the same).

    Each rating is compared with that of everybody else on the same question and element, and
    averaged over them; then over the ratings of the facet. Sets: the share of what either
    chose that both chose. Numbers on an interval scale with two ends: 1 minus the difference
    as a part of the scale. Everything else: 1 where equal, else 0. Who was alone with all of
    their questions has no value. Excluded answers of others are not compared with. Two queries.
    """
    facets = {(b.pk, facet.name): facet for b in study.blocks.all() for facet in b.facets}
    wanted = set(participations)
    found: dict[int, dict[FacetKey, list[float]]] = defaultdict(lambda: defaultdict(list))
    for key, rated in _together(study, participations).items():
        facet = facets.get(key[:2])
        for one in rated:
            if facet is not None and one.participation in wanted:
                others = [o.value for o in rated if o.rater != one.rater and o.compared_with]
                if others:
                    alike = fmean(alike_on(facet, one.value, other) for other in others)
                    found[one.participation][key[:2]].append(alike)
    return {who: {key: fmean(all_) for key, all_ in per.items()} for who, per in found.items()}


def overall(per_facet: Mapping[FacetKey, float]) -> float | None:
    """The mean over facets; None where there is none."""
    return fmean(per_facet.values()) if per_facet else None


def overalls(study: Study, participations: Collection[int]) -> dict[int, float | None]:
    """One figure per participation."""
    return {who: overall(per) for who, per in likeness(study, participations).items()}


def _together(
    study: Study, participations: Collection[int]
) -> Mapping[tuple[int, str, int, str], list[_Rated]]:
    """All people's ratings of the normal questions that these people answered."""
    asked = given_by(study, participations).filter(question__unit__role=Unit.Role.NORMAL)
    rows = Rating.objects.filter(
        study=study,
        annotation__question__in=asked.values("question"),
        annotation__rater__kind=Rater.Kind.HUMAN,
        annotation__superseded_at=None,
        annotation__withdrawn_at=None,
    ).values_list(
        "annotation__question__block",
        "facet",
        "annotation__question",
        "element",
        "annotation__rater",
        "annotation__rater__participation",
        "annotation__excluded_reason",
        "number",
        "label",
        "members",
    )
    return _grouped(rows.iterator(2000))


def _grouped(rows: Iterable[Any]) -> Mapping[tuple[int, str, int, str], list[_Rated]]:
    found: dict[tuple[int, str, int, str], list[_Rated]] = defaultdict(list)
    for block, facet, question, element, rater, who, excluded, number, label, members in rows:
        value = number if number is not None else label
        if members is not None:
            value = frozenset(members)
        found[block, facet, question, element].append(_Rated(rater, who, value, not excluded))
    return found


def alike_on(facet: Facet, one: Any, other: Any) -> float:
    """How like two values of a facet are, from 0 to 1."""
    if one == other:
        return 1.0
    if facet.kind == "set":
        return len(one & other) / len(one | other)
    if facet.distance == "interval" and facet.low is not None and facet.high is not None:
        return 1 - float(abs(one - other)) / (facet.high - facet.low)
    return 0.0
