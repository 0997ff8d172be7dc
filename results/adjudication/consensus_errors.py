"""Where the consensus of people differs from gold, and how often it does among all questions."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from agreement import Estimate, audited_error
from annotation.models import Block
from estimates.data.consensus import consensus_of
from estimates.data.facts.references import References
from estimates.data.options import Options
from estimates.data.parties import divide
from estimates.data.ratings import Ratings, ratings_of
from estimates.data.table import Table
from estimates.statistics.disagreement import disagreement
from tasktypes.facets import Facet, Value

AGREED, CONTESTED = "agreed", "contested"
Stratum = Literal["agreed", "contested"]


def frame_of(table: Table, block: Block) -> dict[int, Stratum]:
    """The questions of a block that people have answered, and whether two of them differ."""
    people = divide(table.raters).crowds[0].raters
    strata: dict[int, Stratum] = {}
    for facet in block.facets:
        ratings = ratings_of(table, facet.name).once().by(people)
        for question in np.unique(table.place_question[ratings.place]).tolist():
            strata.setdefault(question, "agreed")
        places, apart = disagreement(ratings)
        for question in table.place_question[places[apart > 0]].tolist():
            strata[question] = "contested"
    return strata


@dataclass(frozen=True)
class FacetErrors:
    """Of the questions with gold that people have answered, how wrong their consensus is.

    errors: question id -> of labels and sets the share of its parts where the consensus is not the
    gold answer, or there is no consensus; of numbers their mean absolute difference. changed: how
    many questions have some error.
    """

    facet: Facet
    rule: str
    errors: Mapping[int, float]

    @property
    def changed(self) -> int:
        return sum(error > 0 for error in self.errors.values())

    @property
    def bounded(self) -> bool:
        """Whether errors are shares; else they are in the unit of the numbers."""
        return self.facet.kind != "number"


def consensus_errors(
    table: Table, gold: References, facets: Iterable[Facet], options: Options
) -> list[FacetErrors]:
    """Of every facet; without gold there are no errors."""
    people = divide(table.raters).crowds[0].raters
    each = []
    for facet in facets:
        if not facet.own_scale:
            ratings = ratings_of(table, facet.name).once().by(people)
            rule = options.consensus_for(facet.kind)
            errors = _errors(table, ratings, gold.get(facet.name), rule)
            each.append(FacetErrors(facet, rule, errors))
    return each


def _errors(
    table: Table, people: Ratings, gold: Mapping[tuple[int, str], Value], rule: str
) -> dict[int, float]:
    decided = {question for question, _ in gold}
    keys = list(zip(table.place_question.tolist(), table.place_element, strict=True))
    answered = {keys[place] for place in people.place.tolist() if keys[place][0] in decided}
    agreed = _values(consensus_of(people, rule) if len(people) else people, keys)
    by_question: dict[int, list[float]] = {}
    theirs = {question for question, _ in answered}
    for key in sorted(answered | {key for key in gold if key[0] in theirs}):
        error = _error(agreed.get(key), gold.get(key), number=people.facet.kind == "number")
        if error is not None:
            by_question.setdefault(key[0], []).append(error)
    return {question: sum(each) / len(each) for question, each in by_question.items()}


def _values(ratings: Ratings, keys: list[tuple[int, str]]) -> dict[tuple[int, str], object]:
    is_number = ratings.facet.kind == "number"
    values = (
        ratings.number.tolist() if is_number else [ratings.domain[code] for code in ratings.code]
    )
    return {keys[place]: value for place, value in zip(ratings.place.tolist(), values, strict=True)}


def _error(agreed: object, right: object, *, number: bool) -> float | None:
    """None where one of two numbers is missing: there is no distance to nothing."""
    if not number:
        return float(agreed != right)
    if not isinstance(agreed, float | int) or not isinstance(right, float | int):
        return None
    return float(abs(agreed - right))


def audited(
    errors: FacetErrors, strata: Mapping[int, str], population: Mapping[str, int]
) -> Estimate:
    """The mean error of the consensus among all questions that could have been drawn.

    strata: question id -> stratum, of the whole sample. population: questions of each stratum.
    """
    decided: Collection[int] = [question for question in strata if question in errors.errors]
    return audited_error(
        [errors.errors[question] for question in decided],
        [strata[question] for question in decided],
        population,
        bounded=errors.bounded,
    )
