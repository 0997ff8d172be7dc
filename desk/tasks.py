"""Celery tasks of the researchers' side."""

from celery import shared_task
from django.utils import timezone

from desk.new_study import drafts
from desk.recruitment import refresh
from desk.studies import tryouts


# The old name, since messages with it may still wait in a queue.
@shared_task(name="annotation.tasks.end_old_tryouts")
def end_old_tryouts() -> int:
    """Every night: remove the copies in which researchers tried a study out before today."""
    return tryouts.end_old_tryouts(now=timezone.now())


@shared_task
def forget_old_drafts() -> int:
    """Every night: remove studies that were begun and given up, and uploads that nothing uses."""
    return drafts.forget_old_drafts(now=timezone.now())


@shared_task
def read_panels() -> int:
    """Every five minutes: read the submissions of studies at Prolific, and what became of what was
    sent there."""
    return refresh.refresh_all(now=timezone.now())
