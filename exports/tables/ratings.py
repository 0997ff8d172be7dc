"""Ratings as a flat table: one row per value of every stored answer, counted or not."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from datetime import datetime
from itertools import islice
from sys import intern
from typing import Any, NamedTuple

from django.db.models import QuerySet

from annotation.models import Rating, Study, Subset, Unit, UnitItem
from annotation.models.answers import Moment, unreplaced
from estimates.data.not_counted import reason_not_counted
from exports.choice import WHOLE, WITHOUT, ExportChoice
from exports.csv_text import csv_line
from exports.tables.answers import names_of_raters
from imports.demonstration import kind_outside

CHUNK = 2000
# So many units are remembered from answer to answer: about 100 MB.
MOST_UNITS = 100_000
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


def rating_lines(
    study: Study, choice: ExportChoice = WHOLE, *, moment: Moment | None = None
) -> Iterator[str]:
    """The head, then the chosen ratings of every answer that was not replaced by a later one."""
    yield csv_line(HEAD)
    yield from map(csv_line, rating_rows(study, choice, moment=moment))


def rating_rows(
    study: Study,
    choice: ExportChoice = WHOLE,
    *,
    by_unit: bool = False,
    moment: Moment | None = None,
) -> Iterator[tuple[object, ...]]:
    """The same as values, in the order of `HEAD`. by_unit: those of a unit follow each other,
    block by block. moment: of answers that were stored then."""
    about = _About(study)
    stored = _chosen(study, choice, moment).order_by("annotation_id", "pk")
    if by_unit:
        question = "annotation__question__"
        places = (f"{question}unit_id", f"{question}block__position")
        stored = stored.order_by(*places, "annotation_id", "pk")
    ratings = iter(stored.values_list(*_COLUMNS).iterator(CHUNK))
    while chunk := list(map(_Stored._make, islice(ratings, CHUNK))):
        about.read_units({rating.unit for rating in chunk})
        answer, of_answer = None, _OfAnswer()
        for rating in chunk:
            if rating.annotation != answer:
                answer, of_answer = rating.annotation, about.of_answer(rating)
            yield _row(rating, of_answer)


def count_ratings(
    study: Study, choice: ExportChoice = WHOLE, *, moment: Moment | None = None
) -> int:
    """How many rows that is."""
    return _chosen(study, choice, moment).count()


def _chosen(study: Study, choice: ExportChoice, moment: Moment | None) -> QuerySet[Rating]:
    chosen = Rating.objects.filter(unreplaced(moment, "annotation__"), study=study)
    if choice.facet:
        chosen = chosen.filter(facet=choice.facet)
    if choice.round:
        chosen = chosen.filter(annotation__round__name=choice.round)
    if choice.subset:
        members = study.units.filter(subsets__name=choice.subset)
        chosen = chosen.filter(annotation__question__unit__in=members)
    return chosen.filter(annotation__excluded_reason="") if choice.excluded == WITHOUT else chosen


class _Stored(NamedTuple):
    """A value with its answer, as they are stored; rows of other tables by their ids."""

    annotation: int
    facet: str
    element: str
    number: float | None
    label: str | None
    members: Any
    unit: int
    block: int
    rater: int
    replicate: int
    round: int | None
    at: datetime
    withdrawn_at: datetime | None
    excluded_reason: str
    surplus: bool
    seconds: float | None
    batch: int | None


_COLUMNS = (
    *("annotation_id", "facet", "element", "number", "label", "members"),
    *("annotation__question__unit_id", "annotation__question__block_id", "annotation__rater_id"),
    *("annotation__replicate", "annotation__round_id", "annotation__created_at"),
    *("annotation__withdrawn_at", "annotation__excluded_reason", "annotation__surplus"),
    *("annotation__active_seconds", "annotation__assignment_id"),
)


class _OfUnit(NamedTuple):
    """What rows say of a unit. cells: the first columns. items: (key, the columns of the item)."""

    cells: tuple[str, ...]
    role: str
    items: list[tuple[str, tuple[str, ...]]]


class _OfAnswer(NamedTuple):
    """The columns that are the same for every value of an answer, and its unit."""

    unit: _OfUnit = _OfUnit((), "", [])
    block: str = ""
    cells: tuple[object, ...] = ()


class _About:
    """What ratings refer to: raters, rounds and blocks, of which there are few, and those units
    that came up last, with their sources, items and subsets."""

    def __init__(self, study: Study) -> None:
        self._study, self._names = study, names_of_raters(study)
        self._raters: dict[int, tuple[str, int]] = {}
        self._rounds = {round_.pk: (round_.name, round_.counts) for round_ in study.rounds.all()}
        self._blocks = dict(study.blocks.values_list("pk", "key"))
        self._units: dict[int, _OfUnit] = {}

    def read_units(self, units: Set[int]) -> None:
        """Have these units ready."""
        if len(self._units) > MOST_UNITS:
            self._units = {}
        if missing := units - self._units.keys():
            self._units |= _read_units(missing)

    def of_answer(self, rating: _Stored) -> _OfAnswer:
        """What is the same for every value of the answer of this one."""
        unit = self._units[rating.unit]
        round_, counts = ("", True) if rating.round is None else self._rounds[rating.round]
        why_not = reason_not_counted(
            withdrawn=rating.withdrawn_at is not None,
            excluded_reason=rating.excluded_reason,
            surplus=rating.surplus,
            uncounted_round="" if counts else round_,
            role=unit.role,
        )
        cells = (
            *(self._names[rating.rater], *self._kind(rating.rater), rating.replicate, round_),
            *(rating.at.replace(microsecond=0), "no" if why_not else "yes", why_not),
            *(rating.seconds, rating.batch),
        )
        return _OfAnswer(unit, self._blocks[rating.block], cells)

    def _kind(self, rater: int) -> tuple[str, int]:
        """The rater's kind and version. Raters may come while the rows are read."""
        if rater not in self._raters:
            rows = self._study.raters.values_list("pk", "kind", "origin", "version")
            self._raters = {
                pk: (kind_outside(self._study, kind, origin), version)
                for pk, kind, origin, version in rows
            }
        return self._raters[rater]


