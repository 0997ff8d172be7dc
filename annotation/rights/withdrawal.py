"""Leaving a study, and withdrawing from it. Pay stays in both cases.

A withdrawal takes all answers and words out at once. They are set aside for some hours, in which
the worker may take it back, and then erased for good.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal

from annotation.models import Annotation, Draft, Participation, Study, Withdrawal, log_change
from annotation.rights.erasure import erase_withdrawn
from annotation.rights.gold import cut_ties_to_gold
from annotation.rights.set_aside import REASON, restore_content, set_aside
from annotation.work.exclusion import exclude_answers
from annotation.work.leases import lock_with_batches
from annotation.work.qualification import change_state, undo_withdrawal

# Sent with `study` and `participation`, in the same transaction: receivers drop the copies of
# answers that they keep.
answers_withdrawn = Signal()


@transaction.atomic
def leave(*, participation: Participation) -> None:
    """End the participation. Its open batch goes back; drafts and submitted work stay."""
    change_state(participation=participation, to=Participation.State.LEFT, reason="left the study")


@transaction.atomic
def withdraw(*, participation: Participation, now: datetime) -> bool:
    """Take a worker's answers and words in a study out of everything. Work done is paid; consents
    and state changes stay as the record of it. False if done before.

    Their units stay counted, so that nobody else has answered them if the worker takes this back.
    """
    lock_with_batches(participation)
    if not change_state(
        participation=participation, to=Participation.State.WITHDRAWN, reason=REASON
    ):
        return False
    Withdrawal.objects.create(
        participation_id=participation.pk,
        at=now,
        erase_at=now + timedelta(hours=settings.WITHDRAWAL_HOURS),
        content=set_aside(participation),
    )
    _answers_of(participation).update(withdrawn_at=now)
    answers_withdrawn.send(
        sender=Participation, study=participation.study, participation=participation
    )
    participation.study.touch()
    if not settings.WITHDRAWAL_HOURS:
        erase_set_aside(participation=participation, now=now)
    return True


@transaction.atomic
def take_back(*, participation: Participation, now: datetime) -> bool:
    """Undo a withdrawal, with everything as it was before. A batch that it has closed stays closed
    and paid. False where the answers are erased by now."""
    lock_with_batches(participation)
    kept = Withdrawal.objects.filter(participation=participation, erase_at__gt=now).first()
    if kept is None:
        return False
    restore_content(participation, kept.content)
    _answers_of(participation).update(withdrawn_at=None)
    kept.delete()
    undo_withdrawal(participation=participation)
    subject = participation.pseudonym
    log_change(study=participation.study, by=None, action="withdrawal.undone", subject=subject)
    participation.study.touch()
    return True


@transaction.atomic
def erase_now(*, participation: Participation, now: datetime) -> bool:
    """Withdraw, if that is not done, and erase for good. False if done before."""
    withdraw(participation=participation, now=now)
    return erase_set_aside(participation=participation, now=now)


@transaction.atomic
def erase_set_aside(
    *, participation: Participation, now: datetime, due: datetime | None = None
) -> bool:
    """Erase what a withdrawal has set aside, with all that was only typed, and open the units
    again. Empty answers stay as tombstones. False where nothing is set aside that ends by `due`.

    Identifiers are erased at once, or as soon as neither pay nor another study needs them.
    """
    batches = lock_with_batches(participation)
    kept = Withdrawal.objects.filter(participation=participation)
    if not kept.filter(Q() if due is None else Q(erase_at__lte=due)).delete()[0]:
        return False
    Draft.objects.filter(assignment__participation=participation).delete()
    cut_ties_to_gold(participation)
    erase_withdrawn(worker=participation.worker, now=now)
    # Last: it marks the study as changed, which locks the study's row until the commit.
    exclude_answers(assignments=batches, reason=REASON)
    return True


def erase_due(*, now: datetime, studies: list[Study] | None = None) -> int:
    """Erase what was set aside long enough ago, or everything of these studies; whose, in number.
    Doing it twice changes nothing."""
    due = None if studies is not None else now
    rows = Withdrawal.objects.filter(erase_at__lte=now)
    if studies is not None:
        rows = Withdrawal.objects.filter(participation__study__in=studies)
    people = Participation.objects.select_related("study", "worker")
    keys = list(rows.order_by("participation").values_list("participation", flat=True))
    return sum(
        erase_set_aside(participation=person, now=now, due=due)
        for person in people.filter(pk__in=keys).order_by("pk")
    )


def _answers_of(participation: Participation) -> QuerySet[Annotation]:
    return Annotation.objects.filter(rater__participation=participation)
