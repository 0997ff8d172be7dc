"""Celery tasks of the researchers' side."""

from celery import shared_task
from django.utils import timezone

from desk.accounts import passwords
from desk.new_study import drafts
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
def mail_reset_links(email: str, site: str) -> int:
    """Mail links to a new password. The message holds an address and no account's number, since
    whether there is one is looked up here, where nobody can measure how long it takes."""
    return passwords.mail_reset_links(email=email, site=site)