def _read_units(units: Set[int]) -> dict[int, _OfUnit]:
    """Three queries."""
    subsets: dict[int, list[str]] = defaultdict(list)
    named = Subset.objects.filter(units__in=units).order_by("name")
    for unit, name in named.values_list("units", "name"):
        subsets[unit].append(intern(name))
    items: dict[int, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    shown = UnitItem.objects.filter(unit__in=units).order_by("position")
    for unit, key, *groups in shown.values_list("unit_id", "item__key", *_GROUPS):
        items[unit].append((key, (key, *map(intern, groups))))
    stored = Unit.objects.filter(pk__in=units)
    return {
        pk: _OfUnit(
            (key, intern(role), " ".join(subsets.get(pk, ())), source, intern(verdict)),
            intern(role),
            items.get(pk, []),
        )
        for pk, key, role, source, verdict in stored.values_list(
            "pk", "key", "role", "source__key", "source__verdict"
        )
    }


_GROUPS = ("item__system", "item__evidence_source", "item__condition", "item__system_family")
_NO_ITEM = ("",) * 5


def _item(items: Sequence[tuple[str, tuple[str, ...]]], element: str) -> tuple[str, ...]:
    """The item that a rating is about, with what groups it; empty where it is about several."""
    if len(items) == 1:
        return items[0][1]
    return next((cells for key, cells in items if key == element), _NO_ITEM)


def _row(rating: _Stored, of_answer: _OfAnswer) -> tuple[object, ...]:
    unit, block, cells = of_answer
    item = _item(unit.items, rating.element)
    return (*unit.cells, *item, block, rating.facet, rating.element, _value(rating), *cells)


def _value(rating: _Stored) -> object:
    """A number as it is, a label as text, a set as a JSON list: [] is the answer "none"."""
    if rating.number is not None:
        return rating.number
    return rating.label if rating.label is not None else json.dumps(rating.members)
