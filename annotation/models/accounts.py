"""Accounts of researchers, who sign in with a password, and the sessions of browsers."""

from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.sessions.models import SessionManager
from django.db import models


class User(AbstractUser):
    """A researcher's account. A class of our own, so that it can get fields later."""


class BrowserSession(AbstractBaseSession):
    """A browser session, with the account that is signed in there, so that somebody's sessions can
    be listed and ended. Workers' sessions have none."""

    # Looked up alone; a session that is saved while an account is erased must not fail.
    account = models.PositiveBigIntegerField(null=True, blank=True, editable=False, db_index=True)

    objects = SessionManager()
