"""Parameters of methods that ask a chat model, and estimates of what a conversation takes."""

import json
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, JsonValue, field_validator

from tasktypes.contract import Schema

# About four letters of English. Bytes, because other scripts take more tokens per letter.
BYTES_PER_TOKEN = 4
# Tokens that a provider adds to each message.
TOKENS_AROUND = 8
# The expected length of a reply where the method does not state one.
REPLY_TOKENS = 200
# Parameters that `extra` must not set: a request has them already, or they would change the shape
# of the reply.
RESERVED = frozenset(
    {"model", "messages", "temperature", "max_tokens", "max_completion_tokens", "seed", "n",
     "response_format", "logprobs", "top_logprobs", "stream", "stream_options"}
)  # fmt: skip


class ChatParameters(Schema):
    """Parameters of every method that asks a chat model.

    endpoint: which of the configured endpoints to ask. temperature, max_tokens: null leaves them to
    the endpoint. route: `batch` goes by the Batch API. structured: hold the reply to a JSON
    schema; `auto` does without where the endpoint rejects it. cached: take a reply that the
    same request has had before, instead of paying again. seed: whether to send one. extra:
    further parameters of the endpoint, such as `top_p`. replies: a file of recorded replies, for
    the backend that replays one.
    """

    endpoint: str = Field(default="default", min_length=1, max_length=80)
    temperature: float | None = Field(default=0.0, ge=0, le=2)
    max_tokens: int | None = Field(default=2048, ge=1)
    structured: Literal["auto", "never"] = "auto"
    cached: bool = True
    route: Literal["live", "batch"] = "live"
    seed: bool = True
    extra: dict[str, JsonValue] = Field(default_factory=dict)
    replies: str = ""
    replies_sha256: str = ""

    @field_validator("extra")
    @classmethod
    def _is_not_reserved(cls, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        taken = sorted(RESERVED & value.keys())
        if taken:
            raise ValueError(f"{', '.join(taken)} cannot be set in extra")
        json.dumps(value, allow_nan=False)
        return value


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
