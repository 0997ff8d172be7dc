"""Who signs in with a password: researchers. Workers come through invitations instead."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A researcher's account. Our own class from the first migration on, so that it can grow."""
