"""How a worker that is at a job tells how far it is."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime
from typing import Any

from django.db import OperationalError, connection
from django.utils import timezone

from jobs.limits import PROGRESS_SECONDS, REPORT_SECONDS, limits_of
from jobs.models import Job, JobState


@contextmanager
def repeating(tell: Callable[[], object], seconds: float) -> Iterator[None]:
    """Tell the database something from a thread while the body runs, every so many seconds, as long
    as that changes a row."""
    done = threading.Event()

    def tell_until_done() -> None:
        try:
            while not done.wait(seconds):
                # The database may be busy for a moment: the next time is still early enough.
                with suppress(OperationalError):
                    if not tell():
                        return
        finally:
            connection.close()

    thread = threading.Thread(target=tell_until_done, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


class NoLongerWanted(Exception):
    """The job was cancelled, or another worker has taken it."""


class Report:
    """How one attempt tells how far it is. Each call raises `NoLongerWanted` where the job is no
    longer of this attempt."""

    def __init__(self, job: Job) -> None:
        self.progress: dict[str, Any] = {}
        self._job, self._begun = job, time.monotonic()
        self._last = self._begun
        self._mine = Job.objects.filter(pk=job.pk, attempt=job.attempt, state=JobState.RUNNING)

    def __call__(self, **progress: Any) -> None:
        """Note how far it is; that is written every second."""
        self.progress |= progress
        if time.monotonic() - self._last > PROGRESS_SECONDS:
            self.write()

    def write(self, **progress: Any) -> None:
        """Note it and write it at once."""
        self.progress |= progress
        self._last = time.monotonic()
        self._update(alive_at=timezone.now(), progress=self.progress)

    def end(self, outcome: dict[str, Any] | None = None, **fields: Any) -> None:
        """The job is done. Where this is called in a transaction, what the job made and its end are
        seen at once, or not at all."""
        seconds, now = time.monotonic() - self._begun, timezone.now()
        fields |= {"state": JobState.DONE, "reason": "", "seconds": seconds, "ended_at": now}
        self._update(**fields, outcome=outcome, progress=self.progress)

    def fail(self, reason: str) -> None:
        """Say why nothing came of the job, unless it is another's by now."""
        ended = {"state": JobState.FAILED, "reason": reason[:1000], "ended_at": timezone.now()}
        self._mine.update(**ended, progress=self.progress)

    def put_back(self, *, until: datetime, reason: str = "") -> bool:
        """Let the job be tried again; False where it was tried too often."""
        job = self._job
        if job.attempt >= job.attempts_before + limits_of(job.kind).attempts:
            return False
        again = {"state": JobState.QUEUED, "next_at": until, "reason": reason[:1000]}
        return bool(self._mine.update(**again, progress=self.progress))

    def alive(self) -> AbstractContextManager[None]:
        """Report while the body runs, which may compute without a pause."""
        return repeating(lambda: self._mine.update(alive_at=timezone.now()), REPORT_SECONDS)

    def _update(self, **fields: Any) -> None:
        if not self._mine.update(**fields):
            raise NoLongerWanted
