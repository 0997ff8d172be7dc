"""The table of ratings: everything that was counted in a study, as columns of integer codes.

The ratings themselves are one streamed query. What they are about (units, items, sources,
subsets) and who gave them are a constant number of narrow queries beside it, joined here by
code: a million ratings would otherwise repeat the same few thousand names.
"""

import json
import math
from array import array
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db.models import TextField
from django.db.models.functions import Cast

from annotation.models import Annotation, Question, Rater, Round, Study, Unit, UnitItem
from results.data.references import References, load_references
from tasktypes.contract import Facet

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

CHUNK = 5000
ITEM_FIELDS = {
    "system": "item__system",
    "evidence_source": "item__evidence_source",
    "condition": "item__condition",
    "family": "item__system_family",
}


class Coder(dict[Any, int]):
    """Gives each new key the next integer."""

    def __missing__(self, key: Hashable) -> int:
        self[key] = code = len(self)
        return code


@dataclass(frozen=True, eq=False)
class Names:
    """One name per row as codes. Codes start at the front; code -1 finds the empty name."""

    codes: IntArray
    names: tuple[str, ...]

    @classmethod
    def of(cls, values: Iterable[str]) -> "Names":
        coder = Coder({"": 0})
        codes = [coder[value] for value in values]
        return cls(np.array([*codes, 0], dtype=np.int64), tuple(coder))

    def equal(self, name: str, rows: IntArray) -> BoolArray:
        """Which of the rows (codes into this column) carry that name."""
        wanted = self.names.index(name) if name in self.names else -1
        return np.asarray(self.codes[rows] == wanted)


@dataclass(frozen=True, eq=False)
class Material:
    """What was asked: normal units with their sources, items and subsets, by code."""

    unit_ids: tuple[int, ...]
    unit_source: IntArray
    sources: int
    verdict: Names  # of each source
    item_ids: tuple[int, ...]
    item_source: IntArray
    item_names: Mapping[str, Names]  # system, evidence_source, condition, family of each item
    unit_items: Mapping[int, tuple[tuple[str, int], ...]]  # unit code -> (item key, item code)
    subsets: Mapping[str, BoolArray]  # which units are in it
    questions: Mapping[int, int]  # question id -> unit code
    facets: Mapping[str, Facet]
    rounds: Mapping[int, str]

    def item_of(self, unit: int, element: str) -> int:
        """The item an element is about; -1 where a unit of several leaves it open."""
        items = self.unit_items.get(unit, ())
        if len(items) == 1:
            return items[0][1]
        return next((code for key, code in items if key == element), -1)


@dataclass(frozen=True, eq=False)
class Table:
    """All counted ratings of a study. Every array has one entry per rating.

    question, rater, round are database ids (round 0: none); place numbers the pairs of question
    and element; unit, item, source are codes of `material` (item -1: none); value is the number,
    or the code of a label or set in `domain`.
    """

    material: Material
    raters: tuple[Rater, ...]
    references: References
    question: IntArray
    rater: IntArray
    replicate: IntArray
    round: IntArray
    facet: IntArray
    place: IntArray
    number: FloatArray
    code: IntArray
    place_element: tuple[str, ...]
    place_question: IntArray
    domain: tuple[Hashable, ...]
    facet_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.question)

    @cached_property
    def place_unit(self) -> IntArray:
        questions = self.material.questions
        return np.array([questions[q] for q in self.place_question.tolist()], dtype=np.int64)

    @cached_property
    def place_item(self) -> IntArray:
        item_of = self.material.item_of
        pairs = zip(self.place_unit.tolist(), self.place_element, strict=True)
        return np.array([item_of(unit, element) for unit, element in pairs], dtype=np.int64)


def load_table(
    study: Study, *, facet: str = "", excluded: bool = False, stage: Round | None = None
) -> Table:
    """The counted ratings of a study (of one facet, if named) and what they are about.

    excluded: with those that somebody excluded. stage: those of this round alone, whether it
    counts or not.
    """
    # Ratings first: what they are about is then there to be found, whoever adds meanwhile.
    ratings = _read(_rows(study, facet, excluded=excluded, stage=stage))
    material = load_material(study)
    return Table(
        material=material,
        raters=tuple(study.raters.order_by("kind", "name", "version")),
        references=load_references(study, tuple(material.facets)),
        **ratings,
    )


