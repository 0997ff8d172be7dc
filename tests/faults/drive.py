"""Faults one after another while a crowd works, and what is left of it all."""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import psutil
from redis import RedisError

from tests.faults.faults import Fault, possible
from tests.faults.installation import Embedded, Installation, Served
from tests.faults.receiver import Receiver
from tests.faults.study import SLUG
from tests.faults.workers import Crowd, Seen

WORKERS = 40
# So many units for each fault: most are answered while faults go on, the others when all is well.
UNITS_PER_FAULT, MOST_UNITS = 18, 5_000
SHARE_UNDER_FAULTS, SECONDS_PER_FAULT = 0.6, 6.0
BETWEEN_S = (0.3, 1.5)
# The files of exports stay, and grow with the study.
ASK_EVERY_S, MOST_ASKED = 30.0, 20
FINISH_WITHIN_S = 1_800.0
WENT_WRONG = (OSError, AssertionError, subprocess.SubprocessError, psutil.Error, RedisError)


@dataclass
class Kind:
    """What happened during the faults of one kind."""

    n: int = 0
    saves: int = 0
    unreached: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    bare: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        counts = f"{self.n:>4}{self.seconds:>7.0f}{self.saves:>7}{self.statuses[503]:>6}"
        return f"{counts}{self.statuses[500]:>5}{self.bare:>6}  {self.unreached}"


@dataclass
class Report:
    """What a run of faults has shown. not_done: faults that the suite itself could not do."""

    setting: str
    seed: int
    kinds: dict[str, Kind] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    not_done: list[str] = field(default_factory=list)
    seen: Seen = field(default_factory=Seen)
    acknowledged: int = 0
    submitted: int = 0
    asked: int = 0
    found: dict[str, Any] = field(default_factory=dict)

    def wrong(self) -> dict[str, int]:
        """Whatever is not as it must be, by name."""
        figures = {
            **self.found["wrong"],
            "bare errors": len(self.seen.bare),
            "status 500": self.seen.statuses[500],
            "unexpected": sum(self.seen.unexpected.values()),
            "faults not done": len(self.not_done),
        }
        return {name: number for name, number in figures.items() if number}

    def __str__(self) -> str:
        n_faults = sum(kind.n for kind in self.kinds.values())
        told = self.found["how_many"] | {"asked": self.asked}
        lines = [
            f"{self.setting}: {n_faults} faults, seed {self.seed}",
            f"  {'fault':<34}   n      s  saves   503  500  bare  unreached",
            *(f"  {name:<34}{kind}" for name, kind in sorted(self.kinds.items())),
            *(f"  left out: {name} ({why})" for name, why in self.left_out.items()),
            *(f"  not done: {text}" for text in self.not_done),
            f"  acknowledged: {self.acknowledged} saves, {self.submitted} batches",
            f"  {', '.join(f'{name} {number}' for name, number in told.items())}",
            f"  what went on in the background ended within {self.found['background_s']} s",
            f"  statuses {dict(self.seen.statuses)}, unexpected {dict(self.seen.unexpected)}",
            *(f"  bare: {text}" for text in self.seen.bare[:5]),
            *(f"  failed: {text}" for text in self.found["failed"]),
            f"  wrong: {self.wrong() or 'nothing'}",
        ]
        return "\n".join(lines)


def units_for(n_faults: int) -> int:
    return min(UNITS_PER_FAULT * n_faults, MOST_UNITS)


def drawn(faults: Sequence[Fault], count: int, rng: Random) -> list[Fault]:
    """So many faults, each kind as often as the others, in an order of chance."""
    chosen: list[Fault] = []
    while len(chosen) < count:
        chosen += rng.sample(faults, len(faults))
    return chosen[:count]


