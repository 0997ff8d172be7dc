"""What became of payments: read at Prolific, and, where that does not tell, said by a person."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from annotation.models import PanelPayment, PanelPaymentLine, PanelStudy, User
from annotation.models.tombstones import PREFIX
from annotation.panels.prolific_api.client import Prolific
from recruitment.payments import CLAIM_ENDS, has_arrived, log_step, release
from recruitment.publication import NotNow

State = PanelPayment.State

# Prolific pays "in the following minutes". What is not there after this is shown to a person.
PATIENCE = timedelta(minutes=30)


def settle(*, made: PanelStudy, client: Prolific, now: datetime) -> None:
    """Take back claims of dead processes, and look for the bonuses that were sent."""
    stale = made.payments.filter(state=State.CLAIMED, claimed_at__lt=now - CLAIM_ENDS)
    stale.update(state=State.PREPARED, claim="", problem="The last try ended before it paid.")
    for payment in made.payments.filter(state=State.SENT):
        look(payment=payment, client=client, now=now)


def look(*, payment: PanelPayment, client: Prolific, now: datetime) -> int:
    """Mark the lines whose bonus is at Prolific now and was not before; how many are still open.
    Reading twice changes nothing."""
    lines = list(_open_lines(payment))
    ids = [line.submission.external_id for line in lines]
    there = client.bonuses(payment.panel_study.external_id, ids) if ids else {}
    arrived = [line.pk for line in lines if has_arrived(line, there[line.submission.external_id])]
    payment.lines.filter(pk__in=arrived, paid_at=None, released_at=None).update(paid_at=now)
    left = payment.lines.filter(paid_at=None, released_at=None).count()
    if not left:
        _confirm(payment, now)
    payment.refresh_from_db()
    return left


def _open_lines(payment: PanelPayment) -> Sequence[PanelPaymentLine]:
    """Those that may or may not be paid. Of erased people nothing can be read any more."""
    lines = payment.lines.filter(paid_at=None, released_at=None).select_related("submission")
    return list(lines.exclude(submission__external_id__startswith=PREFIX).order_by("pk"))


@transaction.atomic
def _confirm(payment: PanelPayment, now: datetime) -> None:
    sent = PanelPayment.objects.filter(pk=payment.pk, state=State.SENT)
    if sent.update(state=State.CONFIRMED, ended_at=now, problem=""):
        log_step(payment, None, "confirmed")


def is_uncertain(payment: PanelPayment, now: datetime) -> bool:
    """Whether a person has to look: it was sent, and Prolific does not show all of it."""
    return (
        payment.state == State.SENT
        and payment.sent_at is not None
        and now - payment.sent_at >= PATIENCE
    )


def decide(
    *, payment: PanelPayment, paid: bool, by: User, client: Prolific, now: datetime
) -> PanelPayment:
    """A person has looked at Prolific and says whether the open lines were paid.

    Prolific is read once more first, so that what is there is not released. Where it was not paid,
    the rows are owed again, and may go into another payment. NotNow before `PATIENCE` is over.
    """
    if not is_uncertain(payment, now):
        raise NotNow("Prolific may still be paying. Wait half an hour after the payment was sent.")
    if look(payment=payment, client=client, now=now):
        _end(payment, paid, by, now)
    payment.refresh_from_db()
    return payment


@transaction.atomic
def _end(payment: PanelPayment, paid: bool, by: User, now: datetime) -> None:
    sent = PanelPayment.objects.filter(pk=payment.pk, state=State.SENT)
    some_paid = paid or payment.lines.filter(paid_at__isnull=False).exists()
    after = State.CONFIRMED if some_paid else State.GIVEN_UP
    if not sent.update(state=after, ended_at=now):
        raise NotNow("Somebody else has just decided about this payment.")
    if paid:
        payment.lines.filter(paid_at=None, released_at=None).update(paid_at=now)
    else:
        release(payment, now)
    log_step(payment, by, "said_paid" if paid else "said_unpaid")
