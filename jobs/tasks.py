"""The Celery tasks of all background jobs."""

from celery import shared_task
from django.utils import timezone

from jobs import runner
from jobs import sweep as sweeping
from jobs.workers import heartbeat  # noqa: F401 (its receivers of a worker's signals)


@shared_task(name="jobs.tasks.work")
def work(job_id: int) -> None:
    """Carry out a job that is still wanted. Its time limits come with the message."""
    runner.work(job_id=job_id)


@shared_task
def sweep() -> int:
    """Every half a minute: send jobs again whose message or worker was lost."""
    return sweeping.sweep(now=timezone.now())


@shared_task
def forget_old_jobs() -> None:
    """Every hour: remove jobs that ended long ago, and their files."""
    sweeping.forget_old_jobs(now=timezone.now())
