"""What a run gives to a method and what it gets back.

Methods do not use the database: a run gives them asks and writes their outcomes.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from judges.backends.contract import NoCache, Reply, ReplyCache
from retrieval.page import NoPages, Pages
from tasktypes.contract import TaskType
from tasktypes.schemas import Schema

# (question id, replicate): a rater has at most one answer to it.
AnswerKey = tuple[int, int]


@dataclass(frozen=True)
class Ask:
    """One question to a judge, in one replicate."""

    question_id: int
    unit: str
    block: str
    task_type: TaskType[Any, Any, Any]
    raw_payload: Mapping[str, Any]
    replicate: int = 0
    seed: int = 0
    # The key of what the question is about.
    source: str = ""
    # The study's instructions, for a method that puts them before its prompt.
    instructions: str = ""
    # What the judges in `Method.voters` answered, by their names.
    votes: "Mapping[str, Vote]" = field(default_factory=dict)

    @cached_property
    def payload(self) -> Any:
        """The payload in its type's schema; parsed on first use, as not every method needs it."""
        return self.task_type.Payload.model_validate(self.raw_payload)

    @property
    def key(self) -> AnswerKey:
        return self.question_id, self.replicate


@dataclass(frozen=True)
class Vote:
    """The answer of another judge. by: that judge's name and version."""

    by: str
    answer: Any


@dataclass(frozen=True)
class Cost:
    """What an answer is expected to take. None: unknown."""

    calls: int = 1
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    usd: Decimal | None = Decimal(0)


@dataclass(frozen=True)
class AskOutcome:
    """The result of an ask: an answer or none, and one reply per call that was made."""

    ask: Ask
    replies: tuple[Reply, ...]
    answer: Schema | None = None

    def __post_init__(self) -> None:
        if self.answer is None and not any(reply.failure for reply in self.replies):
            raise ValueError("an outcome without an answer needs a reply that says why")


@dataclass(frozen=True)
class PostponedRequests:
    """Requests to send by batch. requests: by cache key, `{"for": the answer, "body": …}`."""

    endpoint: str
    model: str
    requests: Mapping[str, dict[str, Any]]


@dataclass(frozen=True)
class Tools:
    """What a run gives to a method, which does not use the database itself."""

    replies: ReplyCache = field(default_factory=NoCache)
    pages: Pages = field(default_factory=NoPages)
    # Whether another ask may begin beside so many that are under way; asked again when one of them
    # has ended. In any thread.
    may_begin: Callable[[int], bool] = field(default=lambda under_way: True)
    # Called with every outcome before it is written, in any thread.
    on_outcome: "Callable[[AskOutcome], None]" = field(default=lambda outcome: None)
    # Called with the requests that have to be answered before the remaining asks can go on.
    postpone: Callable[[PostponedRequests], None] = field(default=lambda requests: None)


def with_instructions(instructions: str, prompt: str) -> str:
    """A prompt after the study's instructions."""
    return f"{instructions}\n\n{prompt}" if instructions else prompt


def prompt_hash(text: str) -> str:
    """SHA-256 of a prompt; empty for an empty prompt."""
    return hashlib.sha256(text.encode()).hexdigest() if text else ""
