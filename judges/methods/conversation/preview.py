"""Hear what a talk would begin with, and ask nobody."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from judges.backends.contract import ChatRequest, Postponed, Reply
from judges.methods.contract import Ask
from judges.methods.conversation.parameters import ChatParameters
from judges.methods.conversation.talk import NoAnswer, Talk


class _Listener:
    """Takes down the first request, and never replies."""

    in_flight = 1

    def __init__(self) -> None:
        self.heard: ChatRequest | None = None

    async def reply(self, request: ChatRequest) -> Reply:
        self.heard = self.heard or request
        raise Postponed

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        return [await self.reply(request) for request in requests]

    async def close(self) -> None:
        """There is nothing to let go of."""


def first_request(
    judge: Callable[[Ask, Talk], Coroutine[Any, Any, Any]], ask: Ask, parameters: ChatParameters
) -> ChatRequest | None:
    """The first request of the talk about a question; None where it asks for something else
    before, such as a page, or cannot be held at all."""
    listener = _Listener()

    async def hold() -> None:
        with suppress(Postponed, NoAnswer, ValueError):
            await judge(ask, Talk(ask, listener, parameters))

    asyncio.run(hold())
    return listener.heard


def as_text(request: ChatRequest) -> str:
    """What is said in a request; who says it, where that is not only the user."""
    if len(request.messages) == 1:
        return request.messages[0]["content"]
    return "\n\n".join(f"[{one['role']}]\n{one['content']}" for one in request.messages)
