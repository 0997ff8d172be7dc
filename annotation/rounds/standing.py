"""The rounds of a study as a worker meets them: which one they are in, and how they stand in it."""

from dataclasses import dataclass
from datetime import datetime
from math import ceil

from django.db.models import QuerySet

from annotation.models import (
    Annotation,
    Assignment,
    Participation,
    Question,
    Round,
    StateChange,
    Unit,
)
from annotation.queries.batches import rounds_of
from annotation.queries.progress import submitted_counts
from tasktypes.schemas import Schema

State = Participation.State

# A share is a quotient of small numbers; this much of it is rounding.
_ROUNDING = 1e-9


def current_round(participation: Participation) -> Round | None:
    """The round that the worker is in: the study's first one, until they have come further."""
    rounds = rounds_of(participation.study_id)
    if participation.round_id is None:
        return rounds[0] if rounds else None
    return {one.pk: one for one in rounds}[participation.round_id]


def reaches(n_right: int, n: int, mark: float) -> bool:
    """Whether the share of right ones is at least the mark. Of none, none is wrong."""
    return n_right >= mark * n - _ROUNDING


def submitted_by_round(participation: Participation) -> dict[int, int]:
    """How many batches the worker has submitted in each round where there is one."""
    return submitted_counts(participation.pk)


@dataclass(frozen=True)
class RoundProgress:
    """What a worker has done in a round: batches submitted, controls met, controls right.

    A control is a unit: it is right where each of its questions that has a right answer is.
    """

    n_batches: int
    n_controls: int
    n_right: int

    @property
    def accuracy(self) -> float | None:
        return self.n_right / self.n_controls if self.n_controls else None


def standing(participation: Participation, round_: Round) -> RoundProgress:
    """How the worker stands in a round, over all batches that the rules look at.

    Those that a researcher has forgiven, by bringing the worker back, are left out.
    """
    batches = Assignment.objects.filter(
        participation=participation, round=round_, state=Assignment.State.SUBMITTED
    )
    forgiven = forgiven_until(participation)
    judged = batches.filter(submitted_at__gt=forgiven) if forgiven else batches
    controls = controls_right(list(judged.values_list("pk", flat=True)), round_)
    return RoundProgress(batches.count(), len(controls), sum(controls.values()))


def least_right(n: int, mark: float) -> int:
    """The smallest number of right ones among n that reaches the mark."""
    return ceil(mark * n - _ROUNDING)


def controls_right(assignments: list[int], round_: Round) -> dict[tuple[int, int], bool]:
    """Whether each control of these batches was answered right, by (assignment, unit)."""
    right: dict[tuple[int, int], bool] = {}
    for answer in _graded_answers(assignments, round_):
        assert answer.assignment_id is not None
        key, question = (answer.assignment_id, answer.question.unit_id), answer.question
        fits = question.is_right(question.typed_answer(answer.answer))
        right[key] = right.get(key, True) and fits
    return right


def wrong_answers(assignment: Assignment, round_: Round) -> list[tuple[Question, Schema]]:
    """The graded questions of a batch that were answered wrong, with the answers."""
    answers = _graded_answers([assignment.pk], round_)
    typed = [(row.question, row.question.typed_answer(row.answer)) for row in answers]
    return [(question, answer) for question, answer in typed if not question.is_right(answer)]


def _graded_answers(assignments: list[int], round_: Round) -> QuerySet[Annotation]:
    """The answers of these batches by which workers are graded."""
    answers = Annotation.objects.filter(
        assignment__in=assignments,
        superseded_at=None,
        withdrawn_at=None,
        question__unit__role__in=round_.graded_roles,
        question__reference__isnull=False,
    ).exclude(question__unit__check_state__in=Unit.UNUSED)
    return answers.select_related("question__block").order_by("pk")


def forgiven_until(participation: Participation) -> datetime | None:
    """When a researcher brought the worker back last; None where that never was."""
    brought_back = StateChange.objects.filter(
        participation=participation, by__isnull=False, before__in=Participation.ENDED
    ).exclude(after__in=Participation.ENDED)
    return brought_back.order_by("-pk").values_list("at", flat=True).first()
