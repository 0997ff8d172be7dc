"""Celery tasks of judges: thin doors to the verbs."""

from celery import shared_task
from django.utils import timezone

from jobs.workers import heartbeat
from judges.probes import sweep as probes_sweep
from judges.runs.delivery import sweep as runs_sweep
from judges.runs.delivery import work as runs_work


@shared_task
def work(chunk_id: int) -> None:
    """Work one chunk."""
    runs_work.work(chunk_id=chunk_id, leave=heartbeat.is_leaving)


@shared_task
def sweep() -> None:
    """Put right what a lost message or a dead worker has left."""
    runs_sweep.sweep_runs()
    probes_sweep.sweep_probes(now=timezone.now())
