"""Pay bonuses through Prolific, each once, whatever dies in between.

The steps of a payment, each a conditional UPDATE of its state:

- reserved: its ledger rows belong to it, so that no file and no other payment holds them;
- prepared: set up at Prolific, which pays nothing and tells fees and total. Where the answer is
  lost it is set up again; what was set up twice is paid once;
- claimed: a person has confirmed the total, and one process is about to pay. It reads which bonuses
  the submissions have already. If it dies, nothing was sent, and the payment is prepared again;
- sent: written before the call that pays, which Prolific documents as *not* idempotent. From here
  on nothing is ever sent again: Prolific is read (`confirmations`), and a person decides about what
  stays uncertain.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction

from annotation.models import (
    LedgerRow,
    PaidRow,
    PanelPayment,
    PanelPaymentLine,
    PanelStudy,
    User,
    log_change,
)
from annotation.models.links import new_token
from annotation.panels.prolific_api.client import Prolific
from annotation.panels.prolific_api.errors import CallRefused, ProlificError, TooLittleMoney
from annotation.panels.prolific_api.money import minor_units, whole_units
from annotation.panels.prolific_api.shapes import BonusReply
from annotation.pay.payouts import lock_unpaid, mark_as_paid
from annotation.pay.rewards import Covers
from recruitment.offers import OfferedLine, offer
from recruitment.publication import NotNow, check_currency

State = PanelPayment.State

# A process that claimed a payment so long ago is dead.
CLAIM_ENDS = timedelta(minutes=5)
CHANGED = "The amounts owed have changed since the page was loaded. Please look again."


# --- Reserve, set up, give back -----------------------------------------------------------------


@transaction.atomic
def reserve(
    *,
    made: PanelStudy,
    participations: Collection[int],
    total_minor: int,
    by: User,
    now: datetime,
) -> PanelPayment:
    """Take what these people are owed into a payment. NotNow where it is not the total that the
    person saw: somebody else was faster, or something was earned since."""
    lock_unpaid(made.study)
    check_currency(made)
    offered = offer(made)
    lines = [line for line in offered.lines if line.participation.pk in set(participations)]
    if not lines or sum(line.minor for line in lines) != total_minor:
        raise NotNow(CHANGED)
    chosen = {line.participation.pk for line in lines}
    owed_too = [line.participation.pk for line in offered.lines] + [
        person.pk for person in offered.waiting
    ]
    payment = PanelPayment.objects.create(
        panel_study=made,
        currency=made.currency,
        total_minor=total_minor,
        left_out=sorted(set(owed_too) - chosen),
        by=by,
    )
    _hold_rows(payment, lines, now)
    log_step(payment, by, "reserved")
    return payment


def _hold_rows(payment: PanelPayment, lines: list[OfferedLine], now: datetime) -> None:
    rows = mark_as_paid(
        study=payment.panel_study.study,
        participations={line.participation.pk for line in lines},
        currency=payment.currency,
        covers=Covers.BEYOND_SESSION,
        now=now,
    )
    held = {line.participation.pk: Decimal() for line in lines}
    for row in rows:
        held[row.participation_id] += row.amount - row.by_panel
    in_minor = {person: minor_units(owed, payment.currency) for person, owed in held.items()}
    if in_minor != {line.participation.pk: line.minor for line in lines}:
        raise NotNow(CHANGED)
    stored = {
        line.participation.pk: PanelPaymentLine.objects.create(
            payment=payment,
            submission=line.submission,
            participation=line.participation,
            minor=line.minor,
        )
        for line in lines
    }
    PaidRow.objects.bulk_create(PaidRow(row=row, line=stored[row.participation_id]) for row in rows)


def set_up(*, payment: PanelPayment, client: Prolific) -> PanelPayment:
    """Announce the bonuses to Prolific, which pays nothing yet. Where Prolific counts another sum
    than this program, or refuses, the payment is given up and its rows are free again."""
    if payment.state != State.RESERVED:
        return payment
    lines = payment.lines.select_related("submission").order_by("pk")
    amounts = {
        line.submission.external_id: str(whole_units(line.minor, payment.currency))
        for line in lines
    }
    try:
        reply = client.set_up_bonuses(payment.panel_study.external_id, amounts)
    except ProlificError as error:
        _note(payment, State.RESERVED, problem=str(error)[:500])
        if isinstance(error, CallRefused) and not isinstance(error, TooLittleMoney):
            give_back(payment=payment, by=None)
        raise
    if round(reply.amount) != payment.total_minor:
        _note(payment, State.RESERVED, problem="Prolific counted another sum; nothing was paid.")
        give_back(payment=payment, by=None)
        raise NotNow("Prolific counted another sum than this program. Nothing was paid.")
    _prepared(payment, reply)
    return payment


def _prepared(payment: PanelPayment, reply: BonusReply) -> None:
    _note(
        payment,
        State.RESERVED,
        state=State.PREPARED,
        external_id=reply.id,
        fees_minor=round(reply.fees + reply.vat),
        cost_minor=round(reply.total_amount),
        problem="",
    )


@transaction.atomic
def give_back(*, payment: PanelPayment, by: User | None) -> None:
    """Give up a payment of which nothing was sent; what it held is owed as before."""
    unpaid = PanelPayment.objects.filter(pk=payment.pk, state__in=PanelPayment.UNPAID)
    if not unpaid.update(state=State.GIVEN_UP):
        raise NotNow("This payment may have been paid already, so it cannot be dropped.")
    release(payment)
    log_step(payment, by, "given_up")
    payment.refresh_from_db()


def release(payment: PanelPayment, at: datetime | None = None) -> None:
    """Let the rows of the lines that were not paid be owed again."""
    lines = payment.lines.filter(paid_at=None, released_at=None)
    held = PaidRow.objects.filter(line__in=lines)
    rows = list(held.values_list("row", flat=True))
    held.delete()
    LedgerRow.objects.filter(pk__in=rows).update(exported_at=None, by_panel=0)
    if at is not None:
        lines.update(released_at=at)


# --- Pay ----------------------------------------------------------------------------------------


def pay(
    *,
    payment: PanelPayment,
    expected_minor: int,
    by: User,
    client: Prolific,
    now: datetime,
) -> PanelPayment:
    """Pay what was set up, once. expected_minor: the cost, with fees, that the person confirmed.

    Whether it was paid is read afterwards. NotNow where another process pays it, another payment of
    the study is on its way, or the cost is another; TooLittleMoney before anything is sent.
    """
    payment.refresh_from_db()
    if payment.state != State.PREPARED:
        raise NotNow("This payment is not waiting to be paid.")
    if payment.cost_minor != expected_minor:
        raise NotNow("The total has changed since the page was loaded. Please look again.")
    _check_balance(payment, client)
    claim = _claim(payment, by, now)
    try:
        before = _bonuses(payment, client)
    except ProlificError as error:
        _mine(payment, State.CLAIMED, claim, state=State.PREPARED, problem=str(error)[:500])
        raise
    if payment.sent_at is not None and any_arrived(payment, before):
        # An earlier try was refused, and has paid all the same.
        _mine(payment, State.CLAIMED, claim, state=State.SENT)
        raise NotNow("Prolific shows bonuses of this payment already, so it was not sent again.")
    _mark_sent(payment, claim, before, now)
    _send(payment, claim, client)
    return payment


def any_arrived(payment: PanelPayment, bonuses: Mapping[int, Sequence[int]]) -> bool:
    """Whether a bonus of the payment is among these, by line, and was not there before."""
    return any(has_arrived(line, bonuses[line.pk]) for line in payment.lines.all())


def has_arrived(line: PanelPaymentLine, bonuses: Sequence[int]) -> bool:
    """Whether the submission has one more bonus of the line's amount than when it was sent."""
    return (Counter(bonuses) - Counter(line.before))[line.minor] > 0


