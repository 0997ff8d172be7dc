"""Ratings as a flat table: one row per value of every stored answer, counted or not."""

import json
from collections import defaultdict
from collections.abc import Iterator, Set
from datetime import datetime
from itertools import islice, starmap
from sys import intern
from typing import Any, NamedTuple

from django.db.models import QuerySet

from annotation.models import Rating, Study, Subset, Unit, UnitItem
from annotation.models.answers import Moment, unreplaced
from estimates.data.not_counted import reason_not_counted
from exports.choice import WHOLE, WITHOUT, ExportChoice
from exports.csv_text import csv_line
from exports.tables.answers import names_of_raters
from exports.tables.own_columns import NO_COLUMNS, OwnColumns
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
    own = OwnColumns.of(study)
    yield csv_line([*HEAD, *(column.name for column in own.columns)])
    yield from map(csv_line, rating_rows(study, choice, moment=moment, own=own))


def rating_rows(
    study: Study,
    choice: ExportChoice = WHOLE,
    *,
    by_unit: bool = False,
    moment: Moment | None = None,
    own: OwnColumns = NO_COLUMNS,
) -> Iterator[tuple[object, ...]]:
    """The same as values, in the order of `HEAD` and of own columns. by_unit: those of a unit
    follow each other, block by block. moment: of answers that were stored then."""
    about = _About(study, own)
    stored = _chosen(study, choice, moment).order_by("annotation_id", "pk")
    if by_unit:
        question = "annotation__question__"
        places = (f"{question}unit_id", f"{question}block__position")
        stored = stored.order_by(*places, "annotation_id", "pk")
    of_answer = ("annotation__metadata",) if own.has("answer") else ()
    ratings = iter(stored.values_list(*_COLUMNS, *of_answer).iterator(CHUNK))
    while chunk := list(starmap(_Stored, islice(ratings, CHUNK))):
        about.read_units({rating.unit for rating in chunk})
        answer, said = None, _OfAnswer()
        for rating in chunk:
            if rating.annotation != answer:
                answer, said = rating.annotation, about.of_answer(rating)
            yield _row(rating, said)


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
    metadata: Any = None


_COLUMNS = (
    *("annotation_id", "facet", "element", "number", "label", "members"),
    *("annotation__question__unit_id", "annotation__question__block_id", "annotation__rater_id"),
    *("annotation__replicate", "annotation__round_id", "annotation__created_at"),
    *("annotation__withdrawn_at", "annotation__excluded_reason", "annotation__surplus"),
    *("annotation__active_seconds", "annotation__assignment_id"),
)


class _OfItem(NamedTuple):
    """What rows say of an item, and its own columns."""

    key: str
    cells: tuple[str, ...]
    own: tuple[object, ...]


class _OfUnit(NamedTuple):
    """What rows say of a unit. cells: the first columns. source, own: own columns of the source
    and of the unit."""

    cells: tuple[str, ...]
    role: str
    items: list[_OfItem]
    source: tuple[object, ...] = ()
    own: tuple[object, ...] = ()


class _OfAnswer(NamedTuple):
    """The columns that are the same for every value of an answer, and its unit."""

    unit: _OfUnit = _OfUnit((), "", [])
    block: str = ""
    cells: tuple[object, ...] = ()
    own: tuple[object, ...] = ()
    no_item: _OfItem = _OfItem("", ("",) * 5, ())


class _About:
    """What ratings refer to: raters, rounds and blocks, of which there are few, and those units
    that came up last, with their sources, items and subsets."""

    def __init__(self, study: Study, own: OwnColumns) -> None:
        self._study, self._names, self._own = study, names_of_raters(study), own
        self._no_item = _OfItem("", ("",) * 5, tuple(own.cells("item", {})))
        self._raters: dict[int, tuple[str, int]] = {}
        self._rounds = {round_.pk: (round_.name, round_.counts) for round_ in study.rounds.all()}
        self._blocks = dict(study.blocks.values_list("pk", "key"))
        self._units: dict[int, _OfUnit] = {}

    def read_units(self, units: Set[int]) -> None:
        """Have these units ready."""
        if len(self._units) > MOST_UNITS:
            self._units = {}
        if missing := units - self._units.keys():
            self._units |= _read_units(missing, self._own)

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
        own = tuple(self._own.cells("answer", rating.metadata or {}))
        return _OfAnswer(unit, self._blocks[rating.block], cells, own, self._no_item)

    def _kind(self, rater: int) -> tuple[str, int]:
        """The rater's kind and version. Raters may come while the rows are read."""
        if rater not in self._raters:
            rows = self._study.raters.values_list("pk", "kind", "origin", "version")
            self._raters = {
                pk: (kind_outside(self._study, kind, origin), version)
                for pk, kind, origin, version in rows
            }
        return self._raters[rater]


def _read_units(units: Set[int], own: OwnColumns) -> dict[int, _OfUnit]:
    """Three queries."""
    subsets: dict[int, list[str]] = defaultdict(list)
    named = Subset.objects.filter(units__in=units).order_by("name")
    for unit, name in named.values_list("units", "name"):
        subsets[unit].append(intern(name))
    items: dict[int, list[_OfItem]] = defaultdict(list)
    shown = UnitItem.objects.filter(unit__in=units).order_by("position")
    of_item = ("item__metadata",) if own.has("item") else ()
    for unit, key, *groups in shown.values_list("unit_id", "item__key", *_GROUPS, *of_item):
        kept = tuple(own.cells("item", groups.pop() if of_item else {}))
        items[unit].append(_OfItem(key, (key, *map(intern, groups)), kept))
    of_unit = ("source__metadata", "metadata") if own.has("source", "unit") else ()
    names = ("pk", "key", "role", "source__key", "source__verdict", *of_unit)
    read = {}
    for pk, key, role, source, verdict, *kept in Unit.objects.filter(pk__in=units).values_list(
        *names
    ):
        of_source, of_itself = kept or ({}, {})
        read[pk] = _OfUnit(
            (key, intern(role), " ".join(subsets.get(pk, ())), source, intern(verdict)),
            intern(role),
            items.get(pk, []),
            tuple(own.cells("source", of_source)),
            tuple(own.cells("unit", of_itself)),
        )
    return read


_GROUPS = ("item__system", "item__evidence_source", "item__condition", "item__system_family")


def _row(rating: _Stored, said: _OfAnswer) -> tuple[object, ...]:
    unit, item = said.unit, _item(said, rating.element)
    value = (said.block, rating.facet, rating.element, _value(rating))
    own = (*unit.source, *item.own, *unit.own, *said.own)
    return (*unit.cells, *item.cells, *value, *said.cells, *own)


def _item(said: _OfAnswer, element: str) -> _OfItem:
    """The item that a rating is about, with what groups it; empty where it is about several."""
    items = said.unit.items
    if len(items) == 1:
        return items[0]
    return next((item for item in items if item.key == element), said.no_item)


def _value(rating: _Stored) -> object:
    """A number as it is, a label as text, a set as a JSON list: [] is the answer "none"."""
    if rating.number is not None:
        return rating.number
    return rating.label if rating.label is not None else json.dumps(rating.members)
