"""Celery tasks of the researchers' side."""

from celery import shared_task
from django.utils import timezone

from annotation.models import Study
from desk.data.units import actions, search
from desk.models import UnitAction
from desk.set_up.new_study import drafts
from desk.studies import tryouts

ACTION_LIMIT = 30 * 60.0


# The old name, since messages with it may still wait in a queue.
@shared_task(name="annotation.tasks.end_old_tryouts")
def end_old_tryouts() -> int:
    """Every night: remove the copies in which researchers tried a study out before today."""
    return tryouts.end_old_tryouts(now=timezone.now())


@shared_task
def forget_old_drafts() -> int:
    """Every night: remove studies that were begun and given up, and uploads that nothing uses."""
    return drafts.forget_old_drafts(now=timezone.now())


@shared_task
def index_texts(study_id: int) -> None:
    """Let the texts of a study be searched, if it is still there."""
    study = Study.objects.filter(pk=study_id).first()
    if study is not None:
        search.keep_texts(study=study)


@shared_task(time_limit=ACTION_LIMIT, soft_time_limit=ACTION_LIMIT - 60)
def finish_unit_action(action_id: int) -> None:
    """Do what is left of an action on many units, if it was confirmed."""
    running = UnitAction.objects.filter(pk=action_id, state=UnitAction.State.RUNNING)
    for action in running.select_related("study", "by"):
        actions.finish_action(action=action)


@shared_task
def forget_proposed_actions() -> int:
    """Every night: remove actions on units that were proposed and never confirmed."""
    return actions.forget_proposed(now=timezone.now())
