"""Withdraw from a study: the worker takes back all that they gave, and keeps what they earned."""

from datetime import datetime

from django.db import transaction
from django.dispatch import Signal

from annotation.models import (
    Annotation,
    Assignment,
    AssignmentUnit,
    ComprehensionTry,
    Draft,
    Participation,
    Rating,
    Review,
    StateChange,
)
from annotation.rights.erasure import erase_withdrawn
from annotation.work.exclusion import exclude_answers
from annotation.work.leases import lock_with_batches
from annotation.work.qualification import change_state

REASON = "withdrawn"
# Sent with `study`, in the same transaction: whoever keeps copies of answers drops them.
answers_erased = Signal()


@transaction.atomic
def withdraw(*, participation: Participation, now: datetime) -> bool:
    """Erase a worker's answers and words in a study, and open their units again.

    What they did is paid; consents and states stay as the record of it. Their identifiers go
    at once, or as soon as neither pay nor another study needs them. False if done before.
    """
    batches = lock_with_batches(participation)
    if not change_state(
        participation=participation, to=Participation.State.WITHDRAWN, reason=REASON
    ):
        return False
    _erase_answers(participation, now)
    _erase_words(participation)
    answers_erased.send(sender=Participation, study=participation.study)
    erase_withdrawn(worker=participation.worker, now=now)
    # Last: it marks the study as changed, and that row is locked until the commit.
    exclude_answers(assignments=batches, reason=REASON)
    return True


def _erase_answers(participation: Participation, now: datetime) -> None:
    """Every answer's row stays as its tombstone, also of those that were corrected later."""
    answers = Annotation.objects.filter(rater__participation=participation)
    Rating.objects.filter(annotation__in=answers).delete()
    answers.update(answer={}, active_seconds=None, withdrawn_at=now)
    answers.exclude(excluded_reason="").update(excluded_reason=REASON)
    Draft.objects.filter(assignment__participation=participation).delete()


def _erase_words(participation: Participation) -> None:
    """What the worker wrote, and what was written to them and about their answers."""
    Assignment.objects.filter(participation=participation).update(comment="", feedback="")
    AssignmentUnit.objects.filter(assignment__participation=participation).update(problem="")
    Review.objects.filter(assignment__participation=participation).update(reason="")
    decided = StateChange.objects.filter(participation=participation, by__isnull=False)
    decided.update(reason="")
    ComprehensionTry.objects.filter(participation=participation).update(answers=[])
