"""Worked examples and tips before the first batch, and right answers in training.

Tries at an example are neither scored nor stored.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from annotation.models import Draft, Participation, Question, Study, Unit
from annotation.queries.compiled import CompiledQuery, Param
from annotation.work.leases import NotActive, lock_assignment
from annotation.work.steps import Step
from tasktypes.schemas import Schema

# From the units, of which an index knows the roles: most studies have none of this one.
_example = CompiledQuery(
    lambda: Unit.objects.filter(
        study=Param("study"), role=Unit.Role.EXAMPLE, questions__reference__isnull=False
    ).values_list("pk")[:1]
)


class NotAnswered(Exception):
    """The question has no finished answer yet, so the right one is not shown."""


def examples(study: Study) -> Sequence[Question]:
    """The questions of the worked examples that have a right answer, in order."""
    questions = Question.objects.filter(study=study, unit__role=Unit.Role.EXAMPLE)
    with_answer = questions.exclude(reference=None).select_related("block", "unit")
    return list(with_answer.order_by("unit", "block__position"))


def has_examples(study: Study) -> bool:
    """Whether there is a worked example to try."""
    return bool(_example.all(study=study.pk))


def mark_introduced(*, participation: Participation, now: datetime) -> None:
    """Note that the worker has seen the examples and the tips; the first time is kept."""
    rows = Participation.objects.filter(pk=participation.pk, introduced_at=None)
    if rows.update(introduced_at=now):
        participation.introduced_at = now


def right_answer(question: Question) -> Schema:
    """The reference of a question that has one."""
    reference = question.typed_reference
    if reference is None:
        raise LookupError(f"question {question.pk} has no right answer")
    return reference


def reveals(step: Step) -> bool:
    """Whether the right answer is shown after this question: in training, where there is one."""
    return step.assignment.round.shows_answers and step.question.reference is not None


@transaction.atomic
def reveal_answer(*, step: Step, now: datetime) -> Draft:
    """Freeze the worker's answer, so that the right one can be shown.

    NotAnswered without a finished answer, NotActive where the batch is not open any more.
    """
    # The lock keeps another tab from changing the answer while the right one is revealed.
    assignment = lock_assignment(step.assignment)
    if not assignment.is_open:
        raise NotActive
    drafts = assignment.drafts.filter(question=step.question)
    drafts.filter(complete=True, frozen_at=None).update(frozen_at=now)
    draft = drafts.exclude(frozen_at=None).first()
    if draft is None:
        raise NotAnswered
    return draft
