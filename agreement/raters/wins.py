"""Who is nearer to the other people: a judge, or the person left out."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..chance_corrected.distances import Distance
from ..values.coding import FloatArray, IntArray
from ..values.ratings import TidyRatings


@dataclass(frozen=True, eq=False)
class Wins:
    """One row per unit and person who shares it with the judge and somebody else: (M,)."""

    unit: IntArray
    person: IntArray
    cluster: IntArray
    judge: npt.NDArray[np.bool_]
    annotator: npt.NDArray[np.bool_]

    @property
    def ahead(self) -> FloatArray:
        """1 where the person alone wins, -1 where the judge alone does, else 0."""
        return self.annotator.astype(np.float64) - self.judge


def wins_over_people(tidy: TidyRatings, judge: int, measure: Distance) -> Wins:
    """Who is at least as near to the other people on each unit; a tie counts for both. judge: its
    code among the raters, everybody else being a person."""
    is_judge = tidy.rater == judge
    n_units = len(tidy.cluster_of_unit)
    judged = np.full(n_units, -1, dtype=np.int64)
    judged[tidy.unit[is_judge]] = tidy.code[is_judge]
    people = tidy.of(~is_judge)
    people = people.of(judged[people.unit] >= 0)
    people = people.of(np.bincount(people.unit, minlength=n_units)[people.unit] >= 2)
    people = people.of(np.argsort(people.unit, kind="stable"))
    own = distances_to_others(people, measure)
    towards = measure.between(people.domain, judged[people.unit], people.code)
    judges = np.bincount(people.unit, towards, n_units)[people.unit] - towards
    # Equal sums of the same distances in another order differ by rounding.
    slack = 1e-9 * np.maximum(own, judges)
    return Wins(
        people.unit,
        people.rater,
        people.cluster_of_unit[people.unit],
        judges <= own + slack,
        own <= judges + slack,
    )


def distances_to_others(people: TidyRatings, measure: Distance) -> FloatArray:
    """Sum of distances of each rating to the others of its unit, sorted by unit: (M,)."""
    total = np.zeros(len(people.unit))
    first = np.arange(len(total))
    for step in range(1, len(total)):  # every pair of a unit once, by how far apart they stand
        first = first[first + step < len(total)]
        first = first[people.unit[first + step] == people.unit[first]]
        if not len(first):
            break
        apart = measure.between(people.domain, people.code[first], people.code[first + step])
        total[first] += apart
        total[first + step] += apart
    return total
