"""A model of inspect_ai as the backend of a judge, for a judge that scores an evaluation there.

inspect_ai is no dependency: whoever has an evaluation of it running has it.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from judges.backends.contract import ChatRequest, Failure, Reply

# What inspect_ai calls the ends of a reply that hold no whole answer.
_CUT = ("max_tokens", "model_length")
_FILTERED = "content_filter"


class InspectChat:
    """Asks a model of inspect_ai, which retries, limits and logs its calls. model: as its
    `get_model` gives it."""

    in_flight = 1

    def __init__(self, model: Any) -> None:
        self.model = model

    async def reply(self, request: ChatRequest) -> Reply:
        """The reply to one request."""
        started = time.monotonic()
        output = await self.model.generate(_messages(request), config=_config(request))
        took = round((time.monotonic() - started) * 1000)
        return _reply(output, latency_ms=took)

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """The replies to requests, at the same time."""
        return list(await asyncio.gather(*map(self.reply, requests)))

    async def close(self) -> None:
        """Do nothing: inspect_ai keeps the connections."""


def _messages(request: ChatRequest) -> list[Any]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    kinds = {"system": ChatMessageSystem, "assistant": ChatMessageAssistant}
    return [
        kinds.get(message["role"], ChatMessageUser)(content=message["content"])
        for message in request.messages
    ]


def _config(request: ChatRequest) -> Any:
    from inspect_ai.model import GenerateConfig, ResponseSchema
    from inspect_ai.util import JSONSchema

    options: dict[str, Any] = {
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "seed": request.seed,
        "extra_body": dict(request.extra) or None,
    }
    if request.top_logprobs:
        options |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    if request.schema is not None:
        schema = JSONSchema.model_validate(request.schema)
        options["response_schema"] = ResponseSchema(name="answer", json_schema=schema)
    return GenerateConfig(**options)


def _reply(output: Any, *, latency_ms: int) -> Reply:
    """The first choice as a reply; a failure where it holds no whole answer."""
    choice = output.choices[0] if output.choices else None
    finish = "" if choice is None else str(choice.stop_reason)
    detail: dict[str, Any] = {"model": output.model, "finish_reason": finish}
    if choice is not None and choice.logprobs is not None:
        detail["logprobs"] = [entry.model_dump() for entry in choice.logprobs.content]
    reply = Reply(
        text=output.completion,
        tokens_in=output.usage.input_tokens if output.usage else None,
        tokens_out=output.usage.output_tokens if output.usage else None,
        latency_ms=latency_ms,
        detail=detail,
    )
    if output.error:
        return reply.failed(Failure.ERROR, str(output.error))
    if finish == _FILTERED:
        return reply.failed(Failure.REFUSAL, "The endpoint's content filter stopped the reply.")
    if finish in _CUT:
        return reply.failed(Failure.TRUNCATED, "The reply was cut at the limit of tokens.")
    if not reply.text_without_reasoning.strip():
        return reply.failed(Failure.PARSE_FAILURE, "The reply is empty.")
    return reply
