"""The first account of an installation, whose password is told once."""

import secrets
from dataclasses import dataclass

from django.db import transaction

from annotation.models import User
from annotation.models.changes import account_subject, log_change

FIRST_NAME = "admin"


@dataclass(frozen=True)
class FirstAccount:
    """The account that an installation begins with, and its password in clear."""

    username: str
    password: str


@transaction.atomic
def make_first_account() -> FirstAccount | None:
    """A superuser with a password made here; None where there are accounts with a password."""
    if User.objects.filter(is_active=True).exclude(password="").exists():
        return None
    password = secrets.token_urlsafe(12)
    user = User.objects.create_superuser(FIRST_NAME, password=password)
    log_change(study=None, by=None, action="account.made", subject=account_subject(user))
    return FirstAccount(FIRST_NAME, password)
