"""Periodic tasks of estimates, each a call of a function elsewhere."""

from celery import shared_task

from estimates.report import recount


@shared_task
def count_unseen() -> None:
    """Every five minutes: count studies that nobody needs to look at."""
    recount.count_unseen()


@shared_task
def renew_outdated() -> None:
    """Every night: drop or recount what is kept of answers that have changed."""
    recount.renew_outdated()
