"""Workers who stay when the server fails: they do what the pages' scripts do in a browser.

What was not answered is sent again as it was, after a pause, for as long as the status is one that
another try may change. Every page that they get is looked at.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.light_client import Reply, Unexpected, Visitor
from bench.serve.crowd import WENT_WRONG, NothingLeft
from bench.serve.jurybox import Annotator

# As in static/js/autosave.js: how long an answer is waited for, and what is tried again.
WAIT_S = 15.0
PAUSE_S = 1.0
PATIENCE_S = 180.0
# How often a worker looks again in the end, when nothing seems to be left.
LAST_LOOKS = 3
OURS = (b"Jurybox</title>", b'id="saved"')


@dataclass
class Seen:
    """What workers met. statuses: of answers that something was wrong with. bare: those that said
    so in no words of ours. unreached: requests without an answer."""

    statuses: Counter[int] = field(default_factory=Counter)
    bare: list[str] = field(default_factory=list)
    unreached: int = 0
    unexpected: Counter[str] = field(default_factory=Counter)

    def look_at(self, reply: Reply) -> None:
        if reply.status < 400:
            return
        self.statuses[reply.status] += 1
        if not any(words in reply.body for words in OURS):
            self.bare.append(f"{reply.status}: {reply.body[:200]!r}")


@dataclass
class PatientVisitor(Visitor):
    """A browser that tries again."""

    seen: Seen = field(default_factory=Seen)

    async def _exchange(self, request: bytes) -> Reply:
        give_up_at = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up_at:
            try:
                async with asyncio.timeout(WAIT_S):
                    reply = await super()._exchange(request)
            except (OSError, asyncio.IncompleteReadError, ValueError):
                self.seen.unreached += 1
            else:
                self.seen.look_at(reply)
                if reply.status != 429 and reply.status < 500:
                    return reply
            self.close()
            await asyncio.sleep(PAUSE_S * random.uniform(0.5, 1.5))
        raise Unexpected(f"no answer within {PATIENCE_S:g} s")


class PatientWorker(Annotator):
    """Somebody who finds the way back to the open batch."""

    async def save(self) -> None:
        # Until it is acknowledged nobody knows which answer is stored.
        self.saved.pop((self.batch, self.position), None)
        await super().save()


@dataclass
class Crowd:
    """Workers of one study. think: the mean seconds between a question and its answer."""

    workers: Sequence[PatientWorker]
    seen: Seen
    think: float
    hurry: bool = False  # once all faults are over, to the end of the study
    n_saves: int = 0

    @classmethod
    def of(cls, count: int, *, port: int, slug: str, token: str, think: float) -> "Crowd":
        seen = Seen()
        workers = [
            PatientWorker(PatientVisitor(port, seen=seen), slug, token, random.Random(number))
            for number in range(count)
        ]
        return cls(workers, seen, think)

    async def work(self) -> None:
        """Until nothing is left to any of them."""
        await asyncio.gather(*(self._work(worker) for worker in self.workers))

    async def _work(self, worker: PatientWorker) -> None:
        has_entered, looks = False, 0
        while looks < LAST_LOOKS:
            try:
                if not has_entered:
                    await worker.enter()
                    has_entered = True
                await worker.fetch()
                await self._think()
                await worker.save()
                self.n_saves += 1
                looks = 0
            except NothingLeft:
                looks += self.hurry
                await asyncio.sleep(PAUSE_S)
            except WENT_WRONG as why:
                self.seen.unexpected[f"{type(why).__name__}: {why}"] += 1
                worker.batch = ""  # the overview leads back to it
                await asyncio.sleep(PAUSE_S)
        worker.visitor.close()

    async def _think(self) -> None:
        if not self.hurry:
            await asyncio.sleep(random.expovariate(1 / self.think))