def load_material(study: Study) -> Material:
    """Normal units of a study and everything that groups them; a constant number of queries."""
    units = list(
        Unit.objects.filter(study=study, role=Unit.Role.NORMAL)
        .order_by("pk")
        .values_list("pk", "source_id")
    )
    sources = dict(study.sources.order_by("pk").values_list("pk", "verdict"))
    code_of_source = {pk: code for code, pk in enumerate(sources)}
    code_of_unit = {pk: code for code, (pk, _) in enumerate(units)}
    questions = Question.objects.filter(study=study, unit__role=Unit.Role.NORMAL)
    item_ids, item_source, item_names, unit_items = _items(study, code_of_unit, code_of_source)
    return Material(
        unit_ids=tuple(code_of_unit),
        unit_source=np.array([code_of_source[source] for _, source in units], dtype=np.int64),
        sources=len(sources),
        verdict=Names.of(sources.values()),
        item_ids=item_ids,
        item_source=item_source,
        item_names=item_names,
        unit_items=unit_items,
        subsets=_subsets(study, code_of_unit),
        questions={
            pk: code_of_unit[unit] for pk, unit in questions.values_list("pk", "unit_id").iterator()
        },
        facets={facet.name: facet for block in study.blocks.all() for facet in block.facets},
        rounds=dict(Round.objects.filter(study=study).values_list("pk", "name")),
    )


def _items(
    study: Study, code_of_unit: Mapping[int, int], code_of_source: Mapping[int, int]
) -> tuple[tuple[int, ...], IntArray, dict[str, Names], dict[int, tuple[tuple[str, int], ...]]]:
    """Items that normal units show: ids, sources, names, and which unit shows which."""
    rows = (
        UnitItem.objects.filter(unit__study=study, unit__role=Unit.Role.NORMAL)
        .order_by("unit_id", "position")
        .values_list("unit_id", "item_id", "item__key", "item__source_id", *ITEM_FIELDS.values())
        .iterator(CHUNK)
    )
    coder, names, item_source = Coder(), [], []
    shown: dict[int, list[tuple[str, int]]] = {}
    for unit_id, item_id, key, source_id, *of_item in rows:
        if item_id not in coder:
            names.append(of_item)
            item_source.append(code_of_source[source_id])
        shown.setdefault(code_of_unit[unit_id], []).append((key, coder[item_id]))
    columns = {
        field: Names.of(of_item[at] for of_item in names) for at, field in enumerate(ITEM_FIELDS)
    }
    unit_items = {unit: tuple(items) for unit, items in shown.items()}
    return tuple(coder), np.array(item_source, dtype=np.int64), columns, unit_items


def _subsets(study: Study, code_of_unit: Mapping[int, int]) -> dict[str, BoolArray]:
    rows = (
        Unit.subsets.through.objects.filter(subset__study=study)
        .order_by("subset_id")
        .values_list("subset__name", "unit_id")
    )
    members: dict[str, BoolArray] = {}
    for name, unit_id in rows.iterator(CHUNK):
        if unit_id in code_of_unit:
            members.setdefault(name, np.zeros(len(code_of_unit), dtype=bool))
            members[name][code_of_unit[unit_id]] = True
    return members


def _read(rows: Iterable[tuple[Any, ...]]) -> dict[str, Any]:
    """The rows as the columns of a Table."""
    integers = [array("q") for _ in range(7)]
    numbers = array("d")
    places, values, facets = Coder(), Coder(), Coder()
    for question, rater, replicate, round_id, name, element, number, label, members in rows:
        code = -1 if number is not None else values[label if label is not None else (members,)]
        entry = (
            *(question, rater, replicate, round_id or 0),
            *(facets[name], places[question, element], code),
        )
        for column, value in zip(integers, entry, strict=True):
            column.append(value)
        numbers.append(math.nan if number is None else number)
    names = ("question", "rater", "replicate", "round", "facet", "place", "code")
    return {
        **{n: np.array(column, dtype=np.int64) for n, column in zip(names, integers, strict=True)},
        "number": np.array(numbers, dtype=np.float64),
        "place_element": tuple(element for _, element in places),
        "place_question": np.array([question for question, _ in places], dtype=np.int64),
        "domain": tuple(_value(raw) for raw in values),  # distinct: sets are stored sorted
        "facet_names": tuple(facets),
    }


def _rows(
    study: Study, facet: str, *, excluded: bool, stage: Round | None
) -> Iterable[tuple[Any, ...]]:
    """The one query. Sets come as text: each distinct one is read once, not once per rating."""
    # One filter() call, or each condition would join the ratings anew.
    wanted: dict[str, Any] = {"ratings__facet": facet} if facet else {"ratings__isnull": False}
    given = Annotation.objects.filter(study=study)
    counted = given.counted(excluded=excluded) if stage is None else given.of_round(stage)
    return (
        counted.filter(**wanted)
        .annotate(members=Cast("ratings__members", TextField()))
        # PostgreSQL promises no order by itself, and sums depend on it in their last digits.
        .order_by("pk", "ratings__pk")
        .values_list(
            *("question_id", "rater_id", "replicate", "round_id"),
            *("ratings__facet", "ratings__element", "ratings__number", "ratings__label"),
            "members",
        )
        .iterator(CHUNK)
    )


def _value(raw: str | tuple[str]) -> Hashable:
    return raw if isinstance(raw, str) else frozenset(json.loads(raw[0]))
