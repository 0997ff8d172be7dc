"""Background tasks of results, each a call of a function elsewhere."""

from celery import shared_task

from annotation.models import Study
from estimates.report import recount as recounting
from results.units.distances import keep_distances

LIMIT = recounting.LONGEST.total_seconds()


@shared_task(time_limit=LIMIT, soft_time_limit=LIMIT - 60)
def recount(study_id: int) -> None:
    """Count a study's answers anew, and what lists of its units show, if it is still there."""
    study = Study.objects.filter(pk=study_id).first()
    if study is not None:
        recounting.recount(study=study)
        keep_distances(study=study)


@shared_task
def count_for_rules() -> None:
    """Count open studies anew that a rule may close."""
    recounting.count_for_rules()


@shared_task
def count_first_time() -> None:
    """Every five minutes: count studies with answers that never were counted."""
    recounting.count_first_time()


@shared_task
def renew_outdated() -> None:
    """Every night: drop or recount what is kept of answers that have changed."""
    recounting.renew_outdated()
