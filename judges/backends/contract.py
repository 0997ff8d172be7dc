"""What a backend gives back: one reply, or the plain reason why there is none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any, Protocol

# What models that think aloud write around a thought.
THOUGHT_BEGINS, THOUGHT_ENDS = "<think>", "</think>"


class Unusable(Exception):
    """The backend answers nobody (a wrong key, an unknown model): the whole run stops at once."""


class Away(Exception):
    """The backend cannot take it now, for a reason that passes: the same later may go well."""


class Postponed(Exception):
    """The reply comes later; the question is asked again when it is there."""


class Failure(StrEnum):
    """Why a reply is no answer. Never a default answer, always counted."""

    PARSE_FAILURE = "parse_failure"
    REFUSAL = "refusal"
    TRUNCATED = "truncated"
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
    # Which step of a method that takes several the call was, in the method's own words.
    step: str = ""
    # What else came with the reply: finish reason, model as the endpoint names it, logprobs, …
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def spoken(self) -> str:
        """The text without the thought before it, where an endpoint leaves that in.

        Some leave in its end alone: the beginning was part of the prompt. A thought without an
        end is all there is.
        """
        thought, end, rest = self.text.partition(THOUGHT_ENDS)
        if end:
            return rest.strip()
        return "" if thought.lstrip().startswith(THOUGHT_BEGINS) else self.text

    def failed(self, failure: Failure, error: str) -> "Reply":
        """The same reply, marked as no answer."""
        return replace(self, failure=failure, error=error)


@dataclass(frozen=True)
class ChatRequest:
    """What is said to a chat model in one call, and for which answer.

    `unit`, `block`, `replicate`, `step` and `sample` say what it is for. `seed`, `temperature`
    and `max_tokens` of None are left to the endpoint. `schema`: the JSON schema that the reply is
    to fit, where the endpoint can hold a model to one. `top_logprobs`: how many alternatives to
    tell for each token of the reply, 0 for none. `extra`: what else an endpoint is told, by the
    names of its own protocol.
    """

    messages: tuple[Mapping[str, str], ...]
    unit: str
    block: str
    replicate: int = 0
    step: str = ""
    sample: int = 0
    seed: int | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    schema: Mapping[str, Any] | None = None
    top_logprobs: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        """Which answer the call is for."""
        return answer_name(self.unit, self.block, self.replicate)


def answer_name(unit: str, block: str, replicate: int) -> str:
    """An answer's name within a run: what a kept reply was paid for."""
    return f"{unit} {block} {replicate}"


class Chat(Protocol):
    """Turns messages into text, many at a time.

    `in_flight`: how many answers to work on at once. A failure is a Reply too, not an exception;
    Unusable where the endpoint answers nobody.
    """

    in_flight: int

    async def reply(self, request: ChatRequest) -> Reply:
        """The reply to one request."""

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """The replies to requests that differ only in which sample they are for, and their seed.

        One call may bring several of them; the first then tells what it took.
        """

    async def close(self) -> None:
        """Let go of connections."""


class SharedCache(Protocol):
    """Replies that were paid for, as a loop of talks looks into them."""

    async def get(self, key: str) -> Reply | None:
        """The reply kept under that key, marked as one that was kept."""

    async def put(self, key: str, reply: Reply) -> None:
        """Keep a reply; returns when it is kept."""


class ReplyCache(Protocol):
    """Replies that were paid for, by a key made of the whole request.

    Both are called in the thread that called the method, never in that of an event loop.
    """

    def find(self, keys: Iterable[str]) -> dict[str, Reply]:
        """The replies kept under those keys, each marked as one that was kept."""

    def keep(self, replies: Mapping[str, Reply]) -> None:
        """Keep replies; the first one kept under a key stays."""


class NoCache:
    """A cache that keeps nothing."""

    def find(self, keys: Iterable[str]) -> dict[str, Reply]:
        return {}

    def keep(self, replies: Mapping[str, Reply]) -> None:
        pass
