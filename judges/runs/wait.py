"""Wait for runs: the work is the background's, and this process's where nobody comes."""

import time
from collections.abc import Callable

from django.utils import timezone

from judges.models import Call, Chunk, JudgeRun
from judges.runs.health import worker_alive
from judges.runs.work import work

POLL_SECONDS = 0.2
# A worker that is alive but takes nothing for this long is not waited for.
PATIENCE_SECONDS = 5.0


def wait_for(*, run_id: int, tell: Callable[[int], None]) -> JudgeRun:
    """Return the run once it has ended, or was paused. `tell` gets the number of calls done."""
    done, since = -1, time.monotonic()
    while True:
        run = JudgeRun.objects.select_related("judge").get(pk=run_id)
        now_done = run.calls.exclude(status=Call.Status.PLANNED).count()
        if now_done != done:
            done, since = now_done, time.monotonic()
            tell(done)
        if run.state != JudgeRun.State.RUNNING:
            return run
        nobody_comes = time.monotonic() - since > PATIENCE_SECONDS
        if (nobody_comes or not worker_alive(timezone.now())) and _work_next(run):
            continue
        time.sleep(POLL_SECONDS)


def _work_next(run: JudgeRun) -> bool:
    """Work the run's next chunk here; False where there is none to take."""
    claimable = Chunk.objects.claimable().filter(run=run).order_by("position")
    chunk_id = claimable.values_list("pk", flat=True).first()
    return chunk_id is not None and work(chunk_id=chunk_id)
