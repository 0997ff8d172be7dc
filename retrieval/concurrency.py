"""How many pages are worked on at once: in an event loop, and in the thread that reads them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

P = ParamSpec("P")
T = TypeVar("T")

# A page that is made to be hard to read may take seconds, and hundreds of megabytes: one at a
# time, while the event loop goes on. Not the default executor, whose threads look up names.
_READER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pages")


class LoopSemaphores:
    """A semaphore for each event loop: every run has a loop of its own, and asyncio's semaphores
    belong to one loop. `async with slots.current:` lets `at_once` tasks in."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            WeakKeyDictionary()
        )

    @property
    def current(self) -> asyncio.Semaphore:
        """The semaphore of the running loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._loops:
            self._loops[loop] = asyncio.Semaphore(self.at_once)
        return self._loops[loop]


async def run_in_reader(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of `work`, called in the thread that reads pages."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_READER, partial(work, *args, **kwargs))
