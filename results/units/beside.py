"""What people and judges say of a few units, in short: for lists that show them side by side."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from agreement import consensus
from annotation.models import Annotation, Block, Question, Rater, Rating, Study
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
    """By unit what each judge says, and the consensus of people; two queries.

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
    words = _Words(study, {unit for unit, _ in judges})
    for (unit, rater), values in sorted(judges.items(), key=lambda of: names[of[0][1]]):
        lines[unit] += _lines(names[rater], unit, values, agreed.get(unit, {}), words)
    return lines


class _Words:
    """What facets, elements and values are called in the questions of a few units."""

    def __init__(self, study: Study, units: Collection[int]) -> None:
        self._blocks: dict[str, Block] = {}
        self._titles: dict[str, str] = {}
        for block in study.blocks.all():
            for facet in block.facets:
                self._blocks[facet.name], self._titles[facet.name] = block, facet.title
        blocks = {block.pk: block for block in self._blocks.values()}
        self._questions: dict[tuple[int, int], Question] = {}
        asked = Question.objects.filter(study=study, unit__in=units) if units else ()
        for question in asked:
            if question.block_id in blocks:
                question.block = blocks[question.block_id]
                self._questions[question.unit_id, question.block_id] = question

    def heading(self, unit: int, facet: str, element: str) -> str:
        """The facet, with the part of the unit where it is about one."""
        title = self._titles[facet]
        if not element:
            return title
        block, question = self._asked(unit, facet)
        text = block.task_type.element_text(question.typed_payload, facet, element)
        return f"{title}: {text or element}"

    def value(self, unit: int, facet: str, value: Any) -> str:
        """A value as the page of the question has it."""
        block, question = self._asked(unit, facet)
        text = block.task_type.value_text(question.typed_payload, facet, value)
        return text or text_of(value)

    def _asked(self, unit: int, facet: str) -> tuple[Block, Question]:
        block = self._blocks[facet]
        return block, self._questions[unit, block.pk]


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
    judge: str, unit: int, values: Mapping[Of, Any], agreed: Mapping[Of, Any], words: _Words
) -> list[Beside]:
    if len(values) <= MOST_LISTED:
        return [
            Beside(
                judge=judge,
                facet=words.heading(unit, facet, element),
                value=words.value(unit, facet, value),
                people=words.value(unit, facet, people) if people is not None else "",
                differs=int(people is not None and people != value),
                compared=int(people is not None),
            )
            for (facet, element), value in values.items()
            for people in (agreed.get((facet, element)),)
        ]
    shared = [key for key in values if agreed.get(key) is not None]
    differs = sum(values[key] != agreed[key] for key in shared)
    return [Beside(judge, "", "", "", differs, len(shared))]
