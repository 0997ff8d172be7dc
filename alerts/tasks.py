"""Celery tasks of alerts and messages."""

from celery import shared_task
from django.utils import timezone

from alerts import checks, feeds, webhooks


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
def watch_feeds() -> int:
    """Every minute: look for events that webhooks are told of, for each in a task of its own, so
    that one that fails stops no other."""
    keys = feeds.webhooks_with_feeds()
    for key in keys:
        collect_events.apply_async((key,), expires=60)
    return len(keys)


@shared_task
def collect_events(webhook_id: int) -> int:
    """Tell one webhook what happened; how many messages that makes."""
    return len(feeds.collect_events(webhook_id=webhook_id, now=timezone.now()))


@shared_task
def forget_old_secrets() -> int:
    """Every night: remove secrets that no longer sign messages."""
    return webhooks.forget_old_secrets(now=timezone.now())
