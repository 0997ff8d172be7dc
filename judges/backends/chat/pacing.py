"""How fast an endpoint may be asked, and how long to wait before asking again."""

import asyncio
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import inf, isfinite

LONGEST_WAIT_SECONDS = 60.0
# How much longer than all have to wait some do, as a share.
SPREAD = 0.1
# One step down undoes several steps up: the limit finds what the endpoint can bear.
LESS, MORE = 0.7, 4.0


class Throttle:
    """A limit on calls at once that follows what the endpoint can bear.

    It starts at `most`, grows by `MORE` for every round of good calls and shrinks to `LESS` of
    itself when a call is turned away: once for all calls that were under way at that time.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.limit, self.clock = most, float(most), clock
        self.active = 0
        self.not_before, self.shrunk_at = clock(), -inf
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[float]:
        """Wait for a place among the calls at once, hold it; gives the moment of the start."""
        await self._a_place()
        try:
            while (wait := self.not_before - self.clock()) > 0:
                # A little longer, each by chance: they are not to come all at the same moment.
                await asyncio.sleep(wait * random.uniform(1.0, 1.0 + SPREAD))  # noqa: S311
            yield self.clock()
        finally:
            self.active -= 1
            self._wake()

    def went_well(self) -> None:
        """A call was answered."""
        self.limit = min(self.most, self.limit + MORE / self.limit)
        self._wake()

    def was_turned_away(self, began: float, wait: float | None) -> None:
        """A call that began then was too much; `wait`: for how long nobody is to ask."""
        if began > self.shrunk_at:
            self.limit, self.shrunk_at = max(1.0, self.limit * LESS), self.clock()
        if wait is not None:
            self.not_before = max(self.not_before, self.clock() + wait)

    async def _a_place(self) -> None:
        while self.active >= int(self.limit):
            mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(mine)
            await mine
        self.active += 1

    def _wake(self) -> None:
        free = int(self.limit) - self.active
        while free > 0 and self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                free -= 1


def retry_after(value: str, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for, whether it counts them or names a date.

    Never more than a minute; None where there is none that can be read.
    """
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
        except ValueError:
            return None
        seconds = (date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds()
    # "nan" and "inf" are floats to Python.
    return min(max(seconds, 0.0), LONGEST_WAIT_SECONDS) if isfinite(seconds) else None


def backoff(first: float, tries: int, seed: int) -> float:
    """Seconds before a call is made again after so many tries: doubled each time, and spread out
    by the seed so that calls that failed together do not come back together."""
    longest = min(first * 2.0 ** (tries - 1), LONGEST_WAIT_SECONDS)
    return longest * random.Random(f"{seed} {tries}").uniform(0.5, 1.0)  # noqa: S311 (no secret)
