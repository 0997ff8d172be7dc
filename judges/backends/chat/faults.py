"""Errors of a chat endpoint, and which of them are transient."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from judges.backends.chat.capabilities import failure_of
from judges.backends.chat.pacing import parse_retry_after
from judges.backends.contract import Failure, Reply
from judges.backends.received_text import clean_text

if TYPE_CHECKING:
    import openai

# The only statuses after which a call is made again. Too many requests at once:
OVERLOADED = frozenset({429, 503, 529})
# … a request that was too slow, a lock, or an error of the server or of a proxy before it.
TRANSIENT = frozenset({408, 409, 500, 502, 504, 520, 521, 522, 523, 524})
# No call at all will be answered: a wrong key, no money, no such model or address.
PERMANENT = frozenset({401, 402, 403, 404})
NO_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


@dataclass(frozen=True)
class Fault:
    """Why a call was not answered. retry_after: seconds that the endpoint asks us to wait."""

    reason: str
    failure: Failure = Failure.ERROR
    is_transient: bool = False
    retry_after: float | None = None
    is_overload: bool = False
    is_unreachable: bool = False
    body: str = ""


def is_permanent(error: "openai.APIStatusError") -> bool:
    """Whether the endpoint will answer no call at all."""
    return error.status_code in PERMANENT or error.code in NO_MONEY


def status_fault(error: "openai.APIStatusError", reason: str, body: str) -> Fault:
    """What an HTTP status means for its call."""
    status = error.status_code
    wait = parse_retry_after(error.response.headers.get("retry-after", ""), datetime.now(UTC))
    return Fault(
        reason,
        failure_of(error.body),
        is_transient=status in OVERLOADED or status in TRANSIENT,
        retry_after=wait if status in OVERLOADED else None,
        is_overload=status in OVERLOADED,
        body=body,
    )


def failed_reply(fault: Fault, tries: int) -> Reply:
    """The reply of a call that ended with a fault."""
    times = f" Asked {tries} times." if tries > 1 else ""
    return Reply(text=fault.body).failed(fault.failure, f"{fault.reason}{times}")


def error_message(error: "openai.APIStatusError") -> str:
    """`HTTP 400: the reason that the endpoint gives`, however long."""
    message = error.body.get("message") if isinstance(error.body, Mapping) else None
    return clean_text(f"HTTP {error.status_code}: {message or error.message}")
