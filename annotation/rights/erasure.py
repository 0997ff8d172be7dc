"""Erasure of a worker's identifiers. A tombstone is left, which recognises the id but hides it."""

from collections import defaultdict
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Max

from annotation.models import Invitation, LedgerRow, Participation, Worker
from annotation.models.people import new_token
from annotation.models.tombstones import tombstone

State = Participation.State


@transaction.atomic
def erase_worker(*, worker: Worker, now: datetime) -> bool:
    """Erase the panel's id, the return link and the personal invitations of a worker.

    What is stored under the pseudonym stays, pay included. False where it was done before.
    """
    erased = Worker.objects.filter(pk=worker.pk, erased_at=None).update(
        external_id=tombstone(worker.panel, worker.external_id),
        # The new token is shown to nobody, so the old link stops working.
        return_token=new_token(),
        erased_at=now,
    )
    if not erased:
        return False
    Invitation.objects.filter(worker=worker).delete()
    Participation.objects.filter(worker=worker).update(panel_session={})
    return True


@transaction.atomic
def erase_withdrawn(*, worker: Worker, now: datetime) -> bool:
    """Erase the identifiers of a worker who withdrew, once neither pay nor a study needs them.

    False where something still needs them, or it was done before.
    """
    needed = False
    for participation in worker.participations.select_related("study", "worker"):
        if participation.state != State.WITHDRAWN or is_owed(participation):
            needed = True
        elif participation.panel_session:
            Participation.objects.filter(pk=participation.pk).update(panel_session={})
    return not needed and erase_worker(worker=worker, now=now)


def is_owed(participation: Participation) -> bool:
    """Whether a payment file may still have to pay the worker something.

    Rows that a later file left out are paid by the panel itself, unless a screen-out after that
    file moved them to the next one.
    """
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
    """Currency -> when the latest payment file of the study for the worker's panel was made."""
    rows = LedgerRow.objects.filter(
        participation__study=participation.study_id,
        participation__worker__panel=participation.worker.panel,
        exported_at__isnull=False,
    )
    newest = rows.values("currency").annotate(at=Max("exported_at")).order_by("currency")
    return dict(newest.values_list("currency", "at"))
