"""Celery tasks of accounts."""

from typing import Any

from celery import shared_task

from accounts import mails
from accounts.signing_in import passwords

# A mail server may be away for up to an hour.
TRIES: Any = {
    "autoretry_for": (mails.NotYetTaken,),
    "retry_backoff": 30,
    "retry_backoff_max": 900,
    "max_retries": 8,
}


@shared_task(**TRIES)
def mail(address: str, name: str, context: dict[str, Any]) -> bool:
    """Send a mail about an account. Whether the mail server took it."""
    return mails.deliver(address, name, **context)


@shared_task(**TRIES)
def mail_reset_links(email: str, site: str) -> int:
    """Mail links to a new password. The message holds an address and no account's number, since
    whether there is one is looked up here, where nobody can measure how long it takes."""
    return passwords.mail_reset_links(email=email, site=site)
