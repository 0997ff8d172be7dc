"""People who think: each answers, thinks again, and does not wait for the others.

An open loop: how much is asked depends on how many people there are, not on how fast the server
is, so more of them than it can serve make it refuse. A crowd of so many people answers for a while;
then twice as many as the most that were served well. `THINK_PEOPLE` (`200,400,800,1600`, the
steps), `THINK_SECONDS` (60), `THINK_MEAN` (20, of thinking), `THINK_ON` (`sqlite,postgresql,disk`).
`THINK_SHORT=1` takes one small step on SQLite.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench.light_client import Unexpected
from bench.measure import Row
from bench.serve.comparing import BATCH
from bench.serve.crowd import WENT_WRONG, Tally, enter_all, percentile
from bench.serve.databases import ON_DISK, POSTGRES, SQLITE, Database
from bench.serve.jurybox import Annotator, Jurybox
from bench.serve.servers import NotToBeHad
from bench.serve.target import OVERLAP, Stored

WEB_PROCESSES = 2
WELL_SERVED_S = 0.5
# Units for every person, so that nobody runs out: they share each with others.
EACH = 40
RETRY_AFTER = 5.0


@dataclass(frozen=True)
class Thinking:
    """So many people, each of whom thinks for so many seconds in the mean, for so long."""

    people: int
    seconds: float
    mean: float


@dataclass
class Step:
    """One step of the curve: seconds of each request that was answered, refusals and errors."""

    people: int
    tally: Tally = field(default_factory=Tally)
    refused: int = 0
    stored: Stored = field(default_factory=lambda: Stored(saved=0, lost=0))
    took: list[float] = field(default_factory=list)

    @property
    def p99(self) -> float:
        return percentile(sorted(self.took), 0.99) if self.took else float("inf")

    @property
    def is_served_well(self) -> bool:
        return self.p99 <= WELL_SERVED_S and not self.refused and not self.tally.errors

    def in_words(self) -> str:
        ascending = sorted(self.took) or [float("inf")]
        middle, high = (percentile(ascending, share) * 1_000 for share in (0.5, 0.99))
        return (
            f"{self.people} people: {len(self.took):,} requests, "
            f"p50 {middle:.0f} ms, p99 {high:.0f} ms, "
            f"{self.refused} refused, {sum(self.tally.errors.values())} errors "
            f"{self.tally.errors.most_common(2) or ''}, {self.stored.saved:,} saved, "
            f"{self.stored.lost} lost, client {self.tally.client_cpu:.2f} of a core"
        )


def run() -> Iterator[Row]:
    """The curve on each setting, the most people served well, and twice as many."""
    short = bool(os.environ.get("THINK_SHORT"))
    people = [int(n) for n in os.environ.get("THINK_PEOPLE", "200,400,800,1600").split(",")]
    seconds, mean = (
        float(os.environ.get(name, default))
        for name, default in (("THINK_SECONDS", "60"), ("THINK_MEAN", "20"))
    )
    if short:
        people, seconds, mean = [20], 6.0, 2.0
    wanted = "sqlite" if short else os.environ.get("THINK_ON", "sqlite,postgresql,disk")
    for key in wanted.split(","):
        yield from _curve(SETTINGS[key], people, seconds, mean)


SETTINGS = {"sqlite": SQLITE, "postgresql": POSTGRES, "disk": ON_DISK}


def _curve(database: Database, people: list[int], seconds: float, mean: float) -> Iterator[Row]:
    most = 0
    for count in people:
        step = _step(database, Thinking(count, seconds, mean))
        yield from _rows(database, step)
        if not step.is_served_well:
            break
        most = count
    yield Row(
        what=f"{database.name}: people per web process at p99 <= {WELL_SERVED_S * 1_000:.0f} ms",
        ours=most / WEB_PROCESSES,
        unit="people",
        note=f"each thinks for {mean:g} s in the mean; the most of {people} that were served well",
    )
    if most:
        yield from _rows(database, _step(database, Thinking(2 * most, seconds, mean)))


def _rows(database: Database, step: Step) -> Iterator[Row]:
    wrong = step.stored.lost + sum(step.tally.errors.values())
    what = f"{database.name}: {step.people} people"
    yield Row(what=f"{what}, p99", ours=step.p99 * 1_000, unit="ms", note=step.in_words())
    yield Row(
        what=f"{what}, answers lost, and errors",
        ours=wrong,
        unit="",
        bar="none",
        met=wrong == 0 and step.stored.saved > 0,
        note=f"{step.refused} requests were refused with the time to try again, and came again",
    )


def _step(database: Database, load: Thinking) -> Step:
    units = load.people * EACH // OVERLAP + BATCH
    target = Jurybox(database, "think", units, BATCH)
    step = Step(load.people)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="jurybox-bench-") as folder,
            target.serve(Path(folder)),
        ):
            workers = list(target.workers(load.people))
            asyncio.run(_answer(workers, load, step))
            step.stored = target.stored(workers)
    except NotToBeHad as reason:
        step.tally.errors[str(reason)] += 1
    print(f"  {database.name}, {step.in_words()}", file=sys.stderr)
    return step


async def _answer(workers: list[Annotator], load: Thinking, step: Step) -> None:
    await enter_all(workers, step.tally)
    end = time.perf_counter() + load.seconds
    with step.tally.counting_cpu():
        await asyncio.gather(*(_one(worker, load.mean, end, step) for worker in workers))
    for worker in workers:
        worker.visitor.close()


async def _one(worker: Annotator, mean: float, end: float, step: Step) -> None:
    """Think, save what was thought of, get the next question. Whoever is refused comes again."""
    while True:
        await asyncio.sleep(worker.rng.expovariate(1 / mean))
        if time.perf_counter() >= end:
            return
        if await _insist(worker.fetch, worker.rng, step):
            await _insist(worker.save, worker.rng, step)


async def _insist(act: Callable[[], Awaitable[None]], rng: Random, step: Step) -> bool:
    """Whether it came about, after however many refusals."""
    for _ in range(20):
        began = time.perf_counter()
        try:
            await act()
        except Unexpected as why:
            if ": 503, not" not in str(why):
                step.tally.count(why)
                return False
            step.refused += 1
            await asyncio.sleep(RETRY_AFTER * (0.5 + rng.random()))
        except WENT_WRONG as why:
            step.tally.count(why)
            return False
        else:
            step.took.append(time.perf_counter() - began)
            return True
    step.tally.errors["refused twenty times"] += 1
    return False
