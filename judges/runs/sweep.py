"""Find what was left lying: chunks nobody took, leases that ran out, runs that have ended."""

from judges.models import JudgeRun
from judges.runs.batches.jobs import collect_batches
from judges.runs.calls import end_dead_plans
from judges.runs.queue import send_due
from judges.runs.states import end_if_finished


def sweep_runs() -> None:
    """Fetch batches that are back, send again what is due, and end the runs that are finished or
    whose planning has died."""
    end_dead_plans()
    collect_batches()
    running = JudgeRun.objects.filter(state=JudgeRun.State.RUNNING).order_by("pk")
    for run_id in list(running.values_list("pk", flat=True)):
        if not end_if_finished(run_id=run_id):
            send_due(run_id=run_id)
