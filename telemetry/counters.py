"""Counters of the web processes, in files in memory that all processes of one server share.

They are kept by prometheus_client, which takes a twentieth of a second to import: only processes
that count do so.
"""

import fcntl
import os
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Histogram

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # read by prometheus_client, too
SECONDS = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
# Held open for as long as this process lives.
_slots: list[int] = []


class Counters(NamedTuple):
    """What is counted, and where it is read."""

    registry: "CollectorRegistry"
    requests: "Counter"
    seconds: "Histogram"
    saves: "Counter"


@cache
def counters() -> Counters:
    """The counters of this process."""
    folder = os.environ.get(FOLDER, "")
    if folder:
        from prometheus_client import values

        slot = _take_slot(Path(folder))
        values.ValueClass = values.MultiProcessValue(lambda: slot)  # type: ignore[no-untyped-call]
    from prometheus_client import CollectorRegistry, Counter, Histogram

    registry = CollectorRegistry()
    return Counters(
        registry=registry,
        requests=Counter(
            "jurybox_requests",
            "Requests by route, method and status.",
            ["route", "method", "status"],
            registry=registry,
        ),
        seconds=Histogram(
            "jurybox_request_seconds",
            "Seconds until an answer began, by route.",
            ["route"],
            buckets=SECONDS,
            registry=registry,
        ),
        saves=Counter(
            "jurybox_saves",
            "What workers saved: drafts of single answers, and whole batches.",
            ["what"],
            registry=registry,
        ),
    )


def count_request(*, route: str, method: str, status: int, seconds: float) -> None:
    """Count one request that was answered."""
    kept = counters()
    kept.requests.labels(route, method, str(status)).inc()
    kept.seconds.labels(route).observe(seconds)


def count_save(what: str) -> None:
    """Count an answer or a batch that the database has taken. what: `draft` or `batch`."""
    counters().saves.labels(what).inc()


def all_processes() -> "CollectorRegistry":
    """The counters of every process of this server, added up."""
    folder = os.environ.get(FOLDER, "")
    if not folder:
        return counters().registry
    from prometheus_client import CollectorRegistry, multiprocess

    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    return registry


def _take_slot(folder: Path) -> int:
    """The lowest number that no living process of the server has. A process that takes the place of
    one that was killed counts on in its files, so there are no more of them than processes."""
    for number in count():
        handle = os.open(folder / f"{number}.slot", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            continue
        _slots.append(handle)
        return number
    raise AssertionError  # numbers do not end
