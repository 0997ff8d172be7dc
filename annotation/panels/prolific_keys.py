"""The public keys by which Prolific signs addresses, kept for a day in each process.

https://docs.prolific.com/api-reference/well-known-endpoints/get-study-jwks asks to keep the keys
and to read them anew at least daily. It was read, not tried.
"""

import logging
import time
from typing import Any, Literal

import httpx2
from django.conf import settings
from django.core.cache import cache
from pydantic import BaseModel, ValidationError

log = logging.getLogger(__name__)

PATH = "/.well-known/study/jwks.json"
# The prefix of all that is kept. Keys are kept for a day, and whether they were asked for just now
# for a minute: a stranger who makes up names of keys must not have us ask Prolific all the time.
KEPT, ASKED = "prolific_keys.kept", "prolific_keys.asked"
KEPT_SECONDS, PAUSE_SECONDS = 24 * 3600, 60
# A worker waits for this, at most once a minute.
TIMEOUT_SECONDS, MOST_BYTES = 3.0, 64 * 1024


class _Key(BaseModel):
    """An RSA key as a JSON Web Key."""

    kid: str
    kty: Literal["RSA"]
    n: str
    e: str


class _Keys(BaseModel):
    """What Prolific answers. Keys of other kinds sign nothing that is believed here."""

    keys: list[_Key | Any]


def prolific_key(name: str) -> dict[str, str] | None:
    """The key of that name (`kid`) as a JSON Web Key; None where Prolific has none, or cannot be
    asked now. It may make a request, so it is not called within a transaction."""
    if name not in _kept() and cache.add(ASKED, value=True, timeout=PAUSE_SECONDS):
        _ask()
    return _kept().get(name)


def _kept() -> dict[str, dict[str, str]]:
    return cache.get(KEPT) or {}


def _ask() -> None:
    """Keep the keys at Prolific by name. Where it does not answer as it should, nothing changes."""
    try:
        answer = _Keys.model_validate_json(_read(settings.PROLIFIC_API_URL.rstrip("/") + PATH))
    except (httpx2.HTTPError, ValidationError) as error:
        log.warning("Prolific's keys cannot be read (%s): its signatures prove nothing now.", error)
        return
    found = {key.kid: key.model_dump() for key in answer.keys if isinstance(key, _Key)}
    cache.set(KEPT, found, KEPT_SECONDS)


def _read(address: str) -> bytes:
    """The answer, if it is short and comes in time."""
    until, read = time.monotonic() + TIMEOUT_SECONDS, b""
    plain = {"Accept": "application/json", "Accept-Encoding": "identity"}
    with httpx2.stream("GET", address, headers=plain, timeout=TIMEOUT_SECONDS) as response:
        response.raise_for_status()
        for piece in response.iter_raw():
            read += piece
            if len(read) > MOST_BYTES or time.monotonic() > until:
                raise httpx2.ReadError("too long")
    return read
