"""Batches for the tests of records: answered as they say, submitted, and timed."""

from collections.abc import Callable, Mapping
from datetime import timedelta

from django.utils import timezone

from annotation.models import Annotation, Assignment, AssignmentUnit, Participation
from annotation.work.steps import Steps
from annotation.work.submission import submit
from tests.annotation.workers import answer_step, lease, step_at

Posted = Mapping[str, dict[str, list[str]]]


def work_through(
    participation: Participation, answer: Callable[[AssignmentUnit], Posted], **options: object
) -> Assignment:
    """Lease a batch, answer each unit as told, submit it."""
    batch = lease(participation, **options)
    for position in sorted({step.position for step in Steps(batch).all}):
        for part in (1, 2):
            step = step_at(batch, position, part)
            answer_step(step, answer(step.batch_unit)[step.question.block.task_type_slug])
    return submit(assignment=batch, now=timezone.now())


def took(batch: Assignment, *, minutes: float, active: list[float | None] | None = None) -> None:
    """Let the batch have taken so long, and each answer so many active seconds; none by default."""
    assert batch.submitted_at is not None
    start = batch.submitted_at - timedelta(minutes=minutes)
    Assignment.objects.filter(pk=batch.pk).update(leased_at=start)
    rows = list(Annotation.objects.filter(assignment=batch).order_by("pk"))
    for row, seconds in zip(rows, active or [None] * len(rows), strict=True):
        row.active_seconds = seconds
        row.save(update_fields=["active_seconds"])
