"""What is left of a panel's id after its erasure: enough to know it again, not to read it."""

from django.utils.crypto import salted_hmac

PREFIX = "erased:"


def tombstone(panel: str, external_id: str) -> str:
    """What takes the place of a worker's id. Without the program's secret key nobody can
    find the id again by trying all there are."""
    digest = salted_hmac(f"annotation.tombstones/{panel}", external_id, algorithm="sha256")
    return PREFIX + digest.hexdigest()
