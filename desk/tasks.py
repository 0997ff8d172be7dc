"""Celery tasks of the researchers' side."""

from celery import shared_task
from django.utils import timezone

from annotation.models import Study
from desk.data.background import work
from desk.data.background.registry import KINDS
from desk.data.units import actions, search
from desk.models import UnitAction
from desk.set_up.imports import jobs
from desk.set_up.new_study import drafts
from desk.studies import tryouts
from desk.worker_records import kept

WORK_LIMIT = work.LONGEST.total_seconds()
IMPORT_LIMIT = jobs.LONGEST.total_seconds()
FIGURES_LIMIT = kept.LONGEST.total_seconds()
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


@shared_task(time_limit=WORK_LIMIT, soft_time_limit=WORK_LIMIT - 60)
def work_out(job_id: int) -> None:
    """Carry out a background job of a study that is still wanted."""
    work.work(job_id=job_id, kinds=KINDS)


@shared_task
def sweep_background() -> int:
    """Every half a minute: take up background jobs whose message or worker was lost."""
    return work.sweep_jobs(now=timezone.now())


@shared_task
def forget_old_background() -> int:
    """Every night: remove background jobs whose outcomes nobody looks at any more."""
    return work.forget_old_jobs(now=timezone.now())


@shared_task
def index_texts(study_id: int) -> None:
    """Let the texts of a study be searched, if it is still there."""
    study = Study.objects.filter(pk=study_id).first()
    if study is not None:
        search.keep_texts(study=study)


@shared_task(time_limit=FIGURES_LIMIT, soft_time_limit=FIGURES_LIMIT - 60)
def keep_worker_figures(study_id: int) -> None:
    """Compute what lists of workers show of their answers, if the study is still there."""
    study = Study.objects.filter(pk=study_id).first()
    if study is not None:
        kept.keep_figures(study=study)


@shared_task(time_limit=FIGURES_LIMIT, soft_time_limit=FIGURES_LIMIT - 60)
def finish_unit_action(action_id: int) -> None:
    """Do what is left of an action on many units, if it was confirmed."""
    running = UnitAction.objects.filter(pk=action_id, state=UnitAction.State.RUNNING)
    for action in running.select_related("study", "by"):
        actions.finish_action(action=action)


@shared_task
def forget_proposed_actions() -> int:
    """Every night: remove actions on units that were proposed and never confirmed."""
    return actions.forget_proposed(now=timezone.now())
