"""Ask for background work on answers, and find what has come of it."""

from collections.abc import Iterable
from functools import partial

from django.db import transaction
from django.utils import timezone

from annotation.models import Study, User
from desk.data.background.kinds import Parameters, QueryKind, Work
from estimates.report.cache import revision_of
from estimates.report.newest import is_small
from jobs import queue
from jobs.kinds import kinds
from jobs.models import Job, JobState
from jobs.runner import work


def ask(*, study: Study, kind: Work, parameters: Parameters, by: User) -> Job:
    """The job that does what is wanted: one that is under way already, a computation that is kept
    as of the present revision, or a new one.

    A worker carries it out; of a study with few answers (`estimates.report.newest.SMALL`) this
    request does, which takes no longer than a page may.
    """
    standing = queue.under_way(queue.digest_of(kind, study, parameters))
    if standing is None and isinstance(kind, QueryKind):
        standing = kind.outcome_at(study, parameters, revision_of(study))
    if standing is not None:
        return standing
    is_direct = is_small(study)
    job = queue.ask(kind, study=study, by=by, parameters=parameters, send=not is_direct)
    if is_direct:
        work(job_id=job.pk)
        job.refresh_from_db()
    return job


def newest_or_asked(*, study: Study, kind: QueryKind, parameters: Parameters, by: User) -> Job:
    """The newest outcome, even of an earlier revision; without any, or where the study is small,
    the job that works it out."""
    newest = kind.outcome_at(study, parameters)
    if newest is not None and not is_small(study):
        return newest
    return ask(study=study, kind=kind, parameters=parameters, by=by)


def under_way(*, study: Study, of: Iterable[Work]) -> list[tuple[Job, Work]]:
    """The jobs of these kinds that wait or run, the newest first, for their page."""
    by_name = {kind.name: kind for kind in of}
    jobs = Job.objects.under_way().filter(study=study, kind__in=by_name)
    return [(job, by_name[job.kind]) for job in jobs.defer("outcome").order_by("-pk")]


def seconds_last_time(job: Job) -> float | None:
    """How long the last job of the kind took in the study; None where it is the first."""
    done = Job.objects.filter(study=job.study_id, kind=job.kind, state=JobState.DONE)
    return done.order_by("-pk").values_list("seconds", flat=True).first()


def every_kind() -> dict[str, Work]:
    """The kinds of work on answers, by name."""
    return {name: kind for name, kind in kinds().items() if isinstance(kind, Work)}


def drop_outcomes(study: Study, **_signal: object) -> None:
    """Keep nothing that was worked out of answers that are erased now.

    Jobs under way are left alone until they are erased: a job that ends holds its own row before it
    locks batches, which are locked here.
    """
    of_study = Job.objects.filter(study=study, kind__in=every_kind())
    of_study.filter(outcome__isnull=False).update(outcome=None)
    transaction.on_commit(partial(_begin_anew, study.pk), robust=True)


def _begin_anew(study_id: int) -> None:
    """Let jobs work again that may have read the answers before, and drop what they came to."""
    of_study = Job.objects.filter(study=study_id, kind__in=every_kind())
    of_study.filter(state=JobState.RUNNING).update(state=JobState.QUEUED, next_at=timezone.now())
    of_study.filter(outcome__isnull=False).update(outcome=None)
