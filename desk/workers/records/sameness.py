"""Signs of answering without reading: one answer over and over, and scales that do not move."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, StdDev

from annotation.models import AssignmentUnit, Rating, Study
from desk.workers.records.answers import given_by


@dataclass(frozen=True)
class Run:
    """The longest row of the same answer to a block's questions, in the order they were met."""

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
    met = _order(participations)
    rows = given_by(study, participations).values_list(
        "rater__participation", "question__block", "assignment", "question__unit", "answer"
    )
    answers: dict[tuple[int, int], list[tuple[tuple[int, int], str]]] = defaultdict(list)
    for who, block, assignment, unit, answer in rows.order_by("question__block__position", "pk"):
        position = met.get((assignment, unit), 0)
        said = json.dumps(answer, sort_keys=True)
        answers[who, block].append(((assignment or 0, position), said))
    found: dict[int, list[Run]] = defaultdict(list)
    for (who, block), given in answers.items():
        in_order = [said for _, said in sorted(given)]
        found[who].append(Run(block, longest_run(in_order), len(in_order)))
    return dict(found)


def _order(participations: Collection[int]) -> dict[tuple[int, int], int]:
    rows = AssignmentUnit.objects.filter(assignment__participation__in=participations)
    return {
        (assignment, unit): position
        for assignment, unit, position in rows.values_list("assignment", "unit", "position")
    }


def longest_run(values: Iterable[object]) -> int:
    """The length of the longest row of equal values; 0 of none."""
    return max((sum(1 for _ in same) for _, same in groupby(values)), default=0)


def longest_runs(study: Study, participations: Collection[int]) -> dict[int, float | None]:
    """The longest run in any block, per participation."""
    return {who: longest_of(all_) for who, all_ in runs(study, participations).items()}


def longest_of(found: Sequence[Run]) -> int | None:
    """The longest of several blocks' runs."""
    return max((run.longest for run in found), default=None)


def spreads(study: Study, participations: Collection[int]) -> dict[int, list[Spread]]:
    """Participation -> one spread per facet of numbers with two ratings or more. One query."""
    rows = (
        Rating.objects.filter(annotation__in=given_by(study, participations), number__isnull=False)
        .values("annotation__rater__participation", "facet")
        .annotate(n=Count("pk"), sd=StdDev("number"))
        .filter(n__gt=1)
        .order_by("facet")
    )
    found: dict[int, list[Spread]] = defaultdict(list)
    for row in rows:
        spread = Spread(row["facet"], row["sd"], row["n"])
        found[row["annotation__rater__participation"]].append(spread)
    return dict(found)
