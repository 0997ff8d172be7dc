"""Errors of a chat endpoint, and which of them are transient."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx2
import openai

from endpoints.capabilities import FILTERED, error_code
from endpoints.clients import was_dropped
from endpoints.endpoint import BadEndpoint, Endpoint, Secrets
from endpoints.pacing import parse_retry_after
from judges.backends.contract import Failure, Reply, Unusable
from judges.backends.received_text import clean_text, parsed_json

# The only statuses after which a call is made again. Too many requests at once:
OVERLOADED = frozenset({429, 503, 529})
# … a request that was too slow, a lock, or an error of the server or of a proxy before it.
TRANSIENT = frozenset({408, 409, 500, 502, 504, 520, 521, 522, 523, 524})
# No call at all will be answered: a wrong key, no money, no such model or address.
PERMANENT = frozenset({401, 402, 403, 404})
NO_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
# The statuses that errors without one mean, by their code, status or type.
STATUS_BY_NAME = {
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "resource_exhausted": 429,
    "overloaded_error": 529,
    "unavailable": 503,
    "server_error": 500,
    "internal": 500,
    "internal_server_error": 500,
    "deadline_exceeded": 504,
}


@dataclass(frozen=True)
class ErrorReply:
    """An error that an endpoint replied with, by HTTP status or in the body of a reply.

    status: the HTTP status, or the one that the body names; None where it names none. retry_after:
    the header. body: the whole body, as text.
    """

    status: int | None
    error: Any
    message: str
    retry_after: str = ""
    body: str = ""

    @property
    def is_permanent(self) -> bool:
        """Whether the endpoint will answer no call at all."""
        if failure_of(self.error) is Failure.REFUSAL:
            return False
        return self.status in PERMANENT or error_code(self.error) in NO_MONEY


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


def secrets_of(name: str, endpoint: Endpoint) -> Secrets:
    """The endpoint's key and secret headers; Unusable where the environment lacks one."""
    try:
        return endpoint.secrets()
    except BadEndpoint as error:
        raise Unusable(f"Endpoint {name}: {error}.") from error


def failure_of(error: Any) -> Failure:
    """What an endpoint's error means for a call: a refusal where a filter stopped the request."""
    metadata = error.get("metadata") if isinstance(error, Mapping) else None
    is_flagged = isinstance(metadata, Mapping) and "flagged_input" in metadata
    return Failure.REFUSAL if is_flagged or error_code(error) in FILTERED else Failure.ERROR


def error_of_status(error: openai.APIStatusError) -> ErrorReply:
    """What the SDK raised for an HTTP status."""
    message = error.body.get("message") if isinstance(error.body, Mapping) else None
    return ErrorReply(
        status=error.status_code,
        error=error.body,
        message=clean_text(f"HTTP {error.status_code}: {message or error.message}"),
        retry_after=error.response.headers.get("retry-after", ""),
        body=error.response.text,
    )


def error_in_reply(content: bytes, retry_after: str = "") -> ErrorReply | None:
    """The error that a reply with HTTP 200 holds instead of a choice, or in its first choice."""
    if b'"error"' not in content:
        return None
    try:
        body = parsed_json(content)
    except (ValueError, RecursionError):
        return None
    error = next(_errors(body), None)
    if error is None:
        return None
    status = _named_status(error)
    said = error.get("message") if isinstance(error, Mapping) else None
    message = f"HTTP 200 with error {status or 'of no status'}: {said or json.dumps(error)}"
    text = content.decode(errors="replace")
    return ErrorReply(status, error, clean_text(message), retry_after, text)


def fault_of(error: ErrorReply, reason: str, body: str) -> Fault:
    """What an error means for its call."""
    is_overload = error.status in OVERLOADED
    wait = parse_retry_after(error.retry_after, datetime.now(UTC))
    return Fault(
        reason,
        failure_of(error.error),
        is_transient=is_overload or error.status in TRANSIENT,
        retry_after=wait if is_overload else None,
        is_overload=is_overload,
        body=body,
    )


def fault_of_connection(error: Exception, timeout_seconds: float) -> Fault:
    """The fault for a call to which nothing came back."""
    is_timeout = isinstance(error, openai.APITimeoutError | TimeoutError)
    # The SDK's aiohttp client reports a refused connection as a timeout, too.
    if is_timeout and not isinstance(error.__cause__, httpx2.ConnectTimeout):
        reason = f"No reply within {timeout_seconds:g} seconds."
        return Fault(reason, Failure.TIMEOUT, is_transient=True)
    if was_dropped(error):
        reason = f"The connection was dropped: {error.__cause__ or error}."
        return Fault(reason, is_transient=True)
    reason = f"The endpoint cannot be reached: {error.__cause__ or error}."
    return Fault(reason, is_transient=True, is_unreachable=True)


def failed_reply(fault: Fault, tries: int) -> Reply:
    """The reply of a call that ended with a fault."""
    times = f" Asked {tries} times." if tries > 1 else ""
    return Reply(text=fault.body).failed(fault.failure, f"{fault.reason}{times}")


def _errors(body: Any) -> Iterator[Any]:
    """The errors in a body: an object or a text under `error`, of the body or of a choice."""
    bodies = body if isinstance(body, list) else [body]
    for part in bodies:
        if not isinstance(part, Mapping):
            continue
        choices = part.get("choices")
        for holder in (part, *(choices if isinstance(choices, list) else ())):
            error = holder.get("error") if isinstance(holder, Mapping) else None
            if error and isinstance(error, Mapping | str):
                yield error


def _named_status(error: Any) -> int | None:
    """The HTTP status that an error names by number, or by a name of `STATUS_BY_NAME`."""
    if not isinstance(error, Mapping):
        return None
    for name in ("code", "status", "type"):
        value = str(error.get(name) or "")
        if value.isascii() and value.isdecimal() and 400 <= int(value[:4]) <= 599:
            return int(value)
        if value.lower() in STATUS_BY_NAME:
            return STATUS_BY_NAME[value.lower()]
    return None
