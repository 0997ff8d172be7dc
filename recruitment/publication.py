"""Make the study at Prolific as a draft, publish it, pause it and stop it."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction

from annotation.models import PanelStudy, Study, User, log_change
from annotation.panels.prolific_api.client import Prolific
from annotation.panels.prolific_api.errors import ProlificError, TooLittleMoney
from annotation.panels.prolific_api.money import whole_units
from annotation.panels.prolific_api.shapes import BalanceReply, StudyReply, StudyStatus
from annotation.pay.spending import spent_and_promised

State = PanelStudy.State
PANEL = "prolific"

# For so long an answer that has not come may still come; then the other side is asked.
PATIENCE = timedelta(minutes=2)

# What may be done with a study there, by where it stands.
MOVES: dict[str, tuple[str, ...]] = {
    StudyStatus.DRAFT: ("PUBLISH",),
    StudyStatus.SCHEDULED: ("STOP",),
    StudyStatus.ACTIVE: ("PAUSE", "STOP"),
    StudyStatus.PAUSED: ("START", "STOP"),
}
# Where a study stands after a move. Publishing takes a while.
AFTER: dict[str, tuple[str, ...]] = {
    "PUBLISH": (StudyStatus.PUBLISHING, StudyStatus.ACTIVE, StudyStatus.SCHEDULED),
    "PAUSE": (StudyStatus.PAUSED,),
    "START": (StudyStatus.ACTIVE,),
    "STOP": (StudyStatus.REVIEW, StudyStatus.COMPLETED),
}


class NotNow(Exception):
    """Something cannot be done as things stand; the message says why, in plain words."""


def make_draft(
    *,
    study: Study,
    body: Mapping[str, Any],
    key: str,
    by: User,
    client: Prolific,
    now: datetime,
) -> PanelStudy:
    """Make the study at Prolific as a draft. The same key never makes two.

    NotNow where another one is being made. After a crash `finish_draft` finds what was made.
    """
    made = _intend(study, body, key, by)
    if made.state == State.INTENDED:
        send_draft(made, client=client, now=now)
    return made


def _intend(study: Study, body: Mapping[str, Any], key: str, by: User) -> PanelStudy:
    try:
        with transaction.atomic():
            made, created = PanelStudy.objects.get_or_create(
                key=key, defaults={"study": study, "panel": PANEL, "body": dict(body), "by": by}
            )
            if created:
                log_change(study=study, by=by, action="panel.draft", detail={"panel": PANEL})
    except IntegrityError:
        raise NotNow("A study is being made at Prolific already. Look again in a moment.") from None
    if made.study_id != study.pk:
        raise NotNow("This form belongs to another study. Please load the page again.")
    return made


def send_draft(made: PanelStudy, *, client: Prolific, now: datetime) -> None:
    """Send a draft that was not sent yet; of two processes one does."""
    claimed = PanelStudy.objects.filter(pk=made.pk, state=State.INTENDED)
    if not claimed.update(state=State.SENT, sent_at=now, problem=""):
        made.refresh_from_db()
        return
    try:
        reply = client.create_study(made.body)
    except ProlificError as error:
        after = State.INTENDED if error.certain else State.SENT
        _update(made, state=after, problem=str(error)[:500])
        raise
    _adopt(made, reply)


def finish_draft(made: PanelStudy, *, client: Prolific, now: datetime) -> None:
    """Look at Prolific for a draft whose answer was lost, by its internal name. What is not there
    was not made: it may be sent again."""
    if made.state != State.SENT or made.sent_at is None or now - made.sent_at < PATIENCE:
        return
    there = next((row for row in client.drafts() if row.internal_name.endswith(made.key)), None)
    if there is not None:
        _adopt(made, there)
    else:
        lost = "The draft did not arrive at Prolific. It can be sent again."
        _update(made, state=State.INTENDED, problem=lost)


def _adopt(made: PanelStudy, reply: StudyReply) -> None:
    _update(made, state=State.MADE, external_id=reply.id, problem="")
    note(made, reply)


def note(made: PanelStudy, reply: StudyReply) -> None:
    """Store what Prolific says about the study."""
    cost = None if reply.total_cost is None else round(reply.total_cost)
    made.status, made.cost_minor, made.places_taken = reply.status, cost, reply.places_taken
    made.currency = reply.currency[:3].upper()
    made.save(update_fields=["status", "cost_minor", "places_taken", "currency"])


def _update(made: PanelStudy, **fields: Any) -> None:
    PanelStudy.objects.filter(pk=made.pk, state=State.SENT).update(**fields)
    made.refresh_from_db()


@transaction.atomic
def give_up(*, made: PanelStudy, by: User) -> None:
    """Drop a draft that was never sent."""
    dropped = PanelStudy.objects.filter(pk=made.pk, state=State.INTENDED)
    if not dropped.update(state=State.GIVEN_UP):
        raise NotNow("This draft has been sent. Delete it at Prolific.")
    log_change(study=made.study, by=by, action="panel.draft_dropped")


# --- Publishing, pausing, stopping ------------------------------------------------------------


def moves(made: PanelStudy) -> tuple[str, ...]:
    """What may be done with it as it was read last."""
    return MOVES.get(made.status, ()) if made.state == State.MADE else ()


def move(
    *,
    made: PanelStudy,
    action: str,
    by: User,
    client: Prolific,
    expected_cost: int | None = None,
) -> PanelStudy:
    """PUBLISH, PAUSE, START or STOP. Reads first: what has been done is not done again.

    expected_cost: the cost in the minor unit that the person saw; NotNow where it is another now,
    and TooLittleMoney where the account has less.
    """
    if action not in AFTER or made.state != State.MADE:
        raise NotNow("There is no such step for this study.")
    note(made, client.study(made.external_id))
    if made.status in AFTER[action]:
        return made
    if action not in moves(made):
        raise NotNow(f"At Prolific the study is “{made.status.lower()}”: this is not possible now.")
    if action == "PUBLISH":
        _check_publishing(made, client, expected_cost)
    log_change(
        study=made.study,
        by=by,
        action=f"panel.{action.lower()}",
        subject=str(made.pk),
        detail={"cost_minor": made.cost_minor, "currency": made.currency},
    )
    client.move_study(made.external_id, action)
    note(made, client.study(made.external_id))
    return made


def cost_now(made: PanelStudy, client: Prolific) -> BalanceReply | None:
    """Read what the study costs now, and what the account holds, where Prolific tells."""
    note(made, client.study(made.external_id))
    return client.balance()


def _check_publishing(made: PanelStudy, client: Prolific, expected_cost: int | None) -> None:
    if made.study.state != Study.State.OPEN:
        raise NotNow("Open the study here first: people from Prolific could not start.")
    check_currency(made)
    _check_budget(made)
    if made.cost_minor != expected_cost:
        raise NotNow("The cost has changed since the page was loaded. Please look at it again.")
    balance = client.balance()
    if balance is not None and made.cost_minor is not None and balance.available < made.cost_minor:
        needed = whole_units(made.cost_minor, made.currency)
        there = whole_units(balance.available, made.currency)
        raise TooLittleMoney(
            f"The Prolific account has {there} {made.currency}, the study costs {needed}."
        )


def _check_budget(made: PanelStudy) -> None:
    """NotNow where the rewards of all places are more than what is left of the study's budget."""
    budget = made.study.budget.get("amount")
    if budget is None or not made.currency:
        return
    rewards = whole_units(made.reward_minor * made.places, made.currency)
    left = Decimal(str(budget)) - spent_and_promised(made.study)
    if rewards > left:
        raise NotNow(
            f"The rewards of all places are {rewards} {made.currency}, but {max(left, 0)} are left "
            "of the study's budget. Raise the budget, or ask for fewer places."
        )


def check_currency(made: PanelStudy) -> None:
    """NotNow where Prolific pays in another currency than the study."""
    round_ = made.study.rounds.first()
    if made.currency and round_ is not None and made.currency != round_.currency:
        raise NotNow(
            f"The Prolific account pays in {made.currency}, but the study in {round_.currency}."
        )
