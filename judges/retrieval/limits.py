"""So many at once, in whichever event loop: every run has a loop of its own."""

import asyncio
from weakref import WeakKeyDictionary


class Turns:
    """`async with turns.here:` waits until fewer than `at_once` others are inside."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            WeakKeyDictionary()
        )

    @property
    def here(self) -> asyncio.Semaphore:
        """The turns of the loop that is running."""
        loop = asyncio.get_running_loop()
        if loop not in self._loops:
            self._loops[loop] = asyncio.Semaphore(self.at_once)
        return self._loops[loop]
