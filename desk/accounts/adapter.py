"""How second factors are kept, and what apps and browsers call them."""

import base64
import hashlib

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings

from annotation.models import User

NAME = "Jurybox"


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]  # without types
    """Secrets of second factors are encrypted with a key made of SECRET_KEY: a copy of the database
    alone lets nobody make codes."""

    def encrypt(self, text: str) -> str:
        return _ciphers().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _ciphers().decrypt(encrypted_text.encode()).decode()

    def get_totp_label(self, user: User) -> str:
        return f"{user.get_username()} · {context.request.get_host()}"

    def _get_site_name(self) -> str:
        return NAME


def _ciphers() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_key(secret)) for secret in keys])


def _key(secret: str) -> bytes:
    """32 bytes for this purpose alone, as Fernet writes keys."""
    made = hashlib.blake2b(secret.encode(), digest_size=32, person=b"second factors").digest()
    return base64.urlsafe_b64encode(made)