async def drive(
    there: Served | Embedded,
    kinds: tuple[Fault, ...],
    *,
    count: int,
    seed: int,
    seconds: float = SECONDS_PER_FAULT,
) -> Report:
    """Do so many faults (0: each kind once) to an installation in which nobody has worked yet.
    seconds: about how long one takes; so much work there is."""
    rng = Random(seed)
    faults, left_out = possible(kinds, there)
    chosen = drawn(faults, count or len(faults), rng)
    report = Report(type(there).__name__, seed, left_out=left_out)
    receiver = Receiver(there.webhook_port, rng)
    servers = [await proxy.start() for proxy in there.proxies()] + [await receiver.start()]
    units = units_for(int(len(chosen) * seconds / SECONDS_PER_FAULT))
    study = ["set-up", str(units), there.webhook, str(there.folder)]
    token = (await asyncio.to_thread(_of_study, there, *study)).split()[-1]
    await asyncio.to_thread(there.start)
    think = WORKERS * seconds * len(chosen) / (3 * units * SHARE_UNDER_FAULTS)
    crowd = Crowd.of(WORKERS, port=there.web.port, slug=SLUG, token=token, think=think)
    working = asyncio.create_task(crowd.work())
    report.seen = crowd.seen
    every = max(ASK_EVERY_S, seconds * len(chosen) / MOST_ASKED)
    asking = asyncio.create_task(_ask(there, report, every))
    for fault in chosen:
        await _strike(there, fault, rng, crowd, report)
    asking.cancel()
    print(f"{time.strftime('%H:%M:%S')} the end of the study", file=sys.stderr, flush=True)
    await asyncio.to_thread(there.mend)
    crowd.hurry = True
    async with asyncio.timeout(FINISH_WITHIN_S):
        await working
    await asyncio.to_thread(_examine, there, crowd, receiver, report)
    for server in servers:
        server.close()
    return report


async def _strike(
    there: Installation, fault: Fault, rng: Random, crowd: Crowd, report: Report
) -> None:
    kind, seen = report.kinds.setdefault(fault.name, Kind()), crowd.seen
    before = (crowd.n_saves, seen.unreached, seen.statuses.copy(), len(seen.bare))
    began = time.monotonic()
    print(f"{time.strftime('%H:%M:%S')} {fault.name}", file=sys.stderr, flush=True)
    try:
        await asyncio.to_thread(fault.strike, there, rng)
    except WENT_WRONG as error:  # the others are done, and all of it is examined, all the same
        report.not_done.append(f"{fault.name}: {error!r}")
    await asyncio.sleep(rng.uniform(*BETWEEN_S))
    kind.n += 1
    kind.seconds += time.monotonic() - began
    kind.saves += crowd.n_saves - before[0]
    kind.unreached += seen.unreached - before[1]
    kind.statuses += seen.statuses - before[2]
    kind.bare += len(seen.bare) - before[3]


async def _ask(there: Installation, report: Report, every: float) -> None:
    """Every so many seconds somebody wants an export and the judge asked again; what the outage of
    a moment refuses is asked for a little later."""
    while True:
        await asyncio.sleep(every)
        try:
            await asyncio.to_thread(_of_study, there, "ask")
            report.asked += 1
        except subprocess.CalledProcessError:
            await asyncio.sleep(1)


def _examine(there: Installation, crowd: Crowd, receiver: Receiver, report: Report) -> None:
    # First, so that the messages that are sent meanwhile are among those that came.
    waited = float(_of_study(there, "wait").splitlines()[-1])
    saved = [[*place, given] for worker in crowd.workers for place, given in worker.saved.items()]
    submitted = [batch for worker in crowd.workers for batch in worker.submitted]
    content: dict[str, object] = {"slug": SLUG, "saved": saved, "submitted": submitted}
    content["told"] = [*receiver.messages.values()]
    journal = there.folder / "journal.json"
    journal.write_text(json.dumps(content), encoding="utf-8")
    report.acknowledged, report.submitted = len(saved), len(submitted)
    found = json.loads(_of_study(there, "examine", str(journal)).splitlines()[-1])
    report.found = {**found, "background_s": waited}


def _of_study(there: Installation, *arguments: str) -> str:
    return there.run("-m", "tests.faults.study", *arguments)
