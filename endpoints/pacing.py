"""How many calls an endpoint gets at once, and how long to wait before a retry."""

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
# Calls that wait for the same moment wait up to this share longer, each by chance.
SPREAD = 0.1
# One step down undoes several steps up, so that the limit settles at what the endpoint takes.
LESS, MORE = 0.7, 4.0


class Throttle:
    """A limit on calls at once that adapts to the endpoint.

    It starts at `most`, grows by `MORE` for every round of answered calls and shrinks to `LESS` of
    itself when a call meets an overload: once for all calls that were in flight at that time.
    per_minute: calls begin at most so often, one after another at equal distances.
    """

    def __init__(
        self,
        most: int,
        clock: Callable[[], float] = time.monotonic,
        *,
        per_minute: int | None = None,
    ) -> None:
        self.most, self.limit, self.clock = most, float(most), clock
        self.active = 0
        self.not_before, self.shrunk_at = clock(), -inf
        self.apart = 60 / per_minute if per_minute else 0.0
        self._next = -inf
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[float]:
        """Wait for a slot and hold it; yields the time at which the call may start."""
        await self._acquire()
        try:
            while (wait := self.not_before - self.clock()) > 0:
                # Spread out, so that they do not all come at the same moment.
                await asyncio.sleep(wait * random.uniform(1.0, 1.0 + SPREAD))  # noqa: S311
            await self._wait_for_turn()
            yield self.clock()
        finally:
            self.active -= 1
            self._wake()

    def record_success(self) -> None:
        """A call was answered."""
        self.limit = min(self.most, self.limit + MORE / self.limit)
        self._wake()

    def record_overload(self, started_at: float, wait: float | None) -> None:
        """A call that started then met an overload. wait: seconds to hold all calls back."""
        if started_at > self.shrunk_at:
            self.limit, self.shrunk_at = max(1.0, self.limit * LESS), self.clock()
        if wait is not None:
            self.not_before = max(self.not_before, self.clock() + wait)

    async def _wait_for_turn(self) -> None:
        if self.apart:
            turn = max(self._next, self.clock())
            self._next = turn + self.apart
            await asyncio.sleep(turn - self.clock())

    async def _acquire(self) -> None:
        while self.active >= int(self.limit):
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        self.active += 1

    def _wake(self) -> None:
        free = int(self.limit) - self.active
        while free > 0 and self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                free -= 1


def parse_retry_after(value: str, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for, whether it counts them or names a date.

    Never more than a minute; None where the header is missing or unreadable.
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
    # float() accepts "nan" and "inf".
    return min(max(seconds, 0.0), LONGEST_WAIT_SECONDS) if isfinite(seconds) else None


def backoff(first: float, tries: int, seed: int) -> float:
    """Seconds before the next try: doubled each time, and spread out by the seed so that calls
    that failed together do not come back together."""
    longest = min(first * 2.0 ** (tries - 1), LONGEST_WAIT_SECONDS)
    return longest * random.Random(f"{seed} {tries}").uniform(0.5, 1.0)  # noqa: S311 (no secret)
