"""Background tasks of judges: thin doors to the verbs."""

from celery import shared_task

from judges.runs import heartbeat
from judges.runs import sweep as sweeping
from judges.runs import work as working


@shared_task
def work(chunk_id: int) -> None:
    """Work one chunk."""
    working.work(chunk_id=chunk_id, leave=heartbeat.is_leaving)


@shared_task
def sweep() -> None:
    """Put right what a lost message or a dead worker has left."""
    sweeping.sweep_runs()
