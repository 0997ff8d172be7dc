"""Ratings as a flat table: one row per value of every stored answer, counted or not."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from annotation.models import Annotation, Question, Rating, Study, Subset, Unit, UnitItem
from results.data.not_counted import why_not_counted
from results.exporting.answers import names_of_raters
from results.exporting.csv_text import csv_line

CHUNK = 2000
MEANINGS = {
    "unit": "the unit's key",
    "role": "its role: normal, positive or negative control, example, training",
    "subsets": "its subsets, separated by spaces",
    "source": "the source's key",
    "label": "the label of the claim's verdict",
    "item": "the item's key; empty where the value is about none of several",
    "system": "the system that made it",
    "evidence_source": "where its evidence is from",
    "condition": "the condition under which it was made",
    "family": "the system's family",
    "block": "the question asked",
    "facet": "the quantity rated",
    "element": "the part of the unit that the value is about; empty: the whole unit",
    "value": "the number, the label, or the set as a JSON list",
    "rater": "the rater's pseudonym or name",
    "kind": "human, judge or simulated",
    "version": "of a judge",
    "replicate": "which of several answers of the same rater, from 0",
    "round": "the round of the study",
    "answered_at": "when it was answered, in UTC",
    "counted": "whether the answer enters estimates: yes or no",
    "why_not_counted": "the reason where it does not",
    "seconds": "the active seconds of the whole answer",
    "batch": "a number of the batch in which it was given",
}
HEAD = tuple(MEANINGS)


def rating_lines(study: Study) -> Iterator[str]:
    """The head, then the ratings of every answer that was not replaced by a later one."""
    yield csv_line(HEAD)
    yield from map(csv_line, rating_rows(study))


def rating_rows(study: Study, *, by_unit: bool = False) -> Iterator[tuple[object, ...]]:
    """The same as values, in the order of `HEAD`. by_unit: those of a unit follow each other,
    block by block."""
    who, stored = _Who(study), _ratings(study)
    if by_unit:
        question = "annotation__question__"
        places = (f"{question}unit_id", f"{question}block__position")
        stored = stored.order_by(*places, "annotation_id", "pk")
    ratings = iter(stored.iterator(CHUNK))
    while chunk := list(islice(ratings, CHUNK)):
        about = _About({rating.annotation.question.unit_id for rating in chunk})
        for rating in chunk:
            who.complete(rating.annotation)
            about.complete(rating.annotation.question)
            yield _row(rating, about, who.names)


def count_ratings(study: Study) -> int:
    """How many rows that is."""
    return Rating.objects.filter(study=study, annotation__superseded_at=None).count()


def _ratings(study: Study) -> QuerySet[Rating]:
    """The fields that differ from rating to rating; the rest is read once and filled in."""
    rated = ("annotation", "facet", "element", "number", "label", "members")
    return (
        Rating.objects.filter(study=study, annotation__superseded_at=None)
        .select_related("annotation__question")
        .only(*rated, *(f"annotation__{name}" for name in _OF_ANNOTATION), *_OF_QUESTION)
        .order_by("annotation_id", "pk")
    )


_OF_ANNOTATION = (
    *("question", "rater", "replicate", "round", "created_at"),
    *("superseded_at", "withdrawn_at", "excluded_reason", "surplus"),
    *("active_seconds", "assignment"),
)
_OF_QUESTION = ("annotation__question__unit", "annotation__question__block")


class _Who:
    """Raters, rounds and blocks of a study: few, and met again and again."""

    def __init__(self, study: Study) -> None:
        self.names = names_of_raters(study)
        self._raters = study.raters.in_bulk()
        self._rounds = study.rounds.in_bulk()
        self._blocks = study.blocks.in_bulk()

    def complete(self, annotation: Annotation) -> None:
        """Give an answer its rater, round and block."""
        annotation.rater = self._raters[annotation.rater_id]
        annotation.round = self._rounds.get(annotation.round_id)
        annotation.question.block = self._blocks[annotation.question.block_id]


class _About:
    """Some units with their sources, items and subsets."""

    def __init__(self, units: set[int]) -> None:
        stored = Unit.objects.filter(pk__in=units).select_related("source")
        self._units = stored.only("key", "role", "source__key", "source__verdict").in_bulk()
        self._items: dict[int, list[Any]] = {}
        shown = UnitItem.objects.filter(unit__in=units).order_by("position")
        for unit_item in shown.select_related("item").defer("item__sentences"):
            self._items.setdefault(unit_item.unit_id, []).append(unit_item.item)
        self._subsets: dict[int, list[str]] = {}
        for unit, name in (
            Subset.objects.filter(units__in=units).order_by("name").values_list("units", "name")
        ):
            self._subsets.setdefault(unit, []).append(name)

    def complete(self, question: Question) -> None:
        """Give a question its unit."""
        question.unit = self._units[question.unit_id]

    def subsets(self, unit: int) -> str:
        return " ".join(self._subsets.get(unit, ()))

    def item(self, unit: int, element: str) -> Sequence[str]:
        """The item that a rating is about, with what groups it; empty where it is about several."""
        items = self._items.get(unit, [])
        matching = items if len(items) == 1 else [item for item in items if item.key == element]
        if not matching:
            return ("",) * 5
        item = matching[0]
        return item.key, item.system, item.evidence_source, item.condition, item.system_family


def _row(rating: Rating, about: _About, names: Mapping[int, str]) -> tuple[object, ...]:
    annotation = rating.annotation
    question, rater = annotation.question, annotation.rater
    unit = question.unit
    why_not = why_not_counted(annotation)
    return (
        *(unit.key, unit.role, about.subsets(unit.pk), unit.source.key, unit.source.verdict),
        *about.item(unit.pk, rating.element),
        *(question.block.key, rating.facet, rating.element, _value(rating)),
        *(names[rater.pk], rater.kind, rater.version, annotation.replicate),
        annotation.round.name if annotation.round else "",
        annotation.created_at.replace(microsecond=0),
        *("no" if why_not else "yes", why_not),
        *(annotation.active_seconds, annotation.assignment_id),
    )


def _value(rating: Rating) -> object:
    """A number as it is, a label as text, a set as a JSON list: [] is the answer "none"."""
    if rating.number is not None:
        return rating.number
    return rating.label if rating.label is not None else json.dumps(rating.members)