def _check_balance(payment: PanelPayment, client: Prolific) -> None:
    balance, cost = client.balance(), payment.cost_minor
    if balance is None or cost is None or balance.available >= cost:
        return
    there = whole_units(balance.available, payment.currency)
    needed = whole_units(cost, payment.currency)
    raise TooLittleMoney(
        f"The Prolific account has {there} {payment.currency}, this payment costs {needed}."
    )


@transaction.atomic
def _claim(payment: PanelPayment, by: User, now: datetime) -> str:
    claim = new_token()
    prepared = PanelPayment.objects.filter(pk=payment.pk, state=State.PREPARED)
    try:
        with transaction.atomic():
            taken = prepared.update(state=State.CLAIMED, claim=claim, claimed_at=now, problem="")
    except IntegrityError:
        raise NotNow(
            "Another payment of this study is on its way. Wait until it is confirmed."
        ) from None
    if not taken:
        raise NotNow("Somebody else has just pressed this button. Look again in a moment.")
    log_step(payment, by, "confirmed_by_person")
    return claim


def _bonuses(payment: PanelPayment, client: Prolific) -> dict[int, list[int]]:
    """Line -> the bonuses that its submission has been paid, as Prolific says."""
    lines = list(payment.lines.select_related("submission").order_by("pk"))
    ids = [line.submission.external_id for line in lines]
    there = client.bonuses(payment.panel_study.external_id, ids)
    return {line.pk: list(there[line.submission.external_id]) for line in lines}


@transaction.atomic
def _mark_sent(
    payment: PanelPayment, claim: str, before: dict[int, list[int]], now: datetime
) -> None:
    """The point of no return: after this commit the payment counts as sent."""
    if not _mine(payment, State.CLAIMED, claim, state=State.SENT, sent_at=now):
        raise NotNow("This took too long, and the payment was taken back. Nothing was paid.")
    lines = list(payment.lines.all())
    for line in lines:
        line.before = before[line.pk]
    PanelPaymentLine.objects.bulk_update(lines, ["before"])


def _send(payment: PanelPayment, claim: str, client: Prolific) -> None:
    """The call that pays. Where it certainly paid nothing, a person may press again."""
    try:
        client.pay_bonuses(payment.external_id)
    except ProlificError as error:
        after = State.PREPARED if error.certain else State.SENT
        _mine(payment, State.SENT, claim, state=after, problem=str(error)[:500])
        raise


def _mine(payment: PanelPayment, before: str, claim: str, **fields: Any) -> int:
    """Change the payment if it is in that state and still belongs to this process."""
    changed = PanelPayment.objects.filter(pk=payment.pk, state=before, claim=claim).update(**fields)
    payment.refresh_from_db()
    return changed


def _note(payment: PanelPayment, before: str, **fields: Any) -> None:
    PanelPayment.objects.filter(pk=payment.pk, state=before).update(**fields)
    payment.refresh_from_db()


def log_step(payment: PanelPayment, by: User | None, step: str) -> None:
    """Note a step of the payment in the change log."""
    log_change(
        study=payment.panel_study.study,
        by=by,
        action=f"panel_payment.{step}",
        subject=str(payment.pk),
        detail={"total_minor": payment.total_minor, "currency": payment.currency},
    )
