"""What methods that talk with a chat model can be told, and what a talk is thought to take."""

import json
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, JsonValue, field_validator

from tasktypes.contract import Schema

# A token of English is about four letters; bytes, because other scripts take more tokens a letter.
BYTES_PER_TOKEN = 4
# What a provider counts around each message.
TOKENS_AROUND = 8
# What a reply is expected to hold where the method does not say.
REPLY_TOKENS = 200
# What a request is made of, and what would change the shape of the reply.
OURS = frozenset(
    {"model", "messages", "temperature", "max_tokens", "max_completion_tokens", "seed", "n",
     "response_format", "logprobs", "top_logprobs", "stream", "stream_options"}
)  # fmt: skip


class ChatParameters(Schema):
    """What every method that talks with a chat model can be told.

    endpoint: which of the configured endpoints to ask. temperature, max_tokens: null leaves them to
    the endpoint. route: `batch` goes by the Batch API. structured: hold the reply to a JSON
    schema; `auto` falls back to reading it where the endpoint cannot. cached: take a reply that the
    very same request has had before, and pay no second time. seed: whether to send one. extra:
    what else the endpoint is told, such as `top_p`. replies: a file of recorded replies, for the
    backend that replays one.
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
    def _is_not_ours(cls, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        taken = sorted(OURS & value.keys())
        if taken:
            raise ValueError(f"{', '.join(taken)} is not among what may be added")
        json.dumps(value, allow_nan=False)
        return value


@dataclass(frozen=True)
class Step:
    """What a method expects to say in one step of a talk, and to hear.

    text: all that goes out in one call. calls: how many the step takes. reply_tokens: how long a
    reply is thought to be; never counted beyond the judge's `max_tokens`.
    """

    text: str
    calls: int = 1
    reply_tokens: int = REPLY_TOKENS


def tokens_in(text: str) -> int:
    """About how many tokens a text takes: a quarter of its bytes. Tokenizers differ by a fifth."""
    return -(-len(text.encode()) // BYTES_PER_TOKEN) + TOKENS_AROUND
