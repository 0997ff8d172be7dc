"""Passwords: changing one, and links to a new one for who has forgotten theirs."""

from collections.abc import Iterator
from datetime import timedelta

from celery import current_app
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from kombu.exceptions import OperationalError

from accounts.mails import deliver, mail_in_background
from accounts.signing_in.sessions import end_sessions
from annotation.models import User
from annotation.models.changes import Change, account_subject, log_change

TASK = "accounts.tasks.mail_reset_links"
PATIENCE_SECONDS = 3600
ASKED, PAUSE = "account.reset_asked", timedelta(minutes=5)


def ask_for_reset_links(*, email: str, site: str) -> bool:
    """Let a worker look for accounts with this address and mail them links, so that nobody can
    measure whether there are any. Whether the broker took the message."""
    try:
        current_app.send_task(TASK, args=[email, site], retry=False, expires=PATIENCE_SECONDS)
    except OperationalError:
        return False
    return True


def reset_path(user: User) -> str:
    """The address of a page that sets a new password, for a day and until it was used."""
    number = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("desk:new-password", args=[number, default_token_generator.make_token(user)])


@transaction.atomic
def make_reset_path(*, user: User, by: User | None) -> str:
    """A link to a new password, made by the operator for somebody who cannot get it by e-mail."""
    log_change(study=None, by=by, action="account.reset_link_made", subject=account_subject(user))
    return reset_path(user)


def mail_reset_links(*, email: str, site: str) -> int:
    """Mail a link to each account with this address that was sent none a moment ago. How many; the
    page that asked is never told. NotYetTaken where the mail server may take one later.

    site: scheme and host, as `https://jurybox.example.org`.
    """
    recent = Change.objects.filter(study=None, action=ASKED, at__gt=timezone.now() - PAUSE)
    asked = set(recent.values_list("subject", flat=True))
    users = [user for user in _accounts_at(email) if account_subject(user) not in asked]
    return sum(_mail_link(user, site + reset_path(user)) for user in users)


def _mail_link(user: User, link: str) -> bool:
    if not deliver(user.email, "new_password", user=user.get_username(), link=link):
        return False
    log_change(study=None, by=None, action=ASKED, subject=account_subject(user))
    return True


def _accounts_at(email: str) -> Iterator[User]:
    """Compared twice: a database may take letters for one another that a mail server does not."""
    for user in User.objects.filter(email__iexact=email, is_active=True).exclude(email=""):
        if user.email.casefold() == email.casefold():
            yield user


@transaction.atomic
def after_new_password(*, user: User, keep: str | None = None) -> None:
    """End the account's other sessions, and tell its owner."""
    end_sessions(user=user, keep=keep)
    log_change(study=None, by=user, action="account.password_set", subject=account_subject(user))
    mail_in_background(user.email, "password_changed", user=user.get_username())
