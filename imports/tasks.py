"""Celery tasks of imports."""

from celery import shared_task
from django.utils import timezone

from imports.studies import unfinished


@shared_task
def remove_abandoned() -> int:
    """Every night: remove what imports that were killed have left; how many studies."""
    return unfinished.remove_abandoned(now=timezone.now())
