"""What comes back from an address: a body, or the reason why there is none."""

from dataclasses import dataclass
from typing import Any

import httpcore2
import httpx2

from retrieval.connections import LinkRefused
from retrieval.names import NoNetwork, NoSuchName
from retrieval.page import PageOutcome

_GONE = (404, 410)


@dataclass(frozen=True)
class Limits:
    """seconds: in all, from resolving the name to the end of reading. size, pdf_size: bytes,
    decompressed."""

    seconds: float = 20.0
    size: int = 2_000_000
    pdf_size: int = 10_000_000
    redirects: int = 5


@dataclass(frozen=True)
class Fetched:
    """A server's response. body: decompressed; empty unless the outcome is `found`."""

    outcome: PageOutcome
    reason: str = ""
    final_url: str = ""
    status: int | None = None
    content_type: str = ""
    body: bytes = b""


class Stopped(Exception):
    """A fetch that ends without a body."""

    def __init__(self, outcome: PageOutcome, reason: str, **fields: Any) -> None:
        super().__init__(reason)
        self.outcome, self.fetched = outcome, Fetched(outcome, reason, **fields)


def check_status(status: int) -> None:
    """Raise Stopped unless the status is one of success."""
    if 200 <= status < 300:
        return
    reason = f"the server answered {status}"
    if status in _GONE:
        raise Stopped(PageOutcome.NOT_FOUND, reason, status=status)
    denied = 400 <= status < 500
    raise Stopped(PageOutcome.DENIED if denied else PageOutcome.FAILED, reason, status=status)


def explained(error: Exception, limits: Limits) -> Fetched:
    """What is said of an error. Errors not of the network are raised again."""
    if isinstance(error, Stopped):
        return error.fetched
    for kinds, outcome, reason in _MEANINGS:
        if isinstance(error, kinds):
            return Fetched(outcome, reason.format(error=error, limits=limits))
    raise error


# The first that matches counts. The reasons stand in prompts, so a change of a word makes another
# prompt, for which no reply is cached.
_MEANINGS: tuple[tuple[tuple[type[Exception], ...], PageOutcome, str], ...] = (
    ((LinkRefused,), PageOutcome.REFUSED, "{error}"),
    ((NoSuchName,), PageOutcome.NOT_FOUND, "nobody has the name {error}"),
    ((NoNetwork,), PageOutcome.NOT_RETRIEVED, "{error}"),
    (
        (TimeoutError, httpcore2.TimeoutException),
        PageOutcome.TIMEOUT,
        "no whole page within {limits.seconds:g} seconds",
    ),
    ((httpcore2.ConnectError,), PageOutcome.FAILED, "no connection: {error}"),
    (
        (httpcore2.ProtocolError, httpcore2.NetworkError),
        PageOutcome.FAILED,
        "the server broke off: {error}",
    ),
    ((httpx2.DecodingError,), PageOutcome.FAILED, "the page is packed wrongly"),
    ((OSError,), PageOutcome.FAILED, "no connection: {error}"),
)
