"""A crowd of workers at one server: what they do, counted and timed."""

import asyncio
import os
import resource
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from bench.light_client import Unexpected

# So many come in at once: logging in is no part of what is timed.
ENTER_AT_ONCE = 8
WENT_WRONG = (Unexpected, OSError, asyncio.IncompleteReadError)


class NothingLeft(Exception):
    """There is no further question for this worker."""


class Worker(Protocol):
    """Somebody at a server. `enter` comes first, then `fetch` and `save` in turn."""

    async def enter(self) -> None:
        """Sign in, and go as far as the first question."""

    async def fetch(self) -> None:
        """Get the next question, whatever it takes. NothingLeft where there is none."""

    async def save(self) -> None:
        """Save an answer to it; returns once the server has said that it is saved."""

    async def finish(self) -> None:
        """Come to an end, after the time that counts."""


@dataclass(frozen=True)
class Load:
    """How many workers, and for how long: the warm-up is not counted."""

    users: int = 50
    warm_up: float = 3.0
    seconds: float = 15.0

    @classmethod
    def from_environment(cls) -> "Load":
        """`SERVE_USERS`, `SERVE_WARM_UP` and `SERVE_SECONDS` where they are set."""
        return cls(
            users=int(os.environ.get("SERVE_USERS", cls.users)),
            warm_up=float(os.environ.get("SERVE_WARM_UP", cls.warm_up)),
            seconds=float(os.environ.get("SERVE_SECONDS", cls.seconds)),
        )


@dataclass
class Tally:
    """What happened: (moment of the end, seconds it took) of each fetch and save, and errors."""

    fetches: list[tuple[float, float]] = field(default_factory=list)
    saves: list[tuple[float, float]] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    ran_out: int = 0
    client_cpu: float = 0.0  # of one core, over the whole drive

    def count(self, why: BaseException) -> None:
        """One more that went wrong in this way."""
        told = str(why) if isinstance(why, Unexpected) else f"{type(why).__name__}: {why}"
        self.errors[told] += 1

    @contextmanager
    def counting_cpu(self) -> Iterator[None]:
        """Say how much of a core this process takes meanwhile."""
        cpu, began = _cpu(), time.perf_counter()
        yield
        self.client_cpu = (_cpu() - cpu) / (time.perf_counter() - began)

    def between(self, begin: float, end: float) -> "Timed":
        """Those that ended within that time."""
        return Timed(
            seconds=end - begin,
            fetches=sorted(took for at, took in self.fetches if begin <= at < end),
            saves=sorted(took for at, took in self.saves if begin <= at < end),
        )


@dataclass(frozen=True)
class Timed:
    """The fetches and saves of a stretch of time: seconds each, ascending."""

    seconds: float
    fetches: list[float]
    saves: list[float]

    @property
    def per_second(self) -> float:
        return len(self.saves) / self.seconds


def percentile(ascending: list[float], share: float) -> float:
    """The smallest value that at least that share of them do not exceed. Needs one value."""
    return ascending[max(0, -int(-share * len(ascending) // 1) - 1)]


async def drive(workers: list[Worker], load: Load) -> tuple[Tally, Timed]:
    """Let all come in, work for the time of the load, and finish."""
    tally = Tally()
    await enter_all(workers, tally)
    began = time.perf_counter()
    end = began + load.warm_up + load.seconds
    with tally.counting_cpu():
        await asyncio.gather(*(_work(worker, tally, end) for worker in workers))
    await _all(workers, lambda worker: worker.finish(), tally, at_once=len(workers))
    return tally, tally.between(began + load.warm_up, end)


async def enter_all(workers: Sequence[Worker], tally: Tally) -> None:
    """Let all come in, a few at once."""
    await _all(workers, lambda worker: worker.enter(), tally, at_once=ENTER_AT_ONCE)


async def _work(worker: Worker, tally: Tally, end: float) -> None:
    while (began := time.perf_counter()) < end:
        try:
            await worker.fetch()
            fetched = time.perf_counter()
            await worker.save()
        except NothingLeft:
            tally.ran_out += 1
            return
        except WENT_WRONG as why:
            tally.count(why)
            await asyncio.sleep(0.1)  # nobody hammers at a server that is down
        else:
            saved = time.perf_counter()
            tally.fetches.append((fetched, fetched - began))
            tally.saves.append((saved, saved - fetched))


async def _all(
    workers: Sequence[Worker],
    do: Callable[[Worker], Awaitable[None]],
    tally: Tally,
    *,
    at_once: int,
) -> None:
    room = asyncio.Semaphore(at_once)

    async def guarded(worker: Worker) -> None:
        async with room:
            try:
                await do(worker)
            except WENT_WRONG as why:
                tally.count(why)

    await asyncio.gather(*(guarded(worker) for worker in workers))


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
