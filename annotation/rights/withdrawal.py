"""Leaving a study, and withdrawing from it with all answers erased. Pay stays in both cases."""

from datetime import datetime

from django.db import transaction
from django.dispatch import Signal

from annotation.models import (
    Annotation,
    Assignment,
    AssignmentUnit,
    ComprehensionTry,
    Draft,
    PanelDecision,
    Participation,
    Rating,
    Review,
    StateChange,
)
from annotation.rights.erasure import erase_withdrawn
from annotation.rights.gold import cut_ties_to_gold
from annotation.work.exclusion import exclude_answers
from annotation.work.leases import lock_with_batches
from annotation.work.qualification import change_state

REASON = "withdrawn"
# Sent with `study` and `participation`, in the same transaction: receivers drop the copies of
# answers that they keep.
answers_erased = Signal()


@transaction.atomic
def leave(*, participation: Participation) -> None:
    """End the participation. Its open batch goes back; drafts and submitted work stay."""
    change_state(participation=participation, to=Participation.State.LEFT, reason="left the study")


@transaction.atomic
def withdraw(*, participation: Participation, now: datetime) -> bool:
    """Erase a worker's answers and texts in a study, and open their units again.

    Work done is paid; consents and state changes stay as the record of it. Identifiers are erased
    at once, or as soon as neither pay nor another study needs them. False if done before.
    """
    batches = lock_with_batches(participation)
    if not change_state(
        participation=participation, to=Participation.State.WITHDRAWN, reason=REASON
    ):
        return False
    _erase_answers(participation, now)
    _erase_words(participation)
    cut_ties_to_gold(participation)
    answers_erased.send(
        sender=Participation, study=participation.study, participation=participation
    )
    erase_withdrawn(worker=participation.worker, now=now)
    # Last: it marks the study as changed, which locks the study's row until the commit.
    exclude_answers(assignments=batches, reason=REASON)
    return True


def _erase_answers(participation: Participation, now: datetime) -> None:
    """Empty every answer, superseded ones as well. The rows stay as tombstones."""
    answers = Annotation.objects.filter(rater__participation=participation)
    Rating.objects.filter(annotation__in=answers).delete()
    answers.update(answer={}, active_seconds=None, paradata=None, reasons=None, withdrawn_at=now)
    answers.exclude(excluded_reason="").update(excluded_reason=REASON)
    Draft.objects.filter(assignment__participation=participation).delete()


def _erase_words(participation: Participation) -> None:
    """Erase what the worker wrote, and what was written to them and about their answers."""
    Assignment.objects.filter(participation=participation).update(comment="", feedback="")
    AssignmentUnit.objects.filter(assignment__participation=participation).update(problem="")
    Review.objects.filter(assignment__participation=participation).update(reason="")
    decided = StateChange.objects.filter(participation=participation, by__isnull=False)
    decided.update(reason="")
    ComprehensionTry.objects.filter(participation=participation).update(answers=[])
    told = PanelDecision.objects.filter(submission__participation=participation)
    told.filter(ended_at__isnull=False).update(message="")  # others are still on their way
