"""Erasure of a worker's identifiers. A tombstone is left, which recognises the id but hides it."""

from collections import defaultdict
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Max, QuerySet

from annotation.models import (
    Annotation,
    Invitation,
    LedgerRow,
    PanelPayment,
    PanelSubmission,
    Participation,
    Rater,
    Seat,
    Study,
    Withdrawal,
    Worker,
)
from annotation.models.links import NO_LINK
from annotation.models.tombstones import PREFIX, tombstone

State = Participation.State


@transaction.atomic
def erase_worker(*, worker: Worker, now: datetime) -> bool:
    """Erase the panel's id, the return link and the personal invitations of a worker, with what
    files have told of them and beside their answers, and what they wrote there or told of
    themselves.

    What else is stored under the pseudonym stays, pay included. False where it was done before.
    """
    erased = Worker.objects.filter(pk=worker.pk, erased_at=None).update(
        external_id=tombstone(worker.panel, worker.external_id),
        erased_at=now,
    )
    if not erased:
        return False
    forget_properties(Rater.objects.filter(participation__worker=worker))
    answers = Annotation.objects.filter(rater__participation__worker=worker)
    answers.update(metadata={}, reasons=None)
    Invitation.objects.filter(worker=worker).delete()
    Seat.objects.filter(participation__worker=worker).update(name="")
    places = Participation.objects.filter(worker=worker)
    places.update(panel_session={}, questionnaire={}, keys="", **NO_LINK)
    erase_submissions(PanelSubmission.objects.filter(participation__worker=worker))
    return True


def forget_properties(raters: QuerySet[Rater]) -> None:
    """Erase what files have told of raters. Figures by it are counted anew."""
    described = raters.exclude(metadata={})
    studies = list(described.values_list("study", flat=True).distinct())
    described.update(metadata={})
    for study in Study.objects.filter(pk__in=studies).exclude(group_by=[]):
        study.touch()


def erase_submissions(submissions: QuerySet[PanelSubmission]) -> int:
    """Replace the panel's ids of submissions by tombstones, by which reading them again leaves them
    alone. Money that was sent and is not confirmed yet is looked for no more."""
    readable = submissions.exclude(external_id__startswith=PREFIX).select_related("panel_study")
    for row in list(readable):
        row.external_id = tombstone(row.panel_study.panel, row.external_id)
        row.save(update_fields=["external_id"])
    return len(readable)


@transaction.atomic
def erase_withdrawn(*, worker: Worker, now: datetime) -> bool:
    """Erase the identifiers of a worker who withdrew for good, once neither pay nor a study needs
    them.

    False where something still needs them, or it was done before.
    """
    needed = False
    for participation in worker.participations.select_related("study", "worker"):
        may_return = Withdrawal.objects.filter(participation=participation).exists()
        if participation.state != State.WITHDRAWN or may_return or is_owed(participation):
            needed = True
        else:
            Participation.objects.filter(pk=participation.pk).update(panel_session={})
            # Also without a session: what was read at the panel later names it again.
            erase_submissions(participation.panel_submissions.all())
    return not needed and erase_worker(worker=worker, now=now)


def is_owed(participation: Participation) -> bool:
    """Whether a payment file may still have to pay the worker something.

    Rows that a later file left out are paid by the panel itself, unless a screen-out after that
    file moved them to the next one. So may a payment through a panel's API that has not ended.
    """
    if participation.panel_bonuses.filter(payment__state__in=PanelPayment.UNDER_WAY).exists():
        return True
    files = _newest_files(participation)
    screened_out = participation.state_changes.filter(after=State.SCREENED_OUT)
    last = screened_out.aggregate(at=Max("at"))["at"]
    owed: dict[str, Decimal] = defaultdict(Decimal)
    for row in participation.ledger.filter(exported_at=None):
        newest = files.get(row.currency)
        if newest is None or newest < max(row.created_at, last or row.created_at):
            owed[row.currency] += row.amount
    return any(amount > 0 for amount in owed.values())


def _newest_files(participation: Participation) -> dict[str, datetime]:
    """Currency -> when the study last paid people of the worker's panel, by a file or through its
    API, and did not leave the worker to a later payment."""
    rows = LedgerRow.objects.filter(
        participation__study=participation.study_id,
        participation__worker__panel=participation.worker.panel,
        exported_at__isnull=False,
    )
    left_out = "paid_through__line__payment__left_out"
    payments = rows.order_by("exported_at").values_list("currency", "exported_at", left_out)
    return {
        currency: at
        for currency, at, others in payments.distinct()
        if participation.pk not in (others or [])
    }
