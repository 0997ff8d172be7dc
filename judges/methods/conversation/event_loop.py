"""An event loop on a thread of its own that holds many conversations at a time.

Only the thread that asked for the answers uses the database: it yields the outcomes as they come,
and looks up and keeps cached replies on behalf of the conversations.
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
from judges.methods.asks import Ask, AskOutcome, Tools
from judges.methods.conversation.conversation import Conversation, NoAnswer
from judges.methods.conversation.parameters import ChatParameters
from retrieval.shared_pages import DatabaseJob, SharedPages

# How long to wait for further messages before a batch of them is handled.
LINGER_SECONDS = 0.01


class LoopCache:
    """The reply cache as conversations in the event loop use it."""

    def __init__(self, inbox: "queue.SimpleQueue[Any]") -> None:
        self.inbox = inbox

    async def get(self, key: str) -> Reply | None:
        """The reply under that key."""
        done: Future[Reply | None] = Future()
        self.inbox.put(_Lookup(key, done))
        return await asyncio.wrap_future(done)

    async def put(self, key: str, reply: Reply) -> None:
        """Keep a reply; returns once it is kept.

        Because a conversation waits for it, at most one paid reply of each is lost when a worker
        dies, however slow the database is.
        """
        done: Future[None] = Future()
        self.inbox.put(_Insert(key, reply, done))
        await asyncio.wrap_future(done)


@dataclass(frozen=True)
class _Lookup:
    """A lookup in the cache that a conversation waits for."""

    key: str
    done: "Future[Reply | None]"


@dataclass(frozen=True)
class _Insert:
    """A reply for the cache; a conversation waits until it is there."""

    key: str
    reply: Reply
    done: "Future[None]"


@dataclass(frozen=True)
class _Ended:
    """The last message of an event loop."""

    error: BaseException | None = None


_Message = AskOutcome | _Lookup | _Insert | DatabaseJob | _Ended


def _use_database(cache: ReplyCache, messages: Iterable[_Message]) -> None:
    """Insert all replies in one statement, then look up all keys in another, then run the jobs."""
    inserts = [m for m in messages if isinstance(m, _Insert)]
    if inserts:
        cache.keep({insert.key: insert.reply for insert in inserts})
        for insert in inserts:
            if insert.done.set_running_or_notify_cancel():
                insert.done.set_result(None)
    lookups = [m for m in messages if isinstance(m, _Lookup)]
    if lookups:
        replies = cache.find({lookup.key for lookup in lookups})
        for lookup in lookups:
            if lookup.done.set_running_or_notify_cancel():
                lookup.done.set_result(replies.get(lookup.key))
    for message in messages:
        if isinstance(message, DatabaseJob):
            message.run()


class ConversationLoop:
    """The event loop of the conversations, on its own thread."""

    def __init__(
        self,
        open_chat: Callable[[LoopCache], Chat],
        judge: Callable[[Ask, Conversation], Any],
        parameters: ChatParameters,
        asks: Iterable[Ask],
        tools: Tools,
    ) -> None:
        self.open_chat, self.judge, self.parameters = open_chat, judge, parameters
        self.asks, self.on_outcome = iter(asks), tools.on_outcome
        self.may_begin, self.under_way = tools.may_begin, 0
        self.ended = asyncio.Condition()
        self.inbox: queue.SimpleQueue[_Message] = queue.SimpleQueue()
        self.loop = asyncio.new_event_loop()
        self.main_task: asyncio.Task[None] | None = None
        self.shared: dict[str, asyncio.Future[Any]] = {}
        self.postponed: dict[str, dict[str, Any]] = {}
        self.pages = SharedPages(tools.pages, self.inbox.put)
        self.thread = threading.Thread(target=self._run, name="conversations", daemon=True)
        self.thread.start()

    def outcomes(self, cache: ReplyCache) -> Iterator[AskOutcome]:
        """Every outcome once. In between, this thread does the database work of the loop."""
        while True:
            messages = self._next_messages()
            _use_database(cache, messages)
            for message in messages:
                if isinstance(message, AskOutcome):
                    yield message
                elif isinstance(message, _Ended):
                    if message.error is not None:
                        raise message.error
                    return

    def _next_messages(self) -> list["_Message"]:
        """All messages that have come, and those of the next moment: one statement for many rows
        costs little more than for one."""
        messages = [self.inbox.get()]
        time.sleep(LINGER_SECONDS)
        while not self.inbox.empty():
            messages.append(self.inbox.get())
        return messages

    def close(self) -> None:
        """Cancel the conversations under way, and wait for the thread."""
        if self.thread.is_alive():
            try:
                self.loop.call_soon_threadsafe(self._cancel)
            except RuntimeError:
                pass  # the loop has just closed by itself
        self.thread.join()

    def _cancel(self) -> None:
        if self.main_task is not None:
            self.main_task.cancel()

    def _run(self) -> None:
        error: BaseException | None = None
        try:
            self.main_task = self.loop.create_task(self._hold_all())
            self.loop.run_until_complete(self.main_task)
        except asyncio.CancelledError:
            pass
        except BaseException as raised:  # noqa: BLE001  (raised again in the thread that asked)
            error = raised
        finally:
            self.loop.close()
            self.inbox.put(_Ended(error))

    async def _hold_all(self) -> None:
        chat = self.open_chat(LoopCache(self.inbox))
        try:
            async with asyncio.TaskGroup() as group:
                # Twice as many as may be in flight: half of them wait for the cache meanwhile.
                for _ in range(2 * chat.in_flight):
                    group.create_task(self._hold_one_after_another(chat))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        finally:
            self.postponed = getattr(chat, "postponed", {})
            await chat.close()

    async def _hold_one_after_another(self, chat: Chat) -> None:
        while (ask := await self._next_ask()) is not None:
            try:
                outcome = await self._outcome(ask, chat)
                self.on_outcome(outcome)
                self.inbox.put(outcome)
            except Postponed:
                pass
            finally:
                await self._note_end()

    async def _next_ask(self) -> Ask | None:
        """The next ask, as soon as it may begin beside those under way; None after the last."""
        async with self.ended:
            await self.ended.wait_for(lambda: self.may_begin(self.under_way))
            ask = next(self.asks, None)
            self.under_way += ask is not None
            return ask

    async def _note_end(self) -> None:
        async with self.ended:
            self.under_way -= 1
            self.ended.notify_all()

    async def _outcome(self, ask: Ask, chat: Chat) -> AskOutcome:
        conversation = Conversation(ask, chat, self.parameters, self.shared, self.pages)
        try:
            answer = await self.judge(ask, conversation)
        except NoAnswer as error:
            if any(reply.failure for reply in conversation.replies):
                return AskOutcome(ask, tuple(conversation.replies))
            # The call that failed was shared (`Conversation.once`): another one has its reply.
            failed = Reply().failed(Failure.ERROR, str(error))
            return AskOutcome(ask, (*conversation.replies, failed))
        except ValueError as error:
            failed = Reply().failed(Failure.ERROR, str(error))
            return AskOutcome(ask, (*conversation.replies, failed))
        return AskOutcome(ask, tuple(conversation.replies), answer)
