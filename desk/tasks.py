"""Celery tasks of the researchers' side."""

from celery import shared_task
from django.utils import timezone

from desk.set_up.new_study import drafts
from desk.studies import tryouts


@shared_task
def end_old_tryouts() -> int:
    """Every night: remove the copies in which researchers tried a study out before today."""
    return tryouts.end_old_tryouts(now=timezone.now())


@shared_task
def forget_old_drafts() -> int:
    """Every night: remove studies that were begun and given up, and uploads that nothing uses."""
    return drafts.forget_old_drafts(now=timezone.now())
