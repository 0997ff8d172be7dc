"""What can go wrong with a call, each as one sentence that a researcher can act on."""

import json
import re
from collections.abc import Iterator

import httpx2

# Ids of people, sessions and studies at Prolific: pages show none.
_ID = re.compile(r"\b[0-9a-f]{24}\b", re.IGNORECASE)
_LONGEST = 300
# A time-out on the way, and a conflict, which may be one with the same call before.
_UNCLEAR = (408, 409, 425)
# How a refusal for want of money is recognised; its words are not documented.
_MONEY = re.compile(
    r"insufficient|not enough (funds|balance|money)|top.?up|available balance", re.I
)


class ProlificError(Exception):
    """A call to Prolific failed. certain: it is known that it had no effect there."""

    certain = True


class NoToken(ProlificError):
    """The environment has no token."""


class Unreachable(ProlificError):
    """No connection was made."""


class RateLimited(ProlificError):
    """Prolific asks to wait."""


class BadToken(ProlificError):
    """Prolific does not know the token, or it may not do this."""


class NotThere(ProlificError):
    """Prolific knows no such thing."""


class CallRefused(ProlificError):
    """Prolific took the call for a mistake."""


class TooLittleMoney(CallRefused):
    """The account does not have enough money."""


class Uncertain(ProlificError):
    """The call was sent, and whether it had an effect is not known."""

    certain = False


def error_of(response: httpx2.Response) -> ProlificError:
    """The error behind a reply other than 2xx."""
    said, status = explanation(response), response.status_code
    if status == 429:
        return RateLimited("Prolific asks to wait before the next request. Try again in a minute.")
    if status in (401, 403):
        return BadToken("Prolific does not accept the token. Check it in the environment.")
    if status == 404:
        return NotThere("Prolific knows no such study, submission or payment.")
    if status == 402 or (400 <= status < 500 and _MONEY.search(said)):
        return TooLittleMoney(f"The Prolific account has not enough money: {said}")
    if 300 <= status < 500 and status not in _UNCLEAR:
        return CallRefused(f"Prolific refused: {said}")
    return Uncertain(f"Prolific failed ({status}), so it is not known what it did.")


def explanation(response: httpx2.Response) -> str:
    """What the reply says went wrong, without ids, as one sentence."""
    try:
        said = "; ".join(_texts(_core(response.json())))
    except json.JSONDecodeError:
        said = ""
    said = _ID.sub("…", " ".join(said.split()))[:_LONGEST]
    return (said or f"status {response.status_code} without a reason").rstrip(".") + "."


def _core(body: object) -> object:
    """The part of an error's body that says what is wrong."""
    if not isinstance(body, dict):
        return body
    inner = body.get("error", body)
    if isinstance(inner, dict):
        return inner.get("detail") or inner.get("message") or inner.get("title") or inner
    return inner


def _texts(value: object, name: str = "") -> Iterator[str]:
    """Texts inside lists and objects, each with the field that it is about."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, name)
    elif value not in (None, ""):
        yield f"{name}: {value}" if name else str(value)
