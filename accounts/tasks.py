"""Celery tasks of accounts."""

from celery import shared_task

from accounts.signing_in import passwords


@shared_task
def mail_reset_links(email: str, site: str) -> int:
    """Mail links to a new password. The message holds an address and no account's number, since
    whether there is one is looked up here, where nobody can measure how long it takes."""
    return passwords.mail_reset_links(email=email, site=site)
