"""gunicorn's threads, each of which knows how long its request waited for it."""

import time
from typing import Any

from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from telemetry.waiting import waited


class WaitingThreads(ThreadWorker):  # type: ignore[misc]
    """Requests wait in the order in which they came, until a thread is free."""

    def enqueue_req(self, conn: Any) -> None:
        conn.queued_at = time.monotonic()
        super().enqueue_req(conn)

    def handle(self, conn: Any) -> Any:
        waited.set(time.monotonic() - conn.queued_at)
        return super().handle(conn)
