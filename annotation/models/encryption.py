"""Texts that a copy of the database alone does not give away: encrypted with SECRET_KEY."""

import base64
import hashlib
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models

# What each key is made for, at most 16 bytes: one never opens what another has closed.
LINKS = b"links"
SECOND_FACTORS = b"second factors"
WEBHOOK_SECRETS = b"webhook secrets"
ENDPOINT_KEYS = b"endpoint keys"


class Unreadable(ValueError):
    """A text was encrypted with another SECRET_KEY, which SECRET_KEY_FALLBACKS does not hold."""


def encrypt(text: str, purpose: bytes) -> str:
    """The text under the present SECRET_KEY."""
    return _ciphers(purpose, *secret_keys()).encrypt(text.encode()).decode()


def decrypt(encrypted: str, purpose: bytes) -> str:
    """The text of `encrypt`, under the present SECRET_KEY or a fallback. Unreadable under none."""
    try:
        return _ciphers(purpose, *secret_keys()).decrypt(encrypted.encode()).decode()
    except InvalidToken as error:
        raise Unreadable from error


def secret_keys() -> tuple[str, ...]:
    """The present SECRET_KEY and the fallbacks."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


@lru_cache(maxsize=16)
def _ciphers(purpose: bytes, *secrets: str) -> MultiFernet:
    return MultiFernet([Fernet(_key(secret, purpose)) for secret in secrets])


def _key(secret: str, purpose: bytes) -> bytes:
    """32 bytes for this purpose alone, as Fernet writes keys."""
    made = hashlib.blake2b(secret.encode(), digest_size=32, person=purpose).digest()
    return base64.urlsafe_b64encode(made)


class SecretField(models.CharField):  # type: ignore[type-arg]  # at runtime it takes none
    """A text that is encrypted in its column. Read, it is the text, or empty where SECRET_KEY has
    changed meanwhile. purpose: what its key is made for."""

    def __init__(self, *args: Any, purpose: bytes = WEBHOOK_SECRETS, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.purpose = purpose

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """For migrations a plain column: they see what is in the database."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def from_db_value(self, value: str, *_about: Any) -> str:
        try:
            return decrypt(value, self.purpose)
        except Unreadable:
            return ""

    def get_prep_value(self, value: Any) -> str:
        return encrypt(str(value), self.purpose)
