"""Celery tasks of the researchers' side."""

from celery import shared_task
from django.utils import timezone

from annotation.models import Study
from desk.set_up.new_study import drafts
from desk.studies import tryouts
from desk.worker_records import kept

FIGURES_LIMIT = kept.LONGEST.total_seconds()


@shared_task
def end_old_tryouts() -> int:
    """Every night: remove the copies in which researchers tried a study out before today."""
    return tryouts.end_old_tryouts(now=timezone.now())


@shared_task
def forget_old_drafts() -> int:
    """Every night: remove studies that were begun and given up, and uploads that nothing uses."""
    return drafts.forget_old_drafts(now=timezone.now())


@shared_task(time_limit=FIGURES_LIMIT, soft_time_limit=FIGURES_LIMIT - 60)
def keep_worker_figures(study_id: int) -> None:
    """Compute what lists of workers show of their answers, if the study is still there."""
    study = Study.objects.filter(pk=study_id).first()
    if study is not None:
        kept.keep_figures(study=study)
