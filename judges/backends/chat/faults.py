"""What goes wrong between us and an endpoint, and which of it passes by itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import openai

from judges.backends.chat.habits import failure_of
from judges.backends.chat.pacing import retry_after
from judges.backends.contract import Failure, Reply
from judges.backends.received_text import clean_text

# The only faults that pass by themselves. Too much at once:
TURNED_AWAY = frozenset({429, 503, 529})
# … a request that took too long to come in, a lock, a server or a proxy before it that stumbled.
STUMBLED = frozenset({408, 409, 500, 502, 504, 520, 521, 522, 523, 524})
# Nothing that is asked will be answered: a wrong key, no money, no such model or address.
HOPELESS = frozenset({401, 402, 403, 404})
NO_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


@dataclass(frozen=True)
class Fault:
    """Why a call was not answered. passes: asking again may help."""

    why: str
    failure: Failure = Failure.ERROR
    passes: bool = False
    wait: float | None = None
    turned_away: bool = False
    unreached: bool = False
    body: str = ""


def is_hopeless(error: openai.APIStatusError) -> bool:
    """Whether nothing that is asked will be answered."""
    return error.status_code in HOPELESS or error.code in NO_MONEY


def status_fault(error: openai.APIStatusError, why: str, body: str) -> Fault:
    """What an HTTP status means to its call."""
    status = error.status_code
    after = retry_after(error.response.headers.get("retry-after", ""), datetime.now(UTC))
    return Fault(
        why,
        failure_of(error.body),
        passes=status in TURNED_AWAY or status in STUMBLED,
        wait=after if status in TURNED_AWAY else None,
        turned_away=status in TURNED_AWAY,
        body=body,
    )


def failed(fault: Fault, tries: int) -> Reply:
    """What a fault is to its call."""
    times = f" Asked {tries} times." if tries > 1 else ""
    return Reply(text=fault.body).failed(fault.failure, f"{fault.why}{times}")


def words(error: openai.APIStatusError) -> str:
    """`HTTP 400: the reason that the endpoint gives`, however long."""
    said = error.body.get("message") if isinstance(error.body, Mapping) else None
    return clean_text(f"HTTP {error.status_code}: {said or error.message}")
