"""What a backend gives back: one reply, or the plain reason why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any, Protocol


class Failure(StrEnum):
    """Why a reply is no answer. Never a default answer, always counted."""

    PARSE_FAILURE = "parse_failure"
    REFUSAL = "refusal"
    TIMEOUT = "timeout"
    ERROR = "error"


@dataclass(frozen=True)
class Request:
    """What is asked of a model, and for which answer.

    `unit`, `block`, `replicate` and `sample` say what it is for; a backend that replays a file
    finds its reply by them, one that asks a model looks at the prompt and the seed.
    """

    prompt: str
    unit: str
    block: str
    replicate: int
    sample: int
    seed: int


@dataclass(frozen=True)
class Reply:
    """One reply as it came, whole, with what it cost; `failure` where it holds no answer."""

    text: str = ""
    failure: Failure | None = None
    error: str = ""
    request: Mapping[str, Any] = field(default_factory=dict)
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: Decimal | None = None
    latency_ms: int | None = None

    def failed(self, failure: Failure, error: str) -> "Reply":
        """The same reply, marked as no answer."""
        return replace(self, failure=failure, error=error)


class TextBackend(Protocol):
    """Turns a prompt into text."""

    def reply(self, request: Request) -> Reply:
        """The reply to one request; a failure is a Reply too, not an exception."""
