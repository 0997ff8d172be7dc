"""Tombstones of panel ids: an erased id can be recognised again, but not read."""

from django.utils.crypto import salted_hmac

from annotation.models.encryption import secret_keys

PREFIX = "erased:"


def tombstone(panel: str, external_id: str) -> str:
    """The keyed hash that replaces an erased id. Without the secret key nobody can recover the id
    by trying all possible ones."""
    return tombstones(panel, external_id)[0]


def tombstones(panel: str, external_id: str) -> list[str]:
    """What may have replaced an id: under the present key first, then under each fallback."""
    salt, named = f"annotation.tombstones/{panel}", external_id
    return [
        PREFIX + salted_hmac(salt, named, secret=secret, algorithm="sha256").hexdigest()
        for secret in secret_keys()
    ]
