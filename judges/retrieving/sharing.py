"""Pages of the web for talks in an event loop, kept by the thread that has the database."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from judges.retrieving.page import Page, Pages

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
    """`send` hands an errand to that thread, which runs it as soon as it can."""

    def __init__(self, pages: Pages, send: Callable[[Errand], None]) -> None:
        self.pages, self.send = pages, send

    async def page(self, url: str, *, max_age_days: int | None = None) -> Page:
        """The page as it is kept, or else as it is found now, which is kept from then on."""
        kept = await self._there(lambda: self.pages.kept(url, max_age_days=max_age_days))
        if kept is not None:
            return kept
        page = await self.pages.retrieve(url)
        await self._there(lambda: self.pages.keep(page))
        return page

    async def _there(self, what: Callable[[], T]) -> T:
        done: Future[T] = Future()
        self.send(Errand(what, done))
        return await asyncio.wrap_future(done)
