"""Celery tasks of alerts and messages."""

from celery import shared_task
from django.utils import timezone

from alerts import checks, deliveries, feeds, webhooks


@shared_task
def watch_studies() -> int:
    """Every five minutes: look after each study that is open, in a task of its own, so that one
    that fails stops no other."""
    keys = checks.studies_to_watch(timezone.now())
    for key in keys:
        check_alerts.apply_async((key,), expires=300)
    return len(keys)


@shared_task
def check_alerts(study_id: int) -> int:
    """Open and end the alerts of one study; how many were opened."""
    return len(checks.check_study(study_id=study_id, now=timezone.now()))


@shared_task
def send_messages() -> int:
    """Every minute: send the messages that are due, and look for more events, for each study in a
    task of its own, so that one that fails stops no other."""
    for key in feeds.studies_with_feeds():
        collect_events.apply_async((key,), expires=60)
    return deliveries.send_due()


@shared_task
def collect_events(study_id: int) -> int:
    """Tell the webhook of one study what happened in it; how many messages that makes."""
    made = feeds.collect_events(study_id=study_id, now=timezone.now())
    if made:
        deliveries.send_due()
    return len(made)


@shared_task
def send_message(delivery_id: int) -> int:
    """Send one message about alerts, if it is due."""
    return deliveries.send_due(only=delivery_id)


@shared_task
def forget_old_messages() -> int:
    """Every night: remove messages that were sent or given up long ago, and secrets that no longer
    sign any."""
    webhooks.forget_old_secrets(now=timezone.now())
    return deliveries.forget_old(now=timezone.now())
