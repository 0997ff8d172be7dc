"""Pages of the web for talks in an event loop, kept by the thread that has the database."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from judges.retrieval.page import Page, Pages

T = TypeVar("T")


@dataclass(frozen=True)
class Errand:
    """What somebody in an event loop wants done in the thread that has the database."""

    what: Callable[[], Any]
    done: "Future[Any]"

    def run(self) -> None:
        """Do it, and tell who waits; an error is theirs, and ours."""
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            self.done.set_result(self.what())
        except Exception as error:
            self.done.set_exception(error)
            raise


class SharedPages:
    """Pages as the talks of one run see them: each link is gone to once, however many ask.

    `send` hands an errand to that thread, which runs it as soon as it can. Only what is under way
    is held here: what is finished is in the memory, and a run may look up many long pages.
    """

    def __init__(self, pages: Pages, send: Callable[[Errand], None]) -> None:
        self.pages, self.send = pages, send
        self.since = datetime.now(UTC)
        self._under_way: dict[str, asyncio.Task[Page]] = {}

    async def page(self, url: str, *, max_age_days: int | None = None) -> Page:
        """The page as it is kept, or else as it is found now, which is kept from then on."""
        finding = self._under_way.get(url)
        if finding is None:
            finding = asyncio.ensure_future(self._found(url, max_age_days))
            self._under_way[url] = finding
            finding.add_done_callback(lambda _: self._under_way.pop(url, None))
        # Who stops waiting does not take the page from the others.
        return await asyncio.shield(finding)

    async def _found(self, url: str, max_age_days: int | None) -> Page:
        kept = await self._there(lambda: self._kept(url, max_age_days))
        if kept is not None:
            return kept
        page = await self.pages.retrieve(url)
        await self._there(lambda: self.pages.keep(page))
        return page

    def _kept(self, url: str, max_age_days: int | None) -> Page | None:
        """What is kept and young enough, or was retrieved in this very run."""
        young = self.pages.kept(url, max_age_days=max_age_days)
        if young is not None or max_age_days is None:
            return young
        newest = self.pages.kept(url)
        return newest if newest is not None and newest.retrieved_at >= self.since else None

    async def _there(self, what: Callable[[], T]) -> T:
        done: Future[T] = Future()
        self.send(Errand(what, done))
        return await asyncio.wrap_future(done)
