"""Whether the SECRET_KEY is the one that texts in the database were encrypted with."""

from collections.abc import Iterator

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.db.models import TextField
from django.db.models.functions import Cast

from accounts.signing_in.factors import Type
from annotation.models.encryption import LINKS, SECOND_FACTORS, SecretField, Unreadable, decrypt
from annotation.models.links import Linked
from desk.installation.findings import Finding, fails, ok


def secret_key() -> Finding:
    """Fails where the newest text of each kind was encrypted with another key. After a change on
    purpose that ends with the first text that is written anew."""
    stored = list(_newest_texts())
    if not stored or any(_is_readable(text, purpose) for text, purpose in stored):
        return ok("SECRET_KEY: what is stored can be read")
    return fails(
        "SECRET_KEY is another one than links, second factors and stored keys were written under; "
        "set that one again, or name it in SECRET_KEY_FALLBACKS"
    )


def _newest_texts() -> Iterator[tuple[str, bytes]]:
    """The newest encrypted text of each kind that there is, and what its key is made for."""
    for model in apps.get_models():
        fields = model._meta.concrete_fields
        purposes = {f.name: f.purpose for f in fields if isinstance(f, SecretField)}
        if issubclass(model, Linked):
            purposes["sealed_token"] = LINKS
        for name, purpose in purposes.items():
            text = Cast(name, TextField())  # as it lies in the column
            rows = model._default_manager.annotate(text=text).exclude(text="")
            if found := rows.order_by("-pk").values_list("text", flat=True).first():
                yield found, purpose
    factors = Authenticator.objects.filter(type=Type.TOTP).order_by("-pk")
    if (factor := factors.first()) is not None:
        yield factor.data["secret"], SECOND_FACTORS


def _is_readable(text: str, purpose: bytes) -> bool:
    try:
        decrypt(text, purpose)
    except Unreadable:
        return False
    return True
