"""Celery tasks of making studies."""

from celery import shared_task
from django.utils import timezone

from set_up.new_study import drafts


@shared_task
def forget_old_drafts() -> int:
    """Every night: remove studies that were begun and given up, and uploads that nothing uses."""
    return drafts.forget_old_drafts(now=timezone.now())
