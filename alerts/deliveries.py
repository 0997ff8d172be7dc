"""Sending the messages that are due, each at least once, and trying again where that may help.

A worker takes a message by moving its time of the next try into the future. If the worker is killed
before it has recorded what became of it, that time passes and the message is sent again, under the
same key: it may arrive twice, and is never lost.
"""

import random
import smtplib
import time
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from django.core.mail import EmailMessage
from django.db.models import F
from django.utils import timezone

from alerts import webhooks
from alerts.events import name_of
from alerts.models import Delivery, Webhook
from alerts.texts import body_of, subject_of, text_of
from alerts.webhooks import Outcome

Channel, State = Delivery.Channel, Delivery.State
# For how long a message belongs to the worker that took it: longer than any try.
TAKEN = timedelta(minutes=2)
TRIES = 8
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=30), timedelta(hours=1)
# The newest messages of a study that are kept in its list.
KEPT = timedelta(days=90)
AT_ONCE = 50
# A task begins no other message after so many seconds: it is not to keep its worker from the rest.
BUSY = 30.0


def send_due(*, now: datetime | None = None, only: int | None = None) -> int:
    """Send the messages that are due, as far as that takes half a minute; how many were tried.
    only: the key of the one to send."""
    due = Delivery.objects.due(now or timezone.now())
    if only is not None:
        due = due.filter(pk=only)
    keys = list(due.order_by("next_at").values_list("pk", flat=True)[:AT_ONCE])
    end_at = time.monotonic() + BUSY
    in_time = takewhile(lambda _: time.monotonic() < end_at, keys)
    return sum(_send(key, now or timezone.now()) for key in in_time)


def _send(key: int, now: datetime) -> bool:
    """Take a message, send it and record what became of it; False where another worker has it."""
    taken = Delivery.objects.due(now).filter(pk=key)
    if not taken.update(next_at=now + TAKEN, tries=F("tries") + 1):
        return False
    rows = Delivery.objects.select_related("study", "alert", "member__user")
    delivery = rows.filter(pk=key).first()
    if delivery is None:  # the member was taken out just now, or the study deleted
        return False
    by_email = delivery.channel == Channel.EMAIL
    outcome = _mail(delivery) if by_email else _post(delivery, now)
    _record(delivery, outcome, timezone.now())
    return True


def _record(delivery: Delivery, outcome: Outcome, now: datetime) -> None:
    fields: dict[str, Any] = {"status": outcome.status, "problem": outcome.problem[:200]}
    if not outcome.problem:
        fields |= {"state": State.SENT, "ended_at": now, "next_at": None}
    elif not outcome.again or delivery.tries >= TRIES:
        fields |= {"state": State.FAILED, "ended_at": now, "next_at": None}
    else:
        fields |= {"next_at": now + wait_after(delivery.tries)}
    # Not where another worker has taken it over meanwhile.
    mine = Delivery.objects.filter(pk=delivery.pk, state=State.WAITING, tries=delivery.tries)
    mine.update(**fields)


def wait_after(tries: int) -> timedelta:
    """How long to wait after so many tries: twice as long each time, up to an hour, and by chance
    half to one and a half of that, so that many messages do not come back at once."""
    wait: timedelta = min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT)
    return wait * random.uniform(0.5, 1.5)  # noqa: S311 (jitter, no secret)


def _post(delivery: Delivery, now: datetime) -> Outcome:
    webhook = Webhook.objects.filter(study=delivery.study_id).first()
    if webhook is None:
        return Outcome(None, "the webhook was removed")
    key, body = str(delivery.key), body_of(delivery)
    event = name_of(delivery.event)
    return webhooks.post(webhook=webhook, body=body, key=key, event=event, now=now)


def _mail(delivery: Delivery) -> Outcome:
    member = delivery.member
    address = "" if member is None else member.user.email
    if not address:
        return Outcome(None, "the member has no e-mail address")
    message = EmailMessage(
        subject_of(delivery),
        text_of(delivery),
        to=[address],
        headers={"Message-ID": f"<{delivery.key}@jurybox>", "Auto-Submitted": "auto-generated"},
    )
    try:
        message.send()
    except smtplib.SMTPRecipientsRefused:
        return Outcome(None, "the mail server refuses the address")
    except smtplib.SMTPResponseException as error:
        # 4xx says "later", 5xx "never" (RFC 5321, 4.2.1). The text may hold addresses.
        text = f"the mail server answered with {error.smtp_code}"
        return Outcome(error.smtp_code, text, again=error.smtp_code < 500)
    except (smtplib.SMTPException, OSError) as error:
        return Outcome(None, f"the mail server is away: {type(error).__name__}", again=True)
    return Outcome(None, "")


def forget_old(*, now: datetime) -> int:
    """Remove messages that were sent or given up long ago; how many."""
    old = Delivery.objects.filter(ended_at__lt=now - KEPT)
    return old.delete()[0]
