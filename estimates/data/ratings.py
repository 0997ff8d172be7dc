"""Ratings of one facet, cut from the table: what every statistic starts from."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from agreement import Coded
from estimates.data.table import BoolArray, FloatArray, IntArray, Material, Table
from tasktypes.facets import Facet, ItemName, called


@dataclass(frozen=True, eq=False)
class Ratings:
    """Parallel arrays, one entry per rating of one facet.

    place: what agreement is about, a question and an element. code, reference: positions in
    `domain` (labels and sets), -1 for none; number: NaN where the facet holds no numbers. side:
    of a label that names one of the unit's items its position among them, in the order of their
    names; -1 for anything else.
    """

    facet: Facet
    material: Material
    place: IntArray
    unit: IntArray
    item: IntArray
    rater: IntArray
    replicate: IntArray
    round: IntArray
    number: FloatArray
    code: IntArray
    reference: IntArray
    side: IntArray
    domain: tuple[Hashable, ...]

    def __len__(self) -> int:
        return len(self.place)

    @cached_property
    def source(self) -> IntArray:
        """The cluster that intervals resample."""
        return self.material.unit_source[self.unit]

    @cached_property
    def owner(self) -> IntArray:
        """The item each rating is about; the unit itself where it is about none in particular."""
        return np.where(self.item >= 0, self.item, len(self.material.item_ids) + self.unit)

    @cached_property
    def points(self) -> FloatArray:
        """Every number that was given, ascending."""
        return np.unique(self.number)

    @property
    def values(self) -> FloatArray | Coded:
        """The ratings as `agreement` takes them.

        Labels that name items are the side they are on: names of items that never meet in one
        unit would make every agreement look better than chance.
        """
        if self.facet.kind == "number":
            return self.number
        if self.facet.names_items:
            return self._sides()
        used, codes = compact(self.code, len(self.domain))
        return Coded(codes, [self.domain[code] for code in used.tolist()])

    def _sides(self) -> Coded:
        width = int(self.side.max(initial=-1)) + 1
        codes = np.where(self.side >= 0, self.side, width + self.code)
        domain = [*(f"item {side + 1}" for side in range(width)), *self.domain]
        used, compacted = compact(codes, len(domain))
        return Coded(compacted, [domain[code] for code in used.tolist()])

    def take(self, chosen: BoolArray | IntArray) -> "Ratings":
        """The chosen ratings, in their order."""
        columns: dict[str, Any] = {name: getattr(self, name)[chosen] for name in COLUMNS}
        return replace(self, **columns)

    def by(self, raters: Collection[int]) -> "Ratings":
        """The ratings that these raters gave."""
        return self.take(np.isin(self.rater, list(raters)))

    def without(self, raters: Collection[int]) -> "Ratings":
        """The ratings that others than these gave."""
        return self.take(~np.isin(self.rater, list(raters)))

    def once(self) -> "Ratings":
        """The first existing one of several replicates: a rater must not count as agreeing with
        itself, and where the first time brought no answer a later one did."""
        if not self.replicate.any():
            return self
        order = np.lexsort((self.replicate, self.place, self.rater))
        rater, place = self.rater[order], self.place[order]
        first = (np.diff(rater, prepend=-1) != 0) | (np.diff(place, prepend=-1) != 0)
        return self.take(np.sort(order[first]))


COLUMNS = (
    *("place", "unit", "item", "rater", "replicate", "round"),
    *("number", "code", "reference", "side"),
)


def item_names(material: Material, unit: int, items: Collection[int]) -> list[str]:
    """What ratings call the items: by system, or by key where systems do not tell them apart."""
    column = material.item_names["system"]
    keys = {item: key for key, item in material.unit_items[unit]}
    return called([ItemName(keys[item], column.names[column.codes[item]]) for item in items])


def compact(codes: IntArray, width: int) -> tuple[IntArray, IntArray]:
    """The codes (each from 0 to below `width`) that come up, ascending, and for each entry its
    position among them: `np.unique` without sorting."""
    used = np.flatnonzero(np.bincount(codes, minlength=width))
    position = np.zeros(width, dtype=np.int64)
    position[used] = np.arange(len(used))
    return used, position[codes]


def distinct_pairs(first: IntArray, second: IntArray) -> tuple[list[tuple[int, int]], IntArray]:
    """Every pair of codes (-1 or above) that comes up, ascending, and for each entry the position
    of its pair among them."""
    if not len(first):
        return [], np.zeros(0, dtype=np.int64)
    width = int(second.max()) + 2
    keys, which = np.unique((first + 1) * width + second + 1, return_inverse=True)
    pairs = np.stack([keys // width - 1, keys % width - 1], axis=1)
    return [(left, right) for left, right in pairs.tolist()], which


def ends_of(*sides: Ratings) -> tuple[float, float]:
    """The ends of the scale that all numbers of these ratings lie on, which have one facet;
    infinite where they are not known, or where a number lies beyond them."""
    ends = sides[0].facet.ends
    if ends is None or not all(_lie_within(side.number, ends) for side in sides):
        return -inf, inf
    return ends


def reach_of(*sides: Ratings) -> float:
    """The largest difference that there can be between such numbers."""
    low, high = ends_of(*sides)
    return high - low


def _lie_within(numbers: FloatArray, ends: tuple[float, float]) -> bool:
    return not ((numbers < ends[0]) | (numbers > ends[1])).any()


def by_item(ratings: Ratings) -> Ratings:
    """One rating of numbers per item (or unit without one), the mean of all there are of it."""
    _, at, which = np.unique(ratings.owner, return_index=True, return_inverse=True)
    means = np.bincount(which, weights=ratings.number) / np.bincount(which)
    return replace(ratings.take(at), number=means)


def join(first: Ratings, second: Ratings) -> Ratings:
    """The ratings of both, which are about one facet and share the domain."""
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(first, name), getattr(second, name)]) for name in COLUMNS
    }
    return replace(first, **columns)


def ratings_of(table: Table, name: str) -> Ratings:
    """The ratings of one facet; none at all where nobody answered it."""
    facet_code = table.facet_names.index(name) if name in table.facet_names else -1
    rows = np.flatnonzero(table.facet == facet_code)
    place = table.place[rows]
    reference, domain = _references(table, name)
    facet, unit, code = table.material.facets[name], table.place_unit[place], table.code[rows]
    return Ratings(
        facet=facet,
        material=table.material,
        place=place,
        unit=unit,
        item=table.place_item[place],
        rater=table.rater[rows],
        replicate=table.replicate[rows],
        round=table.round[rows],
        number=table.number[rows],
        code=code,
        reference=reference[place],
        side=_sides(table.material, facet, unit, code, domain),
        domain=domain,
    )


def _sides(
    material: Material, facet: Facet, unit: IntArray, code: IntArray, domain: Sequence[Hashable]
) -> IntArray:
    """Each unit's names are looked up once per label given to it."""
    if not facet.names_items or not len(unit):
        return np.full(len(unit), -1, dtype=np.int64)
    distinct, which = distinct_pairs(unit, code)
    names: dict[int, list[str]] = {}
    sides = []
    for of, label in distinct:
        if of not in names:
            items = [item for _, item in material.unit_items.get(of, ())]
            names[of] = sorted(item_names(material, of, items))
        is_item = domain[label] in names[of]
        sides.append(names[of].index(str(domain[label])) if is_item else -1)
    return np.array(sides, dtype=np.int64)[which]


def _references(table: Table, name: str) -> tuple[IntArray, tuple[Hashable, ...]]:
    """The right answer of every place as a code, and the domain that holds those too."""
    right = table.references.get(name)
    codes = {value: code for code, value in enumerate(table.domain)}
    of_place = np.full(len(table.place_element), -1, dtype=np.int64)
    keys = zip(table.place_question.tolist(), table.place_element, strict=True)
    for place, key in enumerate(keys):
        if key in right:
            of_place[place] = codes.setdefault(right[key], len(codes))
    return of_place, tuple(codes)
