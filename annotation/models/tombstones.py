"""Tombstones of panel ids: an erased id can be recognised again, but not read."""

from django.utils.crypto import salted_hmac

PREFIX = "erased:"


def tombstone(panel: str, external_id: str) -> str:
    """The keyed hash that replaces an erased id. Without the secret key nobody can recover the id
    by trying all possible ones."""
    digest = salted_hmac(f"annotation.tombstones/{panel}", external_id, algorithm="sha256")
    return PREFIX + digest.hexdigest()
