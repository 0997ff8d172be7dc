"""The same study with a thousand, a hundred thousand and a million answers, on both databases.

Every size has a process and a database of its own. The pages are asked for as a browser does,
through all of the program but the socket, right after one more answer was stored.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

from bench.measure import Row
from bench.serve.databases import DATABASES, Database
from bench.serve.servers import NotToBeHad

SIZES = (1_000, 100_000, 1_000_000)
MOST_SECONDS, MOST_RATIO = 1.0, 1.5
# Answers stored at a time before it is the next size's turn, and how often it comes.
TURNS, TURN, WARM_UP = 40, 10, 20
VIEWS = 20


class Child:
    """A process with one study; it does what a line asks for and reports how long it took."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def ask(self, what: str, number: int = 1) -> Any:
        """store, recount, view, units or plan, so many times."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{what} {number}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def run() -> Iterator[Row]:
    """The first view after a new answer, the cost of one, and what is done in the background."""
    for database in DATABASES:
        try:
            yield from _on(database)
        except NotToBeHad as reason:
            print(f"results: left out: {reason}", file=sys.stderr)


def _on(database: Database) -> Iterator[Row]:
    with ExitStack() as stack:
        children = [stack.enter_context(_child(size, database)) for size in SIZES]
        yield from _storing(database.name, children)
        largest = children[-1]
        counted = largest.ask("recount")
        yield from _viewing(database.name, largest)
        yield Row(
            what=f"{database.name}: counting {SIZES[-1]:,} answers in the background",
            ours=counted["seconds"],
            unit="s",
            note=f"{counted['rows']:,} estimates with 1,000 resamples each; "
            f"{counted['cpu']:.0f} s of processor time, peak {counted['peak_mb']:,.0f} MB, "
            f"{counted['kept_mb']:.1f} MB of ratings kept",
        )


def _storing(name: str, children: list[Child]) -> Iterator[Row]:
    """All sizes take turns, so that what else the machine does is alike for all of them."""
    times: list[list[float]] = [[] for _ in SIZES]
    for _, (of, child) in product(range(TURNS), enumerate(children)):
        times[of] += child.ask("store", TURN)
    medians = [1000 * median(some[WARM_UP:]) for some in times]
    for size, ours, some in zip(SIZES, medians, times, strict=True):
        is_last = size == SIZES[-1]
        yield Row(
            what=f"{name}, {size:,} answers: storing one more, median",
            ours=ours,
            unit="ms",
            peer=medians[0] if is_last else None,
            bar=f"<= {MOST_RATIO} x that at {SIZES[0]:,}" if is_last else "",
            met=ours <= MOST_RATIO * medians[0] if is_last else None,
            note=f"{ours / medians[0]:.2f} x that at {SIZES[0]:,} answers; {len(some)} stored",
        )


def _viewing(name: str, child: Child) -> Iterator[Row]:
    """The slowest of the views counts: the bar is for every one of them."""
    for what, page, bar in (
        ("view", "the first view of the results after one new answer", True),
        ("units", "the units behind a number after one new answer", False),
        ("plan", "the plan of the next study", True),
    ):
        times = child.ask(what, VIEWS)
        slowest = max(times)
        yield Row(
            what=f"{name}, {SIZES[-1]:,} answers: {page}",
            ours=slowest,
            unit="s",
            bar=f"< {MOST_SECONDS:.0f} s" if bar else "",
            met=slowest < MOST_SECONDS if bar else None,
            note=f"the slowest of {len(times)}; median {median(times):.3f} s",
        )


@contextmanager
def _child(annotations: int, database: Database) -> Iterator[Child]:
    with (
        tempfile.TemporaryDirectory(prefix="jurybox-results-") as folder,
        database.environment(Path(folder)) as environment,
    ):
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.results.child", str(annotations)],
            env={**environment, "DJANGO_SETTINGS_MODULE": "config.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        with process:
            try:
                yield Child(process)
            finally:
                process.terminate()
