"""Beat, for a clock that is set back, and with heartbeats that say whether it runs."""

from datetime import datetime, timedelta
from typing import Any

from celery.beat import PersistentScheduler

from jobs.workers.heartbeat import write_of_beat

# A clock that is kept right by steps of less than this is no clock that was set back.
TOLERANCE = timedelta(seconds=1)
HEARTBEAT = timedelta(seconds=20)


class Scheduler(PersistentScheduler):
    """Celery's own, which sends nothing while the last times, written down before the clock was set
    back, lie ahead: three hours without a sweep after three hours too many."""

    seen: datetime | None = None
    written: datetime | None = None

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """One step; the schedule is worked out anew where the clock is behind the last one, and at
        the first, for what is in the file."""
        now = self.app.now()
        if self.seen is None or now < self.seen - TOLERANCE:
            for entry in self.schedule.values():
                entry.last_run_at = min(entry.last_run_at, now)
            self._heap = None
        self.seen = now
        if self.written is None or abs(now - self.written) > HEARTBEAT:
            write_of_beat()
            self.written = now
        return float(super().tick(*args, **kwargs))
