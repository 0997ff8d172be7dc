"""Celery tasks about people's work."""

from celery import shared_task
from celery.utils.log import get_task_logger
from django.utils import timezone

from annotation.rights import retention, withdrawal
from annotation.work import leases

logger = get_task_logger(__name__)


@shared_task
def release_expired_leases() -> int:
    """Every half minute: release the places of leases that have run out."""
    return leases.release_expired_leases(now=timezone.now())


@shared_task
def erase_withdrawn() -> int:
    """Every ten minutes: erase for good what withdrawals have set aside long enough ago."""
    return withdrawal.erase_due(now=timezone.now())


@shared_task
def erase_expired() -> None:
    """Every night: erase the identifiers and drafts whose time is over."""
    logger.info("erased: %s", retention.erase_expired(now=timezone.now()))
