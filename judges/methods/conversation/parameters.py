"""Parameters of methods that ask a chat model, and estimates of what a conversation takes."""

import json
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field, JsonValue, field_validator, model_serializer

from judges.methods.conversation.examples import WorkedExample
from judges.methods.server_names import ServerFile
from tasktypes.schemas import Schema

# About four letters of English. Bytes, because other scripts take more tokens per letter.
BYTES_PER_TOKEN = 4
# Tokens that a provider adds to each message.
TOKENS_AROUND = 8
# The expected length of a reply where the method does not state one.
REPLY_TOKENS = 200
# The expected length of a reason before it.
REASON_TOKENS = 100
# More than any model writes in one reply.
MOST_TOKENS = 1_000_000
# Parameters that `extra` must not set: a request has them already, or they would change the shape
# of the reply.
RESERVED = frozenset(
    {"model", "messages", "temperature", "max_tokens", "max_completion_tokens", "seed", "n",
     "response_format", "logprobs", "top_logprobs", "stream", "stream_options"}
)  # fmt: skip


class ChatParameters(Schema):
    """Parameters of every method that asks a chat model."""

    # Left out of the judge's row at their defaults, so that a judge which was defined before they
    # existed is still the same version.
    later: ClassVar[frozenset[str]] = frozenset(
        {"system", "template", "examples", "reason", "reason_question"}
    )

    endpoint: str = Field(default="default", min_length=1, max_length=80)
    """Which of the configured endpoints to ask."""
    temperature: float | None = Field(default=0.0, ge=0, le=2)
    """Null leaves it to the endpoint."""
    max_tokens: int | None = Field(default=2048, ge=1, le=MOST_TOKENS)
    """Null leaves it to the endpoint."""
    structured: Literal["auto", "never"] = "auto"
    """Hold the reply to a JSON schema; `auto` does without where the endpoint rejects it."""
    cached: bool = True
    """Take a reply that the same request has had before, instead of paying again."""
    route: Literal["live", "batch"] = "live"
    """`batch` goes by the Batch API."""
    seed: bool = True
    """Whether to send one."""
    extra: dict[str, JsonValue] = Field(default_factory=dict)
    """Further parameters of the endpoint, such as `top_p`."""
    system: str = ""
    """A system message."""
    template: str | dict[str, str] = ""
    """A prompt of one's own in place of ours, or one for each step by its name."""
    examples: tuple[WorkedExample, ...] = Field(default=(), max_length=100)
    """Questions with their replies, shown before the question."""
    reason: Literal["none", "before"] = "none"
    """`before` has the model give a reason first, which is kept and never read as the answer."""
    reason_question: str = Field(default="", max_length=500)
    """What is asked for in place of a reason. A study that asks judges for a free text sets both
    for those that have our prompt."""
    replies: ServerFile = ""
    """A file of recorded replies, for the backend that replays one."""
    replies_sha256: str = Field(default="", max_length=64)

    @field_validator("extra")
    @classmethod
    def _is_not_reserved(cls, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        taken = sorted(RESERVED & value.keys())
        if taken:
            raise ValueError(f"{', '.join(taken)} cannot be set in extra")
        json.dumps(value, allow_nan=False)
        return value

    @field_validator("template", mode="before")
    @classmethod
    def _is_no_file(cls, value: Any) -> Any:
        if isinstance(value, dict) and "file" in value:
            raise ValueError("only the study's file can name a file; paste the text here")
        return value

    @field_validator("template", "system")
    @classmethod
    def _without_ends(cls, value: str | dict[str, str]) -> str | dict[str, str]:
        """A study's file and a page differ in the line breaks that they leave at the end."""
        if isinstance(value, str):
            return value.strip()
        return {step: text.strip() for step, text in value.items()}

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, dump: Any) -> dict[str, Any]:
        fields = type(self).model_fields
        return {
            name: value
            for name, value in dump(self).items()
            if name not in self.later or getattr(self, name) != fields[name].default
        }

    @property
    def asks_reason(self) -> bool:
        return self.reason == "before"


@dataclass(frozen=True)
class PlannedStep:
    """The expected size of one step of a conversation.

    text: everything that is sent in one call. calls: how many the step takes. reply_tokens: the
    expected length of a reply; counted up to the judge's `max_tokens`.
    """

    text: str
    calls: int = 1
    reply_tokens: int = REPLY_TOKENS


def estimated_tokens(text: str) -> int:
    """About how many tokens a text takes: a quarter of its bytes. Tokenizers vary by a fifth."""
    return -(-len(text.encode()) // BYTES_PER_TOKEN) + TOKENS_AROUND


def preamble_length(parameters: ChatParameters) -> int:
    """About how many tokens the system message and the examples of a judge take in every call."""
    texts = [parameters.system, *(example.model_dump_json() for example in parameters.examples)]
    return sum(estimated_tokens(text) for text in texts if text)
