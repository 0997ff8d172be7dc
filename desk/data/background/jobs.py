"""Ask for background work, cancel it, start it again, and tell how it stands."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import Study, User
from desk.data.background.kinds import Computation, Kind, Parameters, digest_of
from desk.data.background.work import EXPIRES, SILENCE, TASK, outcome_at, work
from desk.models import BackgroundJob
from jobs.messages import send_task
from jobs.workers.health import worker_alive
from results.report.cache import revision_of
from results.report.newest import is_small

State = BackgroundJob.State
UNREACHED = "no worker can be reached; start it again later"


def ask(*, study: Study, kind: Kind, parameters: Parameters, by: User) -> BackgroundJob:
    """The job that does what is wanted: one that is under way already, a computation that is kept
    as of the present revision, or a new one.

    A worker carries it out; of a study with few answers (`results.report.newest.SMALL`) this
    request does, which takes no longer than a page may.
    """
    standing = _under_way(study, kind, parameters)
    if standing is None and isinstance(kind, Computation):
        standing = outcome_at(study, kind, parameters, revision_of(study))
    if standing is not None:
        return standing
    is_direct = is_small(study)
    job = _create(study, kind, parameters, by, send=not is_direct)
    if is_direct:
        work(job_id=job.pk, kinds={kind.name: kind})
        job.refresh_from_db()
    return job


def newest_or_asked(
    *, study: Study, kind: Computation, parameters: Parameters, by: User
) -> BackgroundJob:
    """The newest outcome, even of an earlier revision; without any, or where the study is small,
    the job that works it out."""
    newest = outcome_at(study, kind, parameters)
    if newest is not None and not is_small(study):
        return newest
    return ask(study=study, kind=kind, parameters=parameters, by=by)


def under_way(*, study: Study, kinds: Iterable[Kind]) -> list[tuple[BackgroundJob, Kind]]:
    """The jobs of these kinds that wait or run, the newest first, for their page."""
    by_name = {kind.name: kind for kind in kinds}
    jobs = BackgroundJob.objects.filter(
        study=study, kind__in=by_name, state__in=BackgroundJob.UNDER_WAY
    )
    return [(job, by_name[job.kind]) for job in jobs.defer("outcome").order_by("-pk")]


def _under_way(study: Study, kind: Kind, parameters: Parameters) -> BackgroundJob | None:
    digest = digest_of(kind, parameters)
    return BackgroundJob.objects.filter(
        study=study, digest=digest, state__in=BackgroundJob.UNDER_WAY
    ).first()


def _create(
    study: Study, kind: Kind, parameters: Parameters, by: User, *, send: bool
) -> BackgroundJob:
    job = BackgroundJob(
        study=study,
        kind=kind.name,
        parameters=dict(parameters),
        digest=digest_of(kind, parameters),
        asked_by=by,
        asked_at=timezone.now(),
    )
    try:
        with transaction.atomic():
            job.save()
            if send:
                transaction.on_commit(partial(_send, job.pk))
    except IntegrityError:  # somebody else has just asked for the same
        standing = _under_way(study, kind, parameters)
        if standing is None:
            raise
        return standing
    return job


@transaction.atomic
def start_again(*, job: BackgroundJob) -> bool:
    """Send a job that has failed or was cancelled, or whose worker was lost, once more; False for
    others, and where somebody asked for the same meanwhile."""
    now = timezone.now()
    free = BackgroundJob.objects.filter(pk=job.pk, attempt=job.attempt)
    if not is_stopped(job, now):
        free = free.filter(state__in=(State.FAILED, State.CANCELLED))
    fresh = {"state": State.QUEUED, "reason": "", "asked_at": now, "ended_at": None}
    try:
        with transaction.atomic():
            if not free.update(**fresh, attempts_before=job.attempt):
                return False
    except IntegrityError:
        return False
    transaction.on_commit(partial(_send, job.pk))
    return True


def cancel(*, job: BackgroundJob) -> bool:
    """End a job that waits or runs, without an outcome; False for others. A worker that is at it
    stores nothing and changes nothing any more."""
    under_way = BackgroundJob.objects.filter(pk=job.pk, state__in=BackgroundJob.UNDER_WAY)
    return bool(under_way.update(state=State.CANCELLED, ended_at=timezone.now()))


def is_stopped(job: BackgroundJob, now: datetime) -> bool:
    """Whether a job that should be running has lost its worker."""
    if job.state != State.RUNNING or job.alive_at is None:
        return False
    silent = now - job.alive_at
    return silent > SILENCE or (silent > timedelta(seconds=15) and not worker_alive(now))


def seconds_last_time(job: BackgroundJob) -> float | None:
    """How long the last job of the kind took in the study; None where it is the first."""
    done = BackgroundJob.objects.filter(study=job.study_id, kind=job.kind, state=State.DONE)
    return done.order_by("-pk").values_list("seconds", flat=True).first()


def _send(job_id: int) -> None:
    if not send_task(TASK, job_id, expires=EXPIRES):
        waiting = BackgroundJob.objects.filter(pk=job_id, state=State.QUEUED)
        waiting.update(state=State.FAILED, reason=UNREACHED, ended_at=timezone.now())
