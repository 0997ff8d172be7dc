"""Signs of answering without reading: runs of the same answer, and ratings that hardly vary."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, StdDev

from annotation.models import AssignmentUnit, Rating, Study
from annotation.work.control_answers import answers_of


@dataclass(frozen=True)
class Run:
    """The longest run of the same answer to a block's questions, in the order they were met."""

    block: int
    longest: int
    answers: int


@dataclass(frozen=True)
class Spread:
    """How far somebody's numbers on a facet lie apart: their standard deviation (ddof 0)."""

    facet: str
    sd: float
    ratings: int


def runs(study: Study, participations: Collection[int]) -> dict[int, list[Run]]:
    """Participation -> one run per block. Two queries."""
    positions = _order(participations)
    rows = answers_of(study, participations).values_list(
        "rater__participation", "question__block", "assignment", "question__unit", "answer"
    )
    answers: dict[tuple[int, int], list[tuple[tuple[int, int], str]]] = defaultdict(list)
    for participation, block, assignment, unit, answer in rows.order_by(
        "question__block__position", "pk"
    ):
        position = positions.get((assignment, unit), 0)
        text = json.dumps(answer, sort_keys=True)
        answers[participation, block].append(((assignment or 0, position), text))
    by_participation: dict[int, list[Run]] = defaultdict(list)
    for (participation, block), entries in answers.items():
        in_order = [text for _, text in sorted(entries)]
        by_participation[participation].append(Run(block, longest_run(in_order), len(in_order)))
    return dict(by_participation)


def _order(participations: Collection[int]) -> dict[tuple[int, int], int]:
    rows = AssignmentUnit.objects.filter(assignment__participation__in=participations)
    return {
        (assignment, unit): position
        for assignment, unit, position in rows.values_list("assignment", "unit", "position")
    }


def longest_run(values: Iterable[object]) -> int:
    """The length of the longest run of equal values; 0 for none."""
    return max((sum(1 for _ in same) for _, same in groupby(values)), default=0)


def spreads(study: Study, participations: Collection[int]) -> dict[int, list[Spread]]:
    """Participation -> one spread per facet of numbers with two ratings or more. One query."""
    rows = (
        Rating.objects.filter(
            annotation__in=answers_of(study, participations), number__isnull=False
        )
        .values("annotation__rater__participation", "facet")
        .annotate(n=Count("pk"), sd=StdDev("number"))
        .filter(n__gt=1)
        .order_by("facet")
    )
    by_participation: dict[int, list[Spread]] = defaultdict(list)
    for row in rows:
        spread = Spread(row["facet"], row["sd"], row["n"])
        by_participation[row["annotation__rater__participation"]].append(spread)
    return dict(by_participation)
