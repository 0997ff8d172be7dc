"""Decisions about submissions at Prolific: approve, reject, ask for a return.

A decision is a row first (`intended`), then marked as sent, then sent, then confirmed by reading
the submission. A process that dies in between leaves a row that says how far it came. Prolific
documents approving and rejecting as idempotent: what was sent and is not to be seen there after a
while is sent again. A request to return writes to the participant each time, so it never is.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from annotation.models import (
    PanelDecision,
    PanelStudy,
    PanelSubmission,
    SubmissionStatus,
    User,
    log_change,
)
from annotation.models.links import new_token
from annotation.panels.prolific_api.client import Prolific
from annotation.panels.prolific_api.errors import ProlificError, RateLimited, Unreachable
from recruitment.publication import NotNow

Kind, State, Status = PanelDecision.Kind, PanelDecision.State, SubmissionStatus

# What Prolific wants of a message to somebody whose submission is rejected.
SHORTEST_MESSAGE = 100
LONGEST_MESSAGE = 2_000
# How many are approved by one call, and how often a decision is sent altogether.
AT_ONCE = 100
TRIES = 3
# For so long a decision may be on its way.
PATIENCE = timedelta(minutes=10)

# Where a submission stands once a decision has arrived.
ARRIVED: dict[str, tuple[str, ...]] = {
    Kind.APPROVE: (Status.APPROVED, Status.PARTIALLY_APPROVED),
    Kind.REJECT: (Status.REJECTED,),
    Kind.ASK_RETURN: (Status.RETURNED,),
}
# Where it can no longer be decided about.
FINAL = (
    Status.APPROVED,
    Status.PARTIALLY_APPROVED,
    Status.REJECTED,
    Status.RETURNED,
    Status.SCREENED_OUT,
)


class Category(TextChoices):
    """Why a submission is rejected, in Prolific's words."""

    TOO_QUICKLY = "TOO_QUICKLY", _("Exceptionally fast")
    TOO_SLOWLY = "TOO_SLOWLY", _("Too slow")
    FAILED_INSTRUCTIONS = "FAILED_INSTRUCTIONS", _("Did not follow the instructions")
    INCOMP_LONGITUDINAL = "INCOMP_LONGITUDINAL", _("Did not complete all parts")
    FAILED_CHECK = "FAILED_CHECK", _("Failed fair attention checks")
    LOW_EFFORT = "LOW_EFFORT", _("Little effort throughout")
    MALINGERING = "MALINGERING", _("Lied about being eligible")
    NO_CODE = "NO_CODE", _("No completion code")
    BAD_CODE = "BAD_CODE", _("Wrong completion code")
    NO_DATA = "NO_DATA", _("No answers arrived")
    UNSUPP_DEVICE = "UNSUPP_DEVICE", _("Unsupported device")
    OTHER = "OTHER", _("Another reason")


@transaction.atomic
def intend(
    *,
    submissions: Collection[PanelSubmission],
    kind: PanelDecision.Kind,
    by: User,
    category: str = "",
    message: str = "",
) -> list[PanelDecision]:
    """Write decisions down; nothing is sent yet. Submissions that are decided about already, or no
    longer wait for a review, are left out. NotNow where a rejection lacks what it needs."""
    _check_reason(kind, category, message)
    keys = [submission.pk for submission in submissions]
    waiting = PanelSubmission.objects.filter(pk__in=keys, status=Status.REVIEW).order_by("pk")
    waiting = waiting.exclude(decisions__state__in=(State.INTENDED, State.SENT))
    try:
        with transaction.atomic():
            decisions = [
                PanelDecision.objects.create(
                    submission=submission, kind=kind, category=category, message=message, by=by
                )
                for submission in waiting.select_related("panel_study__study")
            ]
    except IntegrityError:
        raise NotNow("Somebody else has just decided about one of these. Look again.") from None
    if decisions:
        log_change(
            study=decisions[0].submission.panel_study.study,
            by=by,
            action=f"panel.{kind}",
            detail={"submissions": len(decisions), "category": category},
        )
    return decisions


