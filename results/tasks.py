"""Background tasks of results, each a call of a function elsewhere."""

from celery import shared_task

from annotation.models import Study
from results.report import recount as recounting

LIMIT = recounting.LONGEST.total_seconds()


@shared_task(time_limit=LIMIT, soft_time_limit=LIMIT - 60)
def recount(study_id: int) -> None:
    """Count a study's answers anew, if it is still there."""
    study = Study.objects.filter(pk=study_id).first()
    if study is not None:
        recounting.recount(study=study)


@shared_task
def count_for_rules() -> None:
    """Count open studies anew that a rule may close."""
    recounting.count_for_rules()


@shared_task
def renew_outdated() -> None:
    """Every night: drop or recount what is kept of answers that have changed."""
    recounting.renew_outdated()
