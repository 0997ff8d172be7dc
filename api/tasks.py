"""Celery tasks of the API."""

from celery import shared_task
from django.utils import timezone

from api import tokens


@shared_task
def forget_old_writes() -> int:
    """Every night: remove what is remembered of writes that nobody repeats any more."""
    return tokens.forget_old_writes(now=timezone.now())
