"""What people and judges say of a few units, in short: for lists that show them side by side."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from agreement import consensus
from annotation.models import Annotation, Rater, Rating, Study
from results.units.page import text_of
from tasktypes.facets import Facet

# A unit with more values than this is told by how many of them differ.
MOST_LISTED = 3

# (facet, element)
Of = tuple[str, str]


@dataclass(frozen=True)
class Beside:
    """A judge beside people on one facet, or on as many as `compared`. people: empty where they
    have no consensus. differs: of how many values the judge has another."""

    judge: str
    facet: str
    value: str
    people: str
    differs: int
    compared: int


def judges_beside(
    study: Study, units: Collection[int], names: Mapping[int, str]
) -> dict[int, list[Beside]]:
    """By unit what each judge says, and the consensus of people; one query.

    names: the judges to show, by rater. Standing answers alone, the first of several replicates.
    """
    facets = {facet.name: facet for block in study.blocks.all() for facet in block.facets}
    people: dict[int, dict[Of, list[Any]]] = {}
    judges: dict[tuple[int, int], dict[Of, Any]] = {}
    for unit, rater, facet, element, value in _values(study, units, names, facets):
        if rater in names:
            judges.setdefault((unit, rater), {}).setdefault((facet, element), value)
        else:
            people.setdefault(unit, {}).setdefault((facet, element), []).append(value)
    agreed = {unit: _agreed(values, facets) for unit, values in people.items()}
    lines: dict[int, list[Beside]] = {unit: [] for unit in units}
    for (unit, rater), values in sorted(judges.items(), key=lambda of: names[of[0][1]]):
        lines[unit] += _lines(names[rater], values, agreed.get(unit, {}), facets)
    return lines


def _values(
    study: Study, units: Collection[int], names: Mapping[int, str], facets: Mapping[str, Facet]
) -> list[tuple[int, int, str, str, Any]]:
    if not names:
        return []
    answers = Annotation.objects.filter(study=study, question__unit__in=units).standing()
    shown = answers.filter(rater__kind=Rater.Kind.HUMAN) | answers.filter(rater__in=names)
    rows = Rating.objects.filter(annotation__in=shown, facet__in=facets).order_by(
        "annotation__replicate", "pk"
    )
    columns = ("facet", "element", "number", "label", "members")
    read = rows.values_list("annotation__question__unit", "annotation__rater", *columns)
    return [
        (unit, rater, facet, element, _value(number, label, members))
        for unit, rater, facet, element, number, label, members in read
    ]


def _value(number: float | None, label: str | None, members: list[Any] | None) -> Any:
    if number is not None:
        return number
    return label if label is not None else frozenset(members or ())


def _agreed(values: Mapping[Of, list[Any]], facets: Mapping[str, Facet]) -> dict[Of, Any]:
    return {key: consensus(several, kind=facets[key[0]].kind) for key, several in values.items()}


def _lines(
    judge: str, values: Mapping[Of, Any], agreed: Mapping[Of, Any], facets: Mapping[str, Facet]
) -> list[Beside]:
    if len(values) <= MOST_LISTED:
        return [
            Beside(
                judge=judge,
                facet=" ".join(part for part in (facets[facet].title, element) if part),
                value=text_of(value),
                people=text_of(agreed[facet, element]) if _is_there(agreed, facet, element) else "",
                differs=int(_is_there(agreed, facet, element) and agreed[facet, element] != value),
                compared=int(_is_there(agreed, facet, element)),
            )
            for (facet, element), value in values.items()
        ]
    shared = [key for key in values if _is_there(agreed, *key)]
    differs = sum(values[key] != agreed[key] for key in shared)
    return [Beside(judge, "", "", "", differs, len(shared))]


def _is_there(agreed: Mapping[Of, Any], facet: str, element: str) -> bool:
    return agreed.get((facet, element)) is not None
