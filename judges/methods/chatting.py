"""What the methods that talk with a chat model share: a talk for each answer, many at a time.

The talks run in an event loop on a thread of its own. The thread that asked for the answers keeps
the database: it hands out outcomes as they come, and looks into the cache for the talks.
"""

import asyncio
import json
import queue
import sys
import threading
import time
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, TypeVar

from pydantic import Field

from judges.backends.contract import Chat, ChatRequest, Failure, Postponed, Reply, ReplyCache
from judges.backends.opening import CHAT, CHATS, open_chat, settled_replies
from judges.endpoints import FREE, BadEndpoint, Price, endpoint
from judges.methods.contract import Ask, Cost, Later, Method, Outcome, Tools
from judges.retrieving.page import Page
from judges.retrieving.sharing import Errand, SharedPages
from tasktypes.contract import Schema

T = TypeVar("T")
Message = Mapping[str, str]


class ChatParameters(Schema):
    """What every method that talks with a chat model can be told.

    endpoint: which of the configured endpoints to ask. structured: hold the reply to a JSON
    schema; `auto` falls back to reading it where the endpoint cannot. cached: take a reply that the
    very same request has had before, and pay no second time. replies: a file of recorded replies,
    for the backend that replays one.
    """

    endpoint: str = Field(default="default", min_length=1, max_length=80)
    temperature: float | None = Field(default=0.0, ge=0, le=2)
    max_tokens: int | None = Field(default=2048, ge=1)
    structured: Literal["auto", "never"] = "auto"
    cached: bool = True
    route: Literal["live", "batch"] = "live"
    replies: str = ""
    replies_sha256: str = ""


C = TypeVar("C", bound=ChatParameters)

# A token of English is about four letters; bytes, because other scripts take more tokens a letter.
BYTES_PER_TOKEN = 4
# What a provider counts around each message.
TOKENS_AROUND = 8
# What a reply is expected to hold where the method does not say.
REPLY_TOKENS = 200
LINGER_SECONDS = 0.01


class NoAnswer(Exception):
    """A talk that led to no answer; the replies of the talk say why."""


@dataclass(frozen=True)
class Said:
    """A reply within a talk; `place` tells it apart."""

    place: int
    reply: Reply

    @property
    def text(self) -> str:
        return self.reply.text


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
        if isinstance(messages, str):
            messages = ({"role": "user", "content": messages},)
        parameters = self.parameters
        wanted = _json_schema(schema) if schema and parameters.structured == "auto" else None
        reply = await self.chat.reply(
            ChatRequest(
                messages=messages,
                unit=self.ask.unit,
                block=self.ask.block,
                replicate=self.ask.replicate,
                step=step,
                sample=sample,
                seed=(self.ask.seed + sample) % 2**31 if seed is None else seed,
                temperature=parameters.temperature if temperature is None else temperature,
                max_tokens=parameters.max_tokens if max_tokens is None else max_tokens,
                schema=wanted,
                top_logprobs=top_logprobs,
            )
        )
        return self._kept(replace(reply, step=step))

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


