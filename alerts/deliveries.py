"""Sending messages: each is a job, sent at least once, and tried again where that may help.

If a worker is killed before it has recorded what became of a message, another sends it again, under
the same key: it may arrive twice, and is never lost.
"""

import random
from datetime import datetime, timedelta
from smtplib import SMTPException
from typing import Any

from django.utils import timezone

from accounts.mails import compose, refusal_of
from alerts import webhooks
from alerts.announcements import KIND
from alerts.events import name_of
from alerts.models import Delivery, Webhook
from alerts.texts import body_of, subject_of, text_of
from alerts.webhooks import PostOutcome
from jobs.kinds import JobFailed, JobPostponed, Kind
from jobs.models import Job
from jobs.reports import Report

FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=30), timedelta(hours=1)


class Message(Kind):
    """One message to one recipient. The `Delivery` of the job says what to whom, and goes when the
    job is forgotten."""

    name, title, is_once, waits = KIND, "Message", False, True
    # There may be one each minute. They have lists of their own, where an owner sends them again.
    is_listed, repeats = False, True

    def run(self, job: Job, report: Report) -> dict[str, Any]:
        """Send it once."""
        rows = Delivery.objects.select_related("study", "owner", "alert", "member__user", "job")
        delivery = rows.filter(job=job).first()
        if delivery is None:  # the member was taken out
            return {}
        by_email = delivery.channel == Delivery.Channel.EMAIL
        outcome = _mail(delivery) if by_email else _post(delivery, timezone.now())
        Delivery.objects.filter(pk=delivery.pk).update(status=outcome.status)
        if outcome.again:
            until = timezone.now() + wait_after(delivery.tries)
            raise JobPostponed(outcome.problem, until=until)
        if outcome.problem:
            raise JobFailed(outcome.problem)
        return {}


MESSAGE = Message()


def wait_after(tries: int) -> timedelta:
    """How long to wait after so many tries: twice as long each time, up to an hour, and by chance
    half to one and a half of that, so that many messages do not come back at once."""
    wait: timedelta = min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT)
    return wait * random.uniform(0.5, 1.5)  # noqa: S311 (jitter, no secret)


def _post(delivery: Delivery, now: datetime) -> PostOutcome:
    webhook = Webhook.objects.of(delivery.listener).first()
    if webhook is None:
        return PostOutcome(None, "the webhook was removed")
    study = delivery.study
    if study is not None and webhook not in Webhook.objects.hearing_of(study):
        return PostOutcome(None, "the account no longer owns the study")
    key, body = str(delivery.key), body_of(delivery)
    event = name_of(delivery.event)
    return webhooks.post(webhook=webhook, body=body, key=key, event=event, now=now)


def _mail(delivery: Delivery) -> PostOutcome:
    member = delivery.member
    address = "" if member is None else member.user.email
    if not address:
        return PostOutcome(None, "the member has no e-mail address")
    try:
        compose(address, subject_of(delivery), text_of(delivery), delivery.key).send()
    except (SMTPException, OSError) as error:
        return PostOutcome(*refusal_of(error))
    return PostOutcome(None, "")
