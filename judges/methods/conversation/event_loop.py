"""Where talks are held: an event loop on a thread of its own, many talks at a time.

The thread that asked for the answers keeps the database: it hands out outcomes as they come, and
looks into the cache for the talks.
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from judges.backends.contract import Chat, Failure, Postponed, Reply, ReplyCache
from judges.methods.contract import Ask, Outcome, Tools
from judges.methods.conversation.parameters import ChatParameters
from judges.methods.conversation.talk import NoAnswer, Talk
from judges.retrieval.shared_pages import Errand, SharedPages

LINGER_SECONDS = 0.01


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


class Room:
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