class ChatMethod(Method[C]):
    """A method that talks with a chat model: `judge` holds one talk."""

    backends = CHATS
    answers_per_chunk = 1000
    at_once = 32

    def __init__(self, parameters: C, *, model: str = "", backend: str = "") -> None:
        super().__init__(parameters, model=model, backend=backend or CHATS[0])
        if self.backend == CHAT and not model:
            raise ValueError("model: which model is to be asked is not named")
        if self.backend == CHAT:
            self._check_endpoint()

    def _check_endpoint(self) -> None:
        try:
            chosen = endpoint(self.parameters.endpoint)
        except BadEndpoint as error:
            raise ValueError(f"parameters.{error}") from error
        if self.parameters.route == "batch" and not chosen.batch:
            name = self.parameters.endpoint
            raise ValueError(f"parameters.route: endpoint {name} is configured without batches")
        if self.parameters.route == "batch" and not self.parameters.cached:
            raise ValueError("parameters.cached: the replies of batches have to be kept")

    @classmethod
    def settled(cls, parameters: C) -> C:
        """With the fingerprint of the file of replies, where there is one."""
        file, sha256 = settled_replies(parameters.replies)
        return parameters.model_copy(update={"replies": file, "replies_sha256": sha256})

    @abstractmethod
    async def judge(self, ask: Ask, talk: Talk) -> Schema:
        """The answer to one ask; NoAnswer where a reply failed or could not be read."""

    def plan(self, ask: Ask) -> Cost:
        """One call with the prompt and the question; a method of several steps says which."""
        question = json.dumps(ask.raw_payload, ensure_ascii=False)
        return self.expected(Step(self.prompt_text(ask.task_type) + question))

    def expected(self, *steps: Step) -> Cost:
        """Calls, tokens and USD of a talk of these steps: an estimate, from the length of texts.

        USD is None where nobody has said what the model charges; a replay costs nothing.
        """
        limit = self.parameters.max_tokens
        said = sum(step.calls * tokens_in(step.text) for step in steps)
        heard = sum(step.calls * min(step.reply_tokens, limit or sys.maxsize) for step in steps)
        price = self._price()
        return Cost(
            calls=sum(step.calls for step in steps),
            tokens_in=said,
            tokens_out=heard,
            usd=None if price is None else price.cost(said, heard),
        )

    def answer(self, ask: Ask) -> Outcome:
        return next(iter(self.answers([ask])))

    def answers(self, asks: Iterable[Ask]) -> Iterator[Outcome]:
        """Outcomes as they come. Closing the iterator drops the talks under way."""
        room = _Room(self._open, self.judge, self.parameters, asks, self.tools)
        try:
            yield from room.outcomes(self.tools.replies)
            if room.postponed:
                later = Later(self.parameters.endpoint, self.model, room.postponed)
                self.tools.later(later)
        finally:
            room.close()

    def _price(self) -> Price | None:
        if self.backend != CHAT:
            return FREE
        chosen = endpoint(self.parameters.endpoint)
        price = chosen.price(self.model)
        is_reduced = price is not None and self.parameters.route == "batch"
        return price.reduced(chosen.batch_factor) if price and is_reduced else price

    def _open(self, cache: "RemoteCache") -> Chat:
        return open_chat(
            self.backend,
            model=self.model,
            endpoint=self.parameters.endpoint,
            replies=self.parameters.replies,
            replies_sha256=self.parameters.replies_sha256,
            cache=cache if self.parameters.cached else None,
            by_batch=self.parameters.route == "batch",
        )


class RemoteCache:
    """The cache as an event loop sees it: looked into by the thread that owns the database."""

    def __init__(self, inbox: "queue.SimpleQueue[Any]") -> None:
        self.inbox = inbox

    async def get(self, key: str) -> Reply | None:
        """The reply kept under that key."""
        done: Future[Reply | None] = Future()
        self.inbox.put(_Look(key, done))
        return await asyncio.wrap_future(done)

    async def put(self, key: str, reply: Reply) -> None:
        """Keep a reply; returns when it is kept. So a talk never has more than one unkept reply,
        however far behind the database is, and no more than that is lost when a worker dies."""
        done: Future[None] = Future()
        self.inbox.put(_Keep(key, reply, done))
        await asyncio.wrap_future(done)


@dataclass(frozen=True)
class _Look:
    """A look into the cache that a talk waits for."""

    key: str
    done: "Future[Reply | None]"


@dataclass(frozen=True)
class _Keep:
    """A reply for the cache; a talk waits until it is there."""

    key: str
    reply: Reply
    done: "Future[None]"


@dataclass(frozen=True)
class _Ended:
    """The last message of a room."""

    error: BaseException | None = None


_Message = Outcome | _Look | _Keep | Errand | _Ended


def _tend(cache: ReplyCache, messages: Iterable[_Message]) -> None:
    """Keep and look up what was asked for; each in one go, replies first."""
    keeps = [m for m in messages if isinstance(m, _Keep)]
    if keeps:
        cache.keep({one.key: one.reply for one in keeps})
        for one in keeps:
            if one.done.set_running_or_notify_cancel():
                one.done.set_result(None)
    looks = [m for m in messages if isinstance(m, _Look)]
    if looks:
        found = cache.find({look.key for look in looks})
        for look in looks:
            if look.done.set_running_or_notify_cancel():
                look.done.set_result(found.get(look.key))
    for message in messages:
        if isinstance(message, Errand):
            message.run()


