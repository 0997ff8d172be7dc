"""What every backend takes and returns: requests, and replies or the reason why there is none."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from endpoints.endpoint import Endpoint
from tasktypes.machines.replies import REASONING_BEGINS, REASONING_ENDS


class Unusable(Exception):
    """The backend answers no call (a wrong key, an unknown model): the whole run stops at once."""


class Unavailable(Exception):
    """The backend cannot take the call now; the same call may succeed later."""


class Postponed(Exception):
    """The reply comes with a batch; the question is asked again when the batch has ended."""


class Failure(StrEnum):
    """Why a reply is no answer. A failure is counted and never replaced by a default answer."""

    PARSE_FAILURE = "parse_failure"
    REFUSAL = "refusal"
    TRUNCATED = "truncated"
    TIMEOUT = "timeout"
    ERROR = "error"


@dataclass(frozen=True)
class Request:
    """A prompt, and the answer that it is for.

    A backend that replays a file looks its reply up by `unit`, `block`, `replicate` and `sample`;
    one that asks a model uses the prompt and the seed.
    """

    prompt: str
    unit: str
    block: str
    replicate: int
    sample: int
    seed: int


@dataclass(frozen=True)
class Reply:
    """One complete reply with what it cost. failure: why it holds no answer."""

    text: str = ""
    failure: Failure | None = None
    error: str = ""
    request: Mapping[str, Any] = field(default_factory=dict)
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: Decimal | None = None
    latency_ms: int | None = None
    # The step of a method of several steps, as the method names it.
    step: str = ""
    # What else came with the reply: finish reason, the endpoint's name of the model, logprobs, …
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text_without_reasoning(self) -> str:
        """The text without the reasoning before it, where an endpoint leaves that in.

        Some leave only its end mark in, because the begin mark was part of the prompt. Reasoning
        without an end leaves no text.
        """
        reasoning, end, rest = self.text.partition(REASONING_ENDS)
        if end:
            return rest.strip()
        return "" if reasoning.lstrip().startswith(REASONING_BEGINS) else self.text

    def failed(self, failure: Failure, error: str) -> "Reply":
        """The same reply, marked as no answer."""
        return replace(self, failure=failure, error=error)


@dataclass(frozen=True)
class ChatRequest:
    """The messages of one call to a chat model, and the answer that it is for.

    unit, block, replicate, step, sample: what the call is for. seed, temperature, max_tokens: None
    leaves them to the endpoint. schema: the JSON schema of the reply, for endpoints that can hold a
    model to one. top_logprobs: how many alternatives to report for each token of the reply, 0 for
    none. extra: further parameters, by their names in the endpoint's protocol.
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
        """The name of the answer that the call is for."""
        return answer_name(self.unit, self.block, self.replicate)


def answer_name(unit: str, block: str, replicate: int) -> str:
    """An answer's name within a run, kept with every cached reply that was paid for it."""
    return f"{unit} {block} {replicate}"


class Chat(Protocol):
    """Turns messages into text, many at a time.

    in_flight: how many answers to work on at once. A failed call is a Reply, not an exception;
    Unusable where the endpoint answers no call at all.
    """

    in_flight: int

    async def reply(self, request: ChatRequest) -> Reply:
        """The reply to one request."""

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """The replies to requests that differ only in their sample and seed.

        Several of them may come from one call; the first then carries its tokens and cost.
        """

    async def close(self) -> None:
        """Close the connections."""


class ReplyCache(Protocol):
    """Replies that were paid for, by a key made of the whole request.

    Both methods are called in the thread that called the judge's method, never in an event loop.
    """

    def find(self, keys: Iterable[str]) -> dict[str, Reply]:
        """The replies under those keys, each marked as cached."""

    def keep(self, replies: Mapping[str, Reply]) -> None:
        """Keep replies; the first one kept under a key stays."""


class AsyncReplyCache(Protocol):
    """The same cache for conversations in an event loop."""

    async def get(self, key: str) -> Reply | None:
        """The reply under that key, marked as cached."""

    async def put(self, key: str, reply: Reply) -> None:
        """Keep a reply; returns once it is kept."""


@dataclass(frozen=True)
class ChatSettings:
    """What a judge says of the chat model that it asks.

    endpoint: the name of a configured one; configured: what it is, since it is not looked up in an
    event loop. replies, replies_sha256: a file of recorded replies.
    cache: None does without cached replies. by_batch: collect requests for a batch.
    """

    model: str
    endpoint: str = ""
    configured: Endpoint | None = None
    replies: str = ""
    replies_sha256: str = ""
    cache: AsyncReplyCache | None = None
    by_batch: bool = False


class ChatBackend(ABC):
    """One way to a chat model.

    is_free: its calls cost nothing; else the cost of a call is what its reply says, and unknown
    before. opens_model: the model's name may be a folder of this machine.
    """

    name: ClassVar[str]
    is_free: ClassVar[bool] = False
    opens_model: ClassVar[bool] = True

    @classmethod
    @abstractmethod
    def open(cls, settings: ChatSettings) -> Chat:
        """The backend, ready to use; ValueError where it cannot be opened."""


class NoCache:
    """A cache that keeps nothing."""

    def find(self, keys: Iterable[str]) -> dict[str, Reply]:
        return {}

    def keep(self, replies: Mapping[str, Reply]) -> None:
        pass
