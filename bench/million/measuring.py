"""What one operation costs: queries, processor time of the program and of the database, the clock,
and the most memory that the program held meanwhile."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import psutil

Work = Callable[[], Any]


@dataclass
class Queries:
    """Counts statements."""

    n: int = 0

    def __call__(self, execute: Any, *arguments: Any) -> Any:
        self.n += 1
        return execute(*arguments)


@dataclass
class Cost:
    """seconds: by the clock. program, database: of their processors."""

    what: str
    seconds: float = 0.0
    program: float = 0.0
    database: float = 0.0
    queries: float = 0.0
    peak_mb: float = 0.0
    note: str = ""


def _postmaster() -> psutil.Process:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    postmaster = psutil.Process(pid).parent()
    assert postmaster is not None
    return postmaster


@dataclass
class Meter:
    """postmaster: of the server, of which all processes count."""

    postmaster: psutil.Process = field(default_factory=_postmaster)

    def measure(self, what: str, work: Work, *, times: int = 1, before: Work | None = None) -> Cost:
        """The median of each figure. before: what is done ahead of every time, and not counted."""
        costs = []
        for _ in range(times):
            if before is not None:
                before()
            costs.append(self._once(work))
        figures = zip(*costs, strict=True)
        seconds, program, database, queries, peak = (median(each) for each in figures)
        return Cost(what, seconds, program, database, queries, peak)

    def _once(self, work: Work) -> tuple[float, ...]:
        from django.db import connection

        from tests.services.memory import peak_mib

        queries = Queries()
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        database, program, began = self._database(), time.process_time(), time.perf_counter()
        with connection.execute_wrapper(queries):
            work()
        seconds, program = time.perf_counter() - began, time.process_time() - program
        return seconds, program, self._database() - database, float(queries.n), peak_mib()

    def _database(self) -> float:
        """Seconds of processor time, also of processes that have ended."""
        own = self.postmaster.cpu_times()
        total = float(own.children_user + own.children_system)
        for child in self.postmaster.children():
            with suppress(psutil.NoSuchProcess):
                times = child.cpu_times()
                total += times.user + times.system
        return total
