"""E-mail addresses of accounts: one takes effect when a link that was sent to it is opened."""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.urls import reverse

from accounts.mails import mail_in_background
from accounts.site import address_of
from annotation.models import User
from annotation.models.changes import account_subject, log_change

SALT = "desk.accounts.addresses"
LINK_SECONDS = 3 * 24 * 3600


class NotConfirmed(Exception):
    """The link is too old, was changed on its way, or belongs to another account."""


def has_confirmed(user: User, email: str) -> bool:
    """Whether the account has shown that it reads this mailbox."""
    rows = EmailAddress.objects.filter(user=user, email=email.lower(), verified=True)
    return bool(rows.exists())


def address_to_confirm(user: User) -> str:
    """The address that a link was sent to and that is not in effect yet; else empty."""
    row = EmailAddress.objects.filter(user=user, verified=False).order_by("-pk").first()
    return "" if row is None else str(row.email)


@transaction.atomic
def change_address(*, user: User, email: str, request: HttpRequest) -> None:
    """Give the account another address: where e-mail is sent, once its link has been opened."""
    email = email.lower()
    EmailAddress.objects.filter(user=user, verified=False).delete()
    if email and settings.EMAIL_ENABLED and not has_confirmed(user, email):
        EmailAddress.objects.create(user=user, email=email)
        ask_to_confirm(user, email, request)
        return
    EmailAddress.objects.filter(user=user).exclude(email=email).delete()
    _take(user, email)


def ask_to_confirm(user: User, email: str, request: HttpRequest) -> None:
    """Send the link that shows who reads the mailbox."""
    key = signing.dumps([user.pk, email], salt=SALT)
    link = address_of(reverse("desk:confirm-address", args=[key]), request)
    mail_in_background(email, "confirm_address", user=user.get_username(), link=link)


@transaction.atomic
def confirm_address(*, user: User, key: str) -> str:
    """The address of a link that was sent to this account, which is in effect from now on."""
    try:
        account, email = signing.loads(key, salt=SALT, max_age=LINK_SECONDS)
    except signing.BadSignature as error:
        raise NotConfirmed from error
    asked = EmailAddress.objects.filter(user=user, email=email, verified=False)
    if account != user.pk or not asked.exists():
        raise NotConfirmed
    mark_confirmed(user=user, email=email)
    return str(email)


@transaction.atomic
def mark_confirmed(*, user: User, email: str) -> None:
    """Note that the account reads the mailbox of this address, which becomes its own."""
    try:
        with transaction.atomic():
            EmailAddress.objects.filter(user=user).exclude(email=email.lower()).delete()
            EmailAddress.objects.update_or_create(
                user=user, email=email.lower(), defaults={"verified": True, "primary": True}
            )
    except IntegrityError as error:  # another account's
        raise NotConfirmed from error
    _take(user, email)


def _take(user: User, email: str) -> None:
    User.objects.filter(pk=user.pk).update(email=email.lower())
    user.email = email.lower()
    log_change(study=None, by=user, action="account.address_set", subject=account_subject(user))
