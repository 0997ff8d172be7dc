"""Background tasks of results, each a call of a function elsewhere."""

from celery import shared_task
from django.utils import timezone

from annotation.models import Study
from estimates.report import recount as recounting
from results.exporting import jobs
from results.units.distances import keep_distances

LIMIT = recounting.LONGEST.total_seconds()
EXPORT_LIMIT = jobs.LONGEST.total_seconds()


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


@shared_task(time_limit=EXPORT_LIMIT, soft_time_limit=EXPORT_LIMIT - 60)
def write_export(job_id: int) -> None:
    """Write the file of an export job that is still wanted."""
    jobs.write_job(job_id=job_id)


@shared_task
def remove_old_exports() -> int:
    """Every hour: remove the files of exports whose links have expired."""
    return jobs.remove_old_exports(now=timezone.now())
