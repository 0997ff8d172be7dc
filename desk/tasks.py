"""Celery tasks of the researchers' side."""

from celery import shared_task
from django.utils import timezone

from desk.imports import jobs
from desk.new_study import drafts
from desk.studies import tryouts

IMPORT_LIMIT = jobs.LONGEST.total_seconds()
TAKING_BACK = jobs.TAKING_BACK.total_seconds()


# The old name, since messages with it may still wait in a queue.
@shared_task(name="annotation.tasks.end_old_tryouts")
def end_old_tryouts() -> int:
    """Every night: remove the copies in which researchers tried a study out before today."""
    return tryouts.end_old_tryouts(now=timezone.now())


@shared_task
def forget_old_drafts() -> int:
    """Every night: remove studies that were begun and given up, and uploads that nothing uses."""
    return drafts.forget_old_drafts(now=timezone.now())


@shared_task(time_limit=IMPORT_LIMIT, soft_time_limit=IMPORT_LIMIT - TAKING_BACK)
def import_items(job_id: int) -> None:
    """Make the study of an import that is still wanted."""
    jobs.import_items(job_id=job_id)


@shared_task
def sweep_imports() -> int:
    """Every minute: take up imports whose message or worker was lost."""
    return jobs.sweep_imports(now=timezone.now())
