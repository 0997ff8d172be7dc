"""How a worker that is at a job tells how far it is."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

from django.db import OperationalError, connection
from django.utils import timezone

from jobs.limits import PROGRESS_SECONDS, REPORT_SECONDS, limits_of
from jobs.models import Job, JobState


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

    @contextmanager
    def alive(self) -> Iterator[None]:
        """Report from a thread while the body runs, which may compute without a pause."""
        done = threading.Event()
        thread = threading.Thread(target=self._report_until, args=(done,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _report_until(self, done: threading.Event) -> None:
        try:
            while not done.wait(REPORT_SECONDS):
                # The database may be busy for a moment: the next report is still in time.
                with suppress(OperationalError):
                    if not self._mine.update(alive_at=timezone.now()):
                        return
        finally:
            connection.close()

    def _update(self, **fields: Any) -> None:
        if not self._mine.update(**fields):
            raise NoLongerWanted
