"""What a bench is, what it finds, and how a piece of work is measured in a process of its own."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Row:
    """One figure beside its bar. Numbers are in the unit that `unit` names."""

    what: str
    ours: float
    unit: str
    peer: float | None = None
    ratio: float | None = None
    bar: str = ""
    met: bool | None = None  # None where there is no bar
    note: str = ""


@dataclass(frozen=True)
class Bench:
    """A named bench; `run` yields its rows."""

    name: str
    about: str
    run: Callable[[], Iterator[Row]]


@dataclass(frozen=True)
class Measured:
    """What a child process reported of one piece of work."""

    seconds: float
    peak_mb: float
    result: dict[str, Any]


def in_child(module: str, work: str, **arguments: int) -> Measured:
    """Run `python -m MODULE WORK key=value...`, which ends in `report`, and read what it says.

    A process of its own, because a peak of memory is that of a whole process and lasts; and
    because on Linux a child's peak starts at its parent's size, nothing large is ever loaded here.
    """
    options = [f"{key}={value}" for key, value in arguments.items()]
    done = subprocess.run(
        [sys.executable, "-m", module, work, *options],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    measured = json.loads(done.stdout)
    return Measured(measured["seconds"], measured["peak_mb"], measured["result"])


def report(
    make: Callable[..., Callable[[], dict[str, Any]]], argv: list[str], *, times: int = 1
) -> None:
    """In the child: prepare the work, time it, print seconds, peak memory and result as JSON.

    make: takes the integers named on the command line, prepares the input and gives the work.
    times: how often it is done; the seconds are the median.
    """
    work = make(**{key: int(value) for key, value in (option.split("=") for option in argv)})
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - started)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    per_mb = 1024**2 if sys.platform == "darwin" else 1024  # bytes there, kilobytes here
    json.dump({"seconds": median(seconds), "peak_mb": peak / per_mb, "result": result}, sys.stdout)
