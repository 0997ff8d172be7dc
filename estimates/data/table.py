"""The table of ratings: all counted ratings of a study, as columns of integer codes.

The ratings themselves are one stream. What they are about (units, items, sources, subsets) and
who gave them are joined here by code: a million ratings would otherwise repeat the same few
thousand names.
"""

import json
import math
from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from annotation.queries.group_keys import OF_RATERS
from estimates.data.facts.references import References, gather_references
from estimates.data.own_groups import groups_of
from estimates.data.raters import RaterRecord
from estimates.data.records import ITEM_NAMES, BlockRecord, RatingRecord, Records
from tasktypes.facets import Facet, ItemName

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


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
    """The material of a study: normal units with their sources, items and subsets, by code.

    own: the groups that own columns make of sources, items and units, by key. of_raters: those of
    raters, by id.
    """

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
    own: Mapping[str, Names] = field(default_factory=dict)
    of_raters: Mapping[str, Mapping[int, str]] = field(default_factory=dict)

    @classmethod
    def empty(cls) -> "Material":
        """Of a study without units."""
        none = np.zeros(0, dtype=np.int64)
        return cls(
            unit_ids=(),
            unit_source=none,
            sources=0,
            verdict=Names.of(()),
            item_ids=(),
            item_source=none,
            item_names={name: Names.of(()) for name in ITEM_NAMES},
            unit_items={},
            subsets={},
            questions={},
            facets={},
            rounds={},
        )

    def item_of(self, unit: int, element: str) -> int:
        """The item an element is about; -1 where a unit of several leaves it open."""
        items = self.unit_items.get(unit, ())
        if len(items) == 1:
            return items[0][1]
        return next((code for key, code in items if key == element), -1)

    def names_of(self, question: int) -> list[ItemName] | None:
        """What the items of a question (by id) are called, in their stored order; None for a
        question that is not there."""
        if question not in self.questions:
            return None
        system = self.item_names["system"]
        items = self.unit_items.get(self.questions[question], ())
        return [ItemName(key, system.names[system.codes[code]]) for key, code in items]


@dataclass(frozen=True, eq=False)
class Table:
    """All counted ratings of a study. Every array has one entry per rating.

    question, rater, round are database ids (round 0: none); place numbers the pairs of question
    and element; unit, item, source are codes of `material` (item -1: none); value is the number,
    or the code of a label or set in `domain`.
    """

    material: Material
    raters: tuple[RaterRecord, ...]
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


def build_table(records: Records) -> Table:
    """The counted ratings of a study and what they are about."""
    # Ratings first: their units are then in the second query, whatever is added meanwhile.
    ratings = _read(records.ratings())
    blocks = tuple(records.blocks())
    material = build_material(records, blocks)
    return Table(
        material=material,
        raters=tuple(records.raters()),
        references=gather_references(records, blocks, material.names_of),
        **ratings,
    )


def build_material(records: Records, blocks: Sequence[BlockRecord]) -> Material:
    """Normal units of a study and everything that groups them."""
    units = list(records.units())
    verdicts = dict(records.verdicts())
    code_of_source = {pk: code for code, pk in enumerate(verdicts)}
    code_of_unit = {pk: code for code, (pk, _) in enumerate(units)}
    item_ids, item_source, item_names, unit_items = _items(records, code_of_unit, code_of_source)
    return Material(
        unit_ids=tuple(code_of_unit),
        unit_source=np.array([code_of_source[source] for _, source in units], dtype=np.int64),
        sources=len(verdicts),
        verdict=Names.of(verdicts.values()),
        item_ids=item_ids,
        item_source=item_source,
        item_names=item_names,
        unit_items=unit_items,
        subsets=_subsets(records, code_of_unit),
        questions={pk: code_of_unit[unit] for pk, unit in records.questions()},
        facets={facet.name: facet for block in blocks for facet in block.facets},
        rounds=records.rounds(),
        own=_own(records, source=code_of_source, item=item_ids, unit=code_of_unit),
        of_raters=rater_groups(records),
    )


def _own(records: Records, **ids: Iterable[int]) -> Mapping[str, Names]:
    """By key of the study, what each of these rows has in the own column."""
    own = {}
    for key in records.group_by:
        if not key.startswith(OF_RATERS):
            group_of = groups_of(records.own_values(key))
            own[key] = Names.of(group_of.get(pk, "") for pk in ids[key.partition(".")[0]])
    return own


def rater_groups(records: Records) -> Mapping[str, Mapping[int, str]]:
    """By key of the study, the group of each rater whom an own column describes."""
    return {
        key: groups_of(records.own_values(key))
        for key in records.group_by
        if key.startswith(OF_RATERS)
    }


def _items(
    records: Records, code_of_unit: Mapping[int, int], code_of_source: Mapping[int, int]
) -> tuple[tuple[int, ...], IntArray, dict[str, Names], dict[int, tuple[tuple[str, int], ...]]]:
    """Items that normal units show: ids, sources, names, and which unit shows which."""
    coder, names, item_source = Coder(), [], []
    shown: dict[int, list[tuple[str, int]]] = {}
    for shows in records.shown_items():
        if shows.item not in coder:
            names.append(shows.names)
            item_source.append(code_of_source[shows.source])
        shown.setdefault(code_of_unit[shows.unit], []).append((shows.key, coder[shows.item]))
    columns = {
        field: Names.of(of_item[at] for of_item in names) for at, field in enumerate(ITEM_NAMES)
    }
    unit_items = {unit: tuple(items) for unit, items in shown.items()}
    return tuple(coder), np.array(item_source, dtype=np.int64), columns, unit_items


def _subsets(records: Records, code_of_unit: Mapping[int, int]) -> dict[str, BoolArray]:
    members: dict[str, BoolArray] = {}
    for name, unit_id in records.subset_units():
        if unit_id in code_of_unit:
            members.setdefault(name, np.zeros(len(code_of_unit), dtype=bool))
            members[name][code_of_unit[unit_id]] = True
    return members


def _read(rows: Iterable[RatingRecord]) -> dict[str, Any]:
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


def _value(raw: str | tuple[str]) -> Hashable:
    return raw if isinstance(raw, str) else frozenset(json.loads(raw[0]))