class _Room:
    """An event loop on its own thread, in which the talks are held."""

    def __init__(
        self,
        opening: Callable[[RemoteCache], Chat],
        judge: Callable[[Ask, Talk], Any],
        parameters: ChatParameters,
        asks: Iterable[Ask],
        tools: Tools,
    ) -> None:
        self.opening, self.judge, self.parameters = opening, judge, parameters
        self.asks, self.told = iter(asks), tools.told
        self.inbox: queue.SimpleQueue[_Message] = queue.SimpleQueue()
        self.loop = asyncio.new_event_loop()
        self.work: asyncio.Task[None] | None = None
        self.shared: dict[str, asyncio.Future[Any]] = {}
        self.postponed: dict[str, dict[str, Any]] = {}
        self.pages = SharedPages(tools.pages, self.inbox.put)
        self.thread = threading.Thread(target=self._run, name="talks", daemon=True)
        self.thread.start()

    def outcomes(self, cache: ReplyCache) -> Iterator[Outcome]:
        """Every outcome once; between them, looks into the cache, many at a time."""
        while True:
            messages = self._heard()
            _tend(cache, messages)
            for message in messages:
                if isinstance(message, Outcome):
                    yield message
                elif isinstance(message, _Ended):
                    if message.error is not None:
                        raise message.error
                    return

    def _heard(self) -> list["_Message"]:
        """What has been said, and a moment later: many rows cost little more than one."""
        messages = [self.inbox.get()]
        time.sleep(LINGER_SECONDS)
        while not self.inbox.empty():
            messages.append(self.inbox.get())
        return messages

    def close(self) -> None:
        """Drop what is under way, and wait for the thread."""
        if self.thread.is_alive():
            try:
                self.loop.call_soon_threadsafe(self._cancel)
            except RuntimeError:
                pass  # the loop has just closed by itself
        self.thread.join()

    def _cancel(self) -> None:
        if self.work is not None:
            self.work.cancel()

    def _run(self) -> None:
        error: BaseException | None = None
        try:
            self.work = self.loop.create_task(self._hold())
            self.loop.run_until_complete(self.work)
        except asyncio.CancelledError:
            pass
        except BaseException as raised:  # noqa: BLE001  (handed to the thread that asked)
            error = raised
        finally:
            self.loop.close()
            self.inbox.put(_Ended(error))

    async def _hold(self) -> None:
        chat = self.opening(RemoteCache(self.inbox))
        try:
            async with asyncio.TaskGroup() as group:
                # Twice as many as may be under way: the others wait for the cache meanwhile.
                for _ in range(2 * chat.in_flight):
                    group.create_task(self._one_after_another(chat))
        except BaseExceptionGroup as several:
            raise several.exceptions[0] from several
        finally:
            self.postponed = getattr(chat, "postponed", {})
            await chat.close()

    async def _one_after_another(self, chat: Chat) -> None:
        for ask in self.asks:
            try:
                outcome = await self._outcome(ask, chat)
            except Postponed:
                continue
            self.told(outcome)
            self.inbox.put(outcome)

    async def _outcome(self, ask: Ask, chat: Chat) -> Outcome:
        talk = Talk(ask, chat, self.parameters, self.shared, self.pages)
        try:
            answer = await self.judge(ask, talk)
        except NoAnswer as reason:
            if any(reply.failure for reply in talk.replies):
                return Outcome(ask, tuple(talk.replies))
            # Another talk holds the call that failed.
            failed = Reply().failed(Failure.ERROR, str(reason))
            return Outcome(ask, (*talk.replies, failed))
        except ValueError as error:
            failed = Reply().failed(Failure.ERROR, str(error))
            return Outcome(ask, (*talk.replies, failed))
        return Outcome(ask, tuple(talk.replies), answer)
