"""A conversation: the calls that are made for one answer."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from judges.backends.contract import Chat, ChatRequest, Failure, Reply
from judges.methods.asks import Ask
from judges.methods.conversation.parameters import ChatParameters
from judges.methods.conversation.reasons import reasoned_schema, without_reason
from judges.methods.refusals import unreadable
from retrieval.page import Page
from retrieval.shared_pages import SharedPages
from tasktypes.schemas import Schema

T = TypeVar("T")
Message = Mapping[str, str]


class NoAnswer(Exception):
    """A conversation that led to no answer; its replies say why."""


@dataclass(frozen=True)
class ConversationReply:
    """A reply within a conversation. index: its place among the conversation's replies."""

    index: int
    reply: Reply

    @property
    def text(self) -> str:
        """The model's text, without its reasoning."""
        return self.reply.text_without_reasoning


@lru_cache(maxsize=256)
def _json_schema(schema: type[Schema], *, reasoned: bool = False) -> dict[str, Any]:
    """Made once for each schema: making it takes a tenth of the CPU time of a call."""
    made = schema.model_json_schema()
    return reasoned_schema(made) if reasoned else made


class Conversation:
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

    async def send(
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
    ) -> ConversationReply:
        """Make one call. NoAnswer where it fails; the failed reply is kept.

        messages: a string is one message of the user. temperature, max_tokens: None takes those of
        the judge's parameters. sample: calls of one step that differ only in it are independent.
        seed: None takes the ask's own; a call that is the same for every ask names one.
        """
        parameters = self.parameters
        request = replace(
            self._request(messages, step),
            sample=sample,
            seed=self._seed(seed, sample),
            schema=self._schema(schema),
            temperature=parameters.temperature if temperature is None else temperature,
            max_tokens=parameters.max_tokens if max_tokens is None else max_tokens,
            top_logprobs=top_logprobs,
        )
        return self._record(replace(await self.chat.reply(request), step=step))

    async def samples(
        self, messages: str | tuple[Message, ...], number: int, *, step: str = ""
    ) -> list[ConversationReply | None]:
        """So many samples of one step; None in place of one that failed, whose reply is kept.

        The endpoint may give several of them in one call.
        """
        request = self._request(messages, step)
        replies = await self.chat.replies(
            [replace(request, sample=n, seed=self._seed(None, n)) for n in range(number)]
        )
        samples: list[ConversationReply | None] = []
        for reply in replies:
            try:
                samples.append(self._record(replace(reply, step=step)))
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

    def _schema(self, schema: type[Schema] | None) -> dict[str, Any] | None:
        if schema is None or self.parameters.structured != "auto":
            return None
        return _json_schema(schema, reasoned=self.parameters.asks_reason)

    def _seed(self, named: int | None, sample: int) -> int | None:
        if not self.parameters.seed:
            return None
        return (self.ask.seed + sample) % 2**31 if named is None else named

    async def once(self, name: str, make: Callable[[], Awaitable[T]]) -> T:
        """A result that many conversations share, made by the first that needs it.

        The calls are kept with that conversation. If it fails, the next one tries again.
        """
        if name in self.shared:
            return await asyncio.shield(self.shared[name])
        result = self.shared[name] = asyncio.ensure_future(make())
        try:
            # Shielded: cancelling this conversation must not cancel what the others wait for.
            return await asyncio.shield(result)
        except BaseException:
            self.shared.pop(name, None)
            raise

    async def page(self, url: str, *, max_age_days: int | None = None) -> Page:
        """The page at a link, shared by all conversations; its outcome says why it has no text."""
        if self.pages is None:
            raise ValueError("pages: this conversation cannot retrieve any")
        return await self.pages.page(url, max_age_days=max_age_days)

    def add_reply(self, reply: Reply) -> None:
        """Record, as a call, a result that did not come from the model."""
        self.replies.append(reply)

    def add_detail(self, detail: Mapping[str, Any]) -> None:
        """Record with the last call what the method computed from the conversation."""
        last = self.replies[-1]
        self.replies[-1] = replace(last, detail={**last.detail, **detail})

    def answer_text(self, reply: ConversationReply, schema: type[Schema] | None = None) -> str:
        """The text of a reply in which the answer stands: a JSON object of that schema, or without
        one the last line. Where the judge asks for a reason, that is taken off and kept with the
        call. ReplyError where no such object can be found."""
        if not self.parameters.asks_reason:
            return reply.text
        reason, rest = without_reason(reply.text, schema)
        self.add_reason(reply, reason)
        return rest

    def add_reason(self, reply: ConversationReply, reason: str) -> None:
        """Keep with a call the reason that its reply gives, where the judge asks for one."""
        if reason and self.parameters.asks_reason:
            kept = self.replies[reply.index]
            self.replies[reply.index] = replace(kept, detail={**kept.detail, "reason": reason})

    def mark_unreadable(self, reply: ConversationReply, reason: str) -> NoAnswer:
        """Mark a reply as one without an answer. The caller raises the returned error, or goes
        on."""
        self.replies[reply.index] = unreadable(self.replies[reply.index], reason)
        return NoAnswer(reason)

    def mark_failed(self, reply: ConversationReply, failure: Failure, reason: str) -> NoAnswer:
        """Mark a reply that can be read and leads to no answer. The caller raises the error."""
        self.replies[reply.index] = self.replies[reply.index].failed(failure, reason)
        return NoAnswer(reason)

    def _record(self, reply: Reply) -> ConversationReply:
        self.replies.append(reply)
        if reply.failure:
            raise NoAnswer(reply.error)
        return ConversationReply(len(self.replies) - 1, reply)
