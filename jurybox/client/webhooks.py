"""Setting a webhook, and whether a message of one is genuine (docs/webhooks.md)."""

import hashlib
import hmac
import time
from collections.abc import Iterable, Sequence

from jurybox.client.connection import Connection, document

# Seconds that a message may be old: nobody can send a recorded one again after that.
OLDEST = 300


def is_genuine(header: str, body: bytes, secrets: Sequence[str]) -> bool:
    """Whether a message was signed just now with one of the secrets.

    header: what `Jurybox-Signature` says. body: of the request, as it came. secrets: the webhook's,
    and for a day after it was renewed the one before.
    """
    parts = [part.partition("=")[::2] for part in header.split(",")]
    at = dict(parts).get("t", "")
    if not (at.isascii() and at.isdecimal() and abs(time.time() - int(at)) < OLDEST):
        return False
    signed = f"{at}.".encode() + body
    own = [hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in secrets]
    return any(
        name == "v1" and hmac.compare_digest(code.encode(), mine.encode())
        for name, code in parts
        for mine in own
    )


def secret_of_webhook(connection: Connection, path: str, url: str, events: Iterable[str]) -> str:
    """Set the webhook at a path of the API; its new secret."""
    body = {"url": url, "events": list(events)}
    return str(document(connection.write("PUT", path, body))["secret"])
