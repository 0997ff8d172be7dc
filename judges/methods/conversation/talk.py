"""A talk: the calls that are made for one answer."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from judges.backends.contract import Chat, ChatRequest, Failure, Reply
from judges.methods.contract import Ask
from judges.methods.conversation.parameters import ChatParameters
from judges.retrieval.page import Page
from judges.retrieval.shared_pages import SharedPages
from tasktypes.contract import Schema

T = TypeVar("T")
Message = Mapping[str, str]


class NoAnswer(Exception):
    """A talk that led to no answer; the replies of the talk say why."""


@dataclass(frozen=True)
class Said:
    """A reply within a talk; `place` tells it apart."""

    place: int
    reply: Reply

    @property
    def text(self) -> str:
        """What the model said, not what it thought before."""
        return self.reply.spoken


@lru_cache(maxsize=256)
def _json_schema(schema: type[Schema]) -> dict[str, Any]:
    """Made once for each kind of reply: it takes as long as a tenth of a call."""
    return schema.model_json_schema()


class Talk:
    """The calls that are made for one answer."""

    def __init__(
        self,
        ask: Ask,
        chat: Chat,
        parameters: ChatParameters,
        shared: "dict[str, asyncio.Future[Any]] | None" = None,
        pages: SharedPages | None = None,
    ) -> None:
        self.ask, self.chat, self.parameters, self.pages = ask, chat, parameters, pages
        self.shared = {} if shared is None else shared
        self.replies: list[Reply] = []

    async def say(
        self,
        messages: str | tuple[Message, ...],
        *,
        step: str = "",
        sample: int = 0,
        schema: type[Schema] | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        top_logprobs: int = 0,
        seed: int | None = None,
    ) -> Said:
        """Make one call. NoAnswer where it fails; the failed reply is kept.

        messages: a text alone is what the user says. temperature and max_tokens of None: as the
        judge's parameters say. Calls of one step that differ in `sample` only are independent.
        seed of None: one of the ask's own; a call that is the same for every ask names one.
        """
        parameters = self.parameters
        request = replace(
            self._request(messages, step),
            sample=sample,
            seed=self._seed(seed, sample),
            schema=_json_schema(schema) if schema and parameters.structured == "auto" else None,
            temperature=parameters.temperature if temperature is None else temperature,
            max_tokens=parameters.max_tokens if max_tokens is None else max_tokens,
            top_logprobs=top_logprobs,
        )
        return self._kept(replace(await self.chat.reply(request), step=step))

    async def samples(
        self, messages: str | tuple[Message, ...], number: int, *, step: str = ""
    ) -> list[Said | None]:
        """So many samples of one step; None in place of one that failed, whose reply is kept.

        The endpoint may give several of them in one call.
        """
        request = self._request(messages, step)
        replies = await self.chat.replies(
            [replace(request, sample=n, seed=self._seed(None, n)) for n in range(number)]
        )
        samples: list[Said | None] = []
        for reply in replies:
            try:
                samples.append(self._kept(replace(reply, step=step)))
            except NoAnswer:
                samples.append(None)
        return samples

    def _request(self, messages: str | tuple[Message, ...], step: str) -> ChatRequest:
        if isinstance(messages, str):
            messages = ({"role": "user", "content": messages},)
        return ChatRequest(
            messages=messages,
            unit=self.ask.unit,
            block=self.ask.block,
            replicate=self.ask.replicate,
            step=step,
            temperature=self.parameters.temperature,
            max_tokens=self.parameters.max_tokens,
            extra=self.parameters.extra,
        )

    def _seed(self, named: int | None, sample: int) -> int | None:
        if not self.parameters.seed:
            return None
        return (self.ask.seed + sample) % 2**31 if named is None else named

    async def once(self, name: str, make: Callable[[], Awaitable[T]]) -> T:
        """What is the same for many talks: made in the first that needs it, which keeps the calls.

        Where it comes to nothing, the next talk tries again.
        """
        if name in self.shared:
            return await asyncio.shield(self.shared[name])
        made = self.shared[name] = asyncio.ensure_future(make())
        try:
            return await asyncio.shield(made)
        except BaseException:
            self.shared.pop(name, None)
            raise

    async def page(self, url: str, *, max_age_days: int | None = None) -> Page:
        """The page at a link, the same for all talks; one that cannot be had says why."""
        if self.pages is None:
            raise ValueError("pages: this talk cannot retrieve any")
        return await self.pages.page(url, max_age_days=max_age_days)

    def note(self, reply: Reply) -> None:
        """Keep among the calls what was found out otherwise than from the model."""
        self.replies.append(reply)

    def remark(self, detail: Mapping[str, Any]) -> None:
        """Keep with the last call what the method made of the talk."""
        last = self.replies[-1]
        self.replies[-1] = replace(last, detail={**last.detail, **detail})

    def unreadable(self, said: Said, reason: str) -> NoAnswer:
        """Mark a reply as one that cannot be read: `raise talk.unreadable(…)`, or go on."""
        marked = self.replies[said.place].failed(Failure.PARSE_FAILURE, reason)
        self.replies[said.place] = marked
        return NoAnswer(reason)

    def _kept(self, reply: Reply) -> Said:
        self.replies.append(reply)
        if reply.failure:
            raise NoAnswer(reply.error)
        return Said(len(self.replies) - 1, reply)
