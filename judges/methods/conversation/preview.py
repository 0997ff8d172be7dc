"""The first request of a conversation, without asking a model."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any

from judges.backends.contract import ChatRequest, Postponed, Reply
from judges.methods.asks import Ask
from judges.methods.conversation.conversation import Conversation, NoAnswer
from judges.methods.conversation.parameters import ChatParameters


class _FirstRequest:
    """A chat backend that records the first request and never replies."""

    in_flight = 1

    def __init__(self) -> None:
        self.request: ChatRequest | None = None

    async def reply(self, request: ChatRequest) -> Reply:
        self.request = self.request or request
        raise Postponed

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        return [await self.reply(request) for request in requests]

    async def close(self) -> None:
        """Do nothing: no connection is open."""


def first_request(
    judge: Callable[[Ask, Conversation], Coroutine[Any, Any, Any]],
    ask: Ask,
    parameters: ChatParameters,
) -> ChatRequest | None:
    """The first request of the conversation about a question.

    None where the conversation needs something else before it, such as a page, or is impossible.
    """
    chat = _FirstRequest()

    async def hold() -> None:
        with suppress(Postponed, NoAnswer, ValueError):
            await judge(ask, Conversation(ask, chat, parameters))

    asyncio.run(hold())
    return chat.request


def as_text(messages: Sequence[Mapping[str, str]]) -> str:
    """Messages as one text, with their roles where there are several."""
    if len(messages) == 1:
        return messages[0]["content"]
    return "\n\n".join(f"[{message['role']}]\n{message['content']}" for message in messages)
