"""Celery tasks of the researchers' side."""

from celery import shared_task
from django.utils import timezone

from desk.installation.health import faults
from desk.studies import tryouts


@shared_task
def end_old_tryouts() -> int:
    """Every night: remove the copies in which researchers tried a study out before today."""
    return tryouts.end_old_tryouts(now=timezone.now())


@shared_task
def forget_old_faults() -> None:
    """Every night: forget errors of more than a month ago."""
    faults.forget_old_faults(now=timezone.now())
