"""Messages about an alert: one for each recipient, sent by a worker."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import uuid4

from django.conf import settings

from alerts.events import name_of
from alerts.models import Alert, Delivery, Listener, Subscription, Webhook
from annotation.models import Study, User
from jobs.kinds import kinds
from jobs.queue import ask

Channel, Event = Delivery.Channel, Delivery.Event
BETWEEN_TESTS = timedelta(minutes=1)
# The kind of job that sends a message.
KIND = "delivery"


def announce(*, alert: Alert, event: Delivery.Event, now: datetime) -> list[Delivery]:
    """Messages for all members who want them by e-mail, for the study's webhook and for those of
    the accounts that own it. To be called in the transaction that opens or ends the alert, so that
    there is no one without the other."""
    study = alert.study
    rows = [
        delivery(study=study, alert=alert, event=event, now=now, member=subscription.member_id)
        for subscription in _subscriptions(study)
        if alert.kind not in subscription.without
    ]
    rows += [
        delivery(study=study, alert=alert, event=event, now=now, owner=hook.owner)
        for hook in Webhook.objects.hearing_of(study).select_related("owner")
        if name_of(event) in hook.chosen
    ]
    return send(rows)


def send(rows: Iterable[Delivery]) -> list[Delivery]:
    """Store messages, each with the job that sends it when the transaction commits."""
    sent = []
    for row in rows:
        row.job = ask(kinds()[KIND], study=row.study, parameters={"key": str(row.key)})
        row.save()
        sent.append(row)
    return sent


def _subscriptions(study: Study) -> list[Subscription]:
    if not settings.EMAIL_ENABLED:
        return []
    wanted = Subscription.objects.filter(member__study=study, by_email=True)
    return list(wanted.exclude(member__user__email="").order_by("pk"))


def delivery(
    *,
    study: Study | None,
    event: Delivery.Event,
    now: datetime,
    alert: Alert | None = None,
    member: int | None = None,
    owner: User | None = None,
) -> Delivery:
    """An unsaved message: to a member by e-mail, or without one to the webhook of the account, or
    of the study."""
    return Delivery(
        study=study,
        owner=owner,
        alert=alert,
        channel=Channel.WEBHOOK if member is None else Channel.EMAIL,
        event=event,
        member_id=member,
        key=uuid4(),
        made_at=now,
    )


def was_tested(*, of: Listener, now: datetime, member: int | None = None) -> bool:
    """Whether a test message was sent there a moment ago. Nobody has shown that they read an
    address before its first message: a button that sends as often as it is pressed would fill
    others' mailboxes."""
    tests = Delivery.objects.of(of).filter(event=Event.TEST, made_at__gt=now - BETWEEN_TESTS)
    return tests.filter(member=member).exists()


def announce_test(*, of: Listener, now: datetime, member: int | None = None) -> Delivery:
    """A test message to a member by e-mail, or without one to the webhook."""
    row = delivery(study=None, event=Event.TEST, now=now, member=member)
    row.listener = of
    return send([row])[0]
