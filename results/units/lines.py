"""The lines of a list of units, those with most disagreement first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, overload

import numpy as np

from estimates.catalogue.scores import F1
from estimates.data.ratings import Ratings
from estimates.data.table import FloatArray, IntArray
from estimates.metrics.averages import scores


@dataclass(frozen=True)
class UnitLine:
    """One unit of the list; unknown values are None."""

    unit_id: int
    answers: int
    disagreement: float | None = None
    f1: float | None = None
    mean: float | None = None
    right: float | None = None
    key: str = ""
    system: str = ""
    claim: str = ""


@dataclass(frozen=True, eq=False)
class UnitLines(Sequence[UnitLine]):
    """The lines of all units in their order. One comes to be when it is asked for: a page shows
    fifty of a hundred thousand.

    Arrays have one entry per unit, NaN where something is not known.
    """

    unit_id: IntArray
    answers: IntArray
    disagreement: FloatArray
    f1: FloatArray
    mean: FloatArray

    @classmethod
    def of(cls, ratings: Ratings, places: IntArray, apart: FloatArray) -> Self:
        """Most disagreed first; where there is none to speak of, by the lowest F1.

        ratings: what entered the number. places, apart: how far the answers are from each other
        at some of their places, in ascending order of these.
        """
        units, which = np.unique(ratings.unit, return_inverse=True)
        all_places, first = np.unique(ratings.place, return_index=True)
        of_place = np.full(len(all_places), np.nan)
        of_place[np.searchsorted(all_places, places)] = apart
        disagreement = _means(of_place, which[first], len(units))
        f1 = _of_units(ratings, "set", which, len(units))
        unit_ids = np.array(ratings.material.unit_ids, dtype=np.int64)[units]
        order = np.lexsort((unit_ids, np.nan_to_num(f1), -np.nan_to_num(disagreement)))
        return cls(
            unit_id=unit_ids[order],
            answers=np.bincount(which, minlength=len(units))[order],
            disagreement=disagreement[order],
            f1=f1[order],
            mean=_of_units(ratings, "number", which, len(units))[order],
        )

    def __len__(self) -> int:
        return len(self.unit_id)

    @overload
    def __getitem__(self, at: int) -> UnitLine: ...
    @overload
    def __getitem__(self, at: slice) -> list[UnitLine]: ...
    def __getitem__(self, at: int | slice) -> UnitLine | list[UnitLine]:
        if isinstance(at, slice):
            return [self[index] for index in range(*at.indices(len(self)))]
        return UnitLine(
            unit_id=int(self.unit_id[at]),
            answers=int(self.answers[at]),
            disagreement=_number(self.disagreement[at]),
            f1=_number(self.f1[at]),
            mean=_number(self.mean[at]),
        )


def _of_units(ratings: Ratings, kind: str, which: IntArray, n_units: int) -> FloatArray:
    """F1 (sets) or mean (numbers) of each unit; NaN for the other kind."""
    if ratings.facet.kind != kind:
        return np.full(n_units, np.nan)
    values = scores(ratings)[F1] if kind == "set" else ratings.number
    return _means(values, which, n_units)


def _means(values: FloatArray, which: IntArray, n_units: int) -> FloatArray:
    """Means by unit of what is known, NaN where nothing is."""
    present = ~np.isnan(values)
    sums = np.bincount(which[present], weights=values[present], minlength=n_units)
    counts = np.bincount(which[present], minlength=n_units)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
