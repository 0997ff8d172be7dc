"""Accounts of researchers, who sign in with a password."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A researcher's account. A class of our own, so that it can get fields later."""
