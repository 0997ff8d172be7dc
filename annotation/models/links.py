"""Links that open something by a token. The token lies encrypted in the database, and what it opens
is found by a keyed hash: a copy of the database alone opens nothing."""

import secrets
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac

from annotation.models.encryption import LINKS, Unreadable, decrypt, encrypt, secret_keys

UNREADABLE = "unreadable"


def new_token() -> str:
    """An unguessable token of 128 bits, safe in an address. It begins with no dash, which a
    spreadsheet would take for a sum; ids of people with links are tokens, and go into pay files."""
    token = secrets.token_urlsafe(16)
    return token if token[0] != "-" else new_token()


def sealed_new_token() -> str:
    """A new token as it lies in the database."""
    return encrypt(new_token(), LINKS)


def opened_by(token: str) -> Q:
    """What the link with this token opens, in a model of `Linked`."""
    return Q(token_hash__in=[_hash(token, secret) for secret in secret_keys()])


def new_link() -> dict[str, str]:
    """The columns of a new token, for an update: the link before it opens nothing from then on."""
    token = new_token()
    return {"sealed_token": encrypt(token, LINKS), "token_hash": _hash(token, secret_keys()[0])}


# The columns of what no link opens any more.
NO_LINK = {"sealed_token": "", "token_hash": ""}


def _hash(token: str, secret: str) -> str:
    return salted_hmac("annotation.links", token, secret=secret, algorithm="sha256").hexdigest()


class TokenHash(models.CharField):  # type: ignore[type-arg]  # at runtime it takes none
    """Filled in when a row is stored for the first time, with many others as well."""

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """For migrations a plain column."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def pre_save(self, model_instance: Any, add: bool) -> str:
        model_instance.token_hash = model_instance.token_hash or _hash(
            model_instance.token, secret_keys()[0]
        )
        return str(model_instance.token_hash)


class Linked(models.Model):
    """What a link of its own opens."""

    sealed_token = models.CharField(max_length=255, default=sealed_new_token, editable=False)
    token_hash = TokenHash(max_length=64, db_index=True, editable=False)

    class Meta:
        abstract = True

    @property
    def token(self) -> str:
        """The token of the link; where SECRET_KEY has changed, a word that opens nothing."""
        try:
            return decrypt(self.sealed_token, LINKS)
        except Unreadable:
            return UNREADABLE
