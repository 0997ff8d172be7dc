"""What people, judges and the reference say at each place of a facet."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from estimates.data.consensus import consensus_of
from estimates.data.parties import Parties
from estimates.data.ratings import Ratings, ratings_of
from estimates.data.table import BoolArray, FloatArray, IntArray, Table
from estimates.statistics.disagreement import disagreement
from tasktypes.facets import Facet, Value

# A value as JSON has it: a set is a sorted list.
Plain = float | str | list[int | str]


@dataclass(frozen=True, eq=False)
class Values:
    """At most one value per place. number: NaN where there is none. code: position of a label or
    set in `domain`, -1 where there is none."""

    number: FloatArray
    code: IntArray
    domain: tuple[Hashable, ...]

    @classmethod
    def of(cls, ratings: Ratings, places: IntArray) -> Self:
        """The values of ratings, at most one per place. places: ascending."""
        number, code = np.full(len(places), np.nan), np.full(len(places), -1, dtype=np.int64)
        at = np.searchsorted(places, ratings.place)
        number[at], code[at] = ratings.number, ratings.code
        return cls(number, code, ratings.domain)

    def at(self, place: int) -> Plain | None:
        """The value at the n-th place, None where there is none."""
        if self.code[place] >= 0:
            return plain(self.domain[self.code[place]])
        return None if np.isnan(self.number[place]) else float(self.number[place])


@dataclass(frozen=True, eq=False)
class FacetLabels:
    """The labels of one facet. Every array has one entry per place, in ascending order of places.

    unit, item: codes of the material (item -1: about none, or several). n: people who answered.
    agreement: of these, in [0, 1], and sd: the standard deviation of their numbers (divisor
    n - 1); NaN where there is none. rule: how the label was made of their answers. judges: by the
    name that reports give them.
    """

    facet: Facet
    rule: str
    places: IntArray
    unit: IntArray
    item: IntArray
    question: IntArray
    element: tuple[str, ...]
    n: IntArray
    agreement: FloatArray
    sd: FloatArray
    label: Values
    judges: Mapping[str, Values]
    reference: Mapping[tuple[int, str], Value]

    def __len__(self) -> int:
        return len(self.places)

    def right(self, place: int) -> Plain | None:
        """The reference at the n-th place, None where there is none."""
        value = self.reference.get((int(self.question[place]), self.element[place]))
        return None if value is None else plain(value)


def label_facet(
    table: Table, facet: str, parties: Parties, rule: str, units: BoolArray | None = None
) -> FacetLabels:
    """The labels of one facet from the answers in the table; of several answers of one rater to
    the same question the first. units: which of the material's are wanted; None: all."""
    ratings = ratings_of(table, facet).once()
    if units is not None:
        ratings = ratings.take(units[ratings.unit])
    people = ratings.by(parties.crowds[0].raters)
    places = np.unique(ratings.place)
    several, agreement, sd = _agreement(people)
    at = np.searchsorted(places, several)
    judges = {party.name: ratings.by(party.raters) for party in parties.judges}
    return FacetLabels(
        facet=ratings.facet,
        rule=rule,
        places=places,
        unit=table.place_unit[places],
        item=table.place_item[places],
        question=table.place_question[places],
        element=tuple(table.place_element[place] for place in places.tolist()),
        n=np.bincount(np.searchsorted(places, people.place), minlength=len(places)),
        agreement=_spread_out(agreement, at, len(places)),
        sd=_spread_out(sd, at, len(places)),
        label=Values.of(consensus_of(people, rule) if len(people) else people, places),
        judges={name: Values.of(of, places) for name, of in judges.items() if len(of)},
        reference=table.references.get(facet),
    )


def _spread_out(values: FloatArray, at: IntArray, size: int) -> FloatArray:
    spread = np.full(size, np.nan)
    spread[at] = values
    return spread


def _agreement(people: Ratings) -> tuple[IntArray, FloatArray, FloatArray]:
    """Places with two answers or more, the agreement of these, and their standard deviation.

    Agreement is 1 minus the mean distance between two of the answers: of labels the share of
    equal pairs, of sets the mean similarity by the facet's own distance, of numbers 1 minus the
    mean absolute difference as a share of the scale's length, NaN where its ends are not known.
    """
    places, apart = disagreement(people)
    if people.facet.kind != "number":
        return places, 1 - apart, np.full(len(places), np.nan)
    sizes, differences = _mean_differences(people)
    ends = people.facet.ends
    length = ends[1] - ends[0] if ends else np.nan
    return places, 1 - differences / length, apart * np.sqrt(sizes / np.maximum(sizes - 1, 1))


def _mean_differences(people: Ratings) -> tuple[IntArray, FloatArray]:
    """Of places with two answers or more: how many, and the mean absolute difference of two.

    With n ascending numbers x, the sum over pairs is the sum of (2 i - n + 1) x_i, i from 0.
    """
    order = np.lexsort((people.number, people.place))
    number = people.number[order]
    _, starts, which, sizes = np.unique(
        people.place[order], return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.arange(len(number)) - starts[which]
    weighted = (2 * rank - sizes[which] + 1) * number
    sums = np.bincount(which, weights=weighted, minlength=len(sizes))
    several = sizes > 1
    sizes = sizes[several]
    return sizes, sums[several] / (sizes * (sizes - 1) / 2)


def plain(value: Hashable) -> Plain:
    """A value as JSON has it."""
    if isinstance(value, frozenset):
        return sorted(value, key=lambda member: (isinstance(member, str), member))
    return value if isinstance(value, str) else float(value)  # type: ignore[arg-type]


def judges_of(labels: Sequence[FacetLabels]) -> list[str]:
    """The judges that answered on any of the facets, by the names of reports."""
    return sorted({name for of in labels for name in of.judges})
