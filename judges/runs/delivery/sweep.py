"""The periodic sweep: chunks that no worker claimed, expired leases, runs that have ended."""

from judges.models import JudgeRun
from judges.runs.batches.jobs import collect_batches
from judges.runs.delivery.queue import send_due
from judges.runs.records.calls import end_dead_plans
from judges.runs.states import end_if_finished


def sweep_runs() -> None:
    """Collect batches that have ended, send chunks that are due again, and end the runs that are
    finished or whose planning has died."""
    end_dead_plans()
    collect_batches()
    running = JudgeRun.objects.filter(state=JudgeRun.State.RUNNING).order_by("pk")
    for run_id in list(running.values_list("pk", flat=True)):
        if not end_if_finished(run_id=run_id):
            send_due(run_id=run_id)
