"""Wait for a run to end, and work its chunks in this process where no worker does."""

import time
from collections.abc import Callable

from django.utils import timezone

from jobs.workers.health import worker_alive
from judges.models import Call, Chunk, JudgeRun
from judges.runs.delivery.work import work

POLL_SECONDS = 0.2
# If no call is done for so long, this process works, even with a worker alive.
PATIENCE_SECONDS = 5.0


def wait_for(*, run_id: int, on_progress: Callable[[int], None]) -> JudgeRun:
    """The run, once it has ended or was paused. on_progress: gets the number of calls done."""
    done, since = -1, time.monotonic()
    while True:
        run = JudgeRun.objects.select_related("judge").get(pk=run_id)
        now_done = run.calls.exclude(status=Call.Status.PLANNED).count()
        if now_done != done:
            done, since = now_done, time.monotonic()
            on_progress(done)
        if run.state != JudgeRun.State.RUNNING:
            return run
        is_stalled = time.monotonic() - since > PATIENCE_SECONDS
        if (is_stalled or not worker_alive(timezone.now())) and _work_next(run):
            continue
        time.sleep(POLL_SECONDS)


def _work_next(run: JudgeRun) -> bool:
    """Work the run's next chunk in this process; False where there is none to claim."""
    claimable = Chunk.objects.claimable().filter(run=run).order_by("position")
    chunk_id = claimable.values_list("pk", flat=True).first()
    return chunk_id is not None and work(chunk_id=chunk_id)