def _check_reason(kind: str, category: str, message: str) -> None:
    if kind != Kind.REJECT:
        return
    if category not in Category.values:
        raise NotNow("Choose one of Prolific's reasons for the rejection.")
    if len(message.strip()) < SHORTEST_MESSAGE:
        raise NotNow(f"Prolific wants at least {SHORTEST_MESSAGE} characters of explanation.")


def send(decisions: Iterable[PanelDecision], *, client: Prolific, now: datetime) -> None:
    """Send what was not sent yet. Of two processes one sends each decision. Raises the last
    ProlificError after the others have been tried; every row says what happened to it."""
    keys = [decision.pk for decision in decisions]
    claim = new_token()
    intended = PanelDecision.objects.filter(pk__in=keys, state=State.INTENDED)
    intended.update(state=State.SENT, claim=claim, sent_at=now, problem="")
    mine = PanelDecision.objects.filter(claim=claim).select_related("submission").order_by("pk")
    rows, error = list(mine), None
    approvals = [row for row in rows if row.kind == Kind.APPROVE]
    others = [[row] for row in rows if row.kind != Kind.APPROVE]
    for batch in [*_batches(approvals), *others]:
        try:
            _send(batch, client)
        except ProlificError as problem:
            error = problem
            _note_failure(batch, problem, now)
    if error is not None:
        raise error


def _batches(rows: Sequence[PanelDecision]) -> list[Sequence[PanelDecision]]:
    return [rows[start : start + AT_ONCE] for start in range(0, len(rows), AT_ONCE)]


def _send(batch: Sequence[PanelDecision], client: Prolific) -> None:
    first, ids = batch[0], [row.submission.external_id for row in batch]
    if first.kind == Kind.APPROVE:
        client.approve(ids)
    elif first.kind == Kind.REJECT:
        client.reject(ids[0], category=first.category, message=first.message)
    else:
        client.ask_to_return(ids[0], reason=first.message)


def _note_failure(batch: Sequence[PanelDecision], error: ProlificError, now: datetime) -> None:
    """Uncertain ones stay sent, and are looked for. Where Prolific only asked to wait they may be
    sent again; what it refused has failed."""
    said = str(error)[:500]
    if not error.certain:
        _change(batch, State.SENT, problem=said)
    elif isinstance(error, RateLimited | Unreachable):
        _change(batch, State.SENT, state=State.INTENDED, problem=said)
    else:
        _change(batch, State.SENT, state=State.FAILED, problem=said, ended_at=now)


def _change(batch: Sequence[PanelDecision], before: str, **fields: Any) -> None:
    keys = [row.pk for row in batch]
    PanelDecision.objects.filter(pk__in=keys, state=before).update(**fields)


def settle(*, made: PanelStudy, now: datetime) -> None:
    """Compare what was sent with the submissions as they were just read."""
    sent = PanelDecision.objects.filter(submission__panel_study=made, state=State.SENT)
    for decision in sent.select_related("submission"):
        fields = _outcome(decision, now)
        if fields:
            _change([decision], State.SENT, **fields)


def _outcome(decision: PanelDecision, now: datetime) -> dict[str, Any]:
    """What changes in a decision that was sent; nothing while it may be on its way."""
    submission = decision.submission
    if submission.status in ARRIVED[decision.kind]:
        return {"state": State.CONFIRMED, "ended_at": now, "problem": ""}
    if decision.kind == Kind.ASK_RETURN and submission.return_asked_at:
        return {"state": State.CONFIRMED, "ended_at": now, "problem": ""}
    if submission.status in FINAL:
        other = f"At Prolific it is “{submission.status.lower()}” instead."
        return {"state": State.FAILED, "ended_at": now, "problem": other}
    if decision.sent_at is None or now - decision.sent_at < PATIENCE:
        return {}
    if decision.kind == Kind.ASK_RETURN or decision.tries + 1 >= TRIES:
        lost = "It was sent, but does not appear at Prolific. Check there."
        return {"state": State.FAILED, "ended_at": now, "problem": lost}
    return {"state": State.INTENDED, "tries": decision.tries + 1}


def waiting(made: PanelStudy) -> list[PanelDecision]:
    """Decisions that are written down and not sent: a process died, or Prolific asked to wait."""
    rows = PanelDecision.objects.filter(submission__panel_study=made, state=State.INTENDED)
    return list(rows.order_by("pk"))
