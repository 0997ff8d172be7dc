"""How second factors are kept, and what apps and browsers call them."""

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter

from annotation.models import User, encryption

NAME = "Jurybox"


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]  # without types
    """Secrets of second factors are encrypted with a key made of SECRET_KEY: a copy of the database
    alone lets nobody make codes."""

    def encrypt(self, text: str) -> str:
        return encryption.encrypt(text, encryption.SECOND_FACTORS)

    def decrypt(self, encrypted_text: str) -> str:
        return encryption.decrypt(encrypted_text, encryption.SECOND_FACTORS)

    def get_totp_label(self, user: User) -> str:
        return f"{user.get_username()} · {context.request.get_host()}"

    def _get_site_name(self) -> str:
        return NAME
