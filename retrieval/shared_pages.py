"""Pages for conversations in an event loop, stored by the thread that uses the database."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from retrieval.page import Page, Pages

T = TypeVar("T")


@dataclass(frozen=True)
class DatabaseJob:
    """A function that an event loop has called in the thread that uses the database."""

    function: Callable[[], Any]
    done: "Future[Any]"

    def run(self) -> None:
        """Call the function and pass its result on. An error is raised in both threads."""
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            self.done.set_result(self.function())
        except Exception as error:
            self.done.set_exception(error)
            raise


class SharedPages:
    """Pages as the conversations of one run share them: each link is retrieved once.

    send: hands a job to the thread that uses the database. Only retrievals under way are held here.
    Finished pages are read back from the database, because a run may retrieve many long ones.
    """

    def __init__(self, pages: Pages, send: Callable[[DatabaseJob], None]) -> None:
        self.pages, self.send = pages, send
        self.since = datetime.now(UTC)
        self._under_way: dict[str, asyncio.Task[Page]] = {}

    async def page(self, url: str, *, max_age_days: int | None = None) -> Page:
        """The stored page, or else the page as it is retrieved now, which is then stored."""
        retrieval = self._under_way.get(url)
        if retrieval is None:
            retrieval = asyncio.ensure_future(self._retrieve(url, max_age_days))
            self._under_way[url] = retrieval
            retrieval.add_done_callback(lambda _: self._under_way.pop(url, None))
        # Shielded: a conversation that is cancelled must not cancel what the others wait for.
        return await asyncio.shield(retrieval)

    async def _retrieve(self, url: str, max_age_days: int | None) -> Page:
        kept = await self._in_database_thread(lambda: self._kept(url, max_age_days))
        if kept is not None:
            return kept
        page = await self.pages.retrieve(url)
        await self._in_database_thread(lambda: self.pages.keep(page))
        return page

    def _kept(self, url: str, max_age_days: int | None) -> Page | None:
        """A stored page that is recent enough, or was retrieved in this run."""
        recent = self.pages.kept(url, max_age_days=max_age_days)
        if recent is not None or max_age_days is None:
            return recent
        newest = self.pages.kept(url)
        return newest if newest is not None and newest.retrieved_at >= self.since else None

    async def _in_database_thread(self, function: Callable[[], T]) -> T:
        done: Future[T] = Future()
        self.send(DatabaseJob(function, done))
        return await asyncio.wrap_future(done)
