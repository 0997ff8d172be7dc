"""Agreement with other people on the same normal questions."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from statistics import fmean
from typing import Any, NamedTuple

from annotation.models import Rater, Rating, Study, Unit
from desk.worker_records.answers import answers_of
from tasktypes.facets import Facet

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
    as a part of the scale. Everything else: 1 where equal, else 0. Those without another
    answer to any of their questions have no value. Excluded answers of others are left out. Two
    queries.
    """
    facets = {(b.pk, facet.name): facet for b in study.blocks.all() for facet in b.facets}
    keys = set(participations)
    alike_by: dict[int, dict[FacetKey, list[float]]] = defaultdict(lambda: defaultdict(list))
    for key, rated in _together(study, participations).items():
        facet = facets.get(key[:2])
        for rated_value in rated:
            if facet is not None and rated_value.participation in keys:
                others = [
                    o.value for o in rated if o.rater != rated_value.rater and o.compared_with
                ]
                if others:
                    alike = fmean(alike_on(facet, rated_value.value, other) for other in others)
                    alike_by[rated_value.participation][key[:2]].append(alike)
    return {
        participation: {key: fmean(all_) for key, all_ in per.items()}
        for participation, per in alike_by.items()
    }


def overall(per_facet: Mapping[FacetKey, float]) -> float | None:
    """The mean over facets; None where there is none."""
    return fmean(per_facet.values()) if per_facet else None


def _together(
    study: Study, participations: Collection[int]
) -> Mapping[tuple[int, str, int, str], list[_Rated]]:
    """All people's ratings of the normal questions that these people answered."""
    answered = answers_of(study, participations).filter(question__unit__role=Unit.Role.NORMAL)
    rows = Rating.objects.filter(
        study=study,
        annotation__question__in=answered.values("question"),
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
    by_place: dict[tuple[int, str, int, str], list[_Rated]] = defaultdict(list)
    for (
        block,
        facet,
        question,
        element,
        rater,
        participation,
        excluded,
        number,
        label,
        members,
    ) in rows:
        value = number if number is not None else label
        if members is not None:
            value = frozenset(members)
        by_place[block, facet, question, element].append(
            _Rated(rater, participation, value, not excluded)
        )
    return by_place


def alike_on(facet: Facet, first: Any, second: Any) -> float:
    """How like two values of a facet are, from 0 to 1."""
    if first == second:
        return 1.0
    if facet.kind == "set":
        return len(first & second) / len(first | second)
    if facet.distance == "interval" and facet.low is not None and facet.high is not None:
        return 1 - float(abs(first - second)) / (facet.high - facet.low)
    return 0.0
