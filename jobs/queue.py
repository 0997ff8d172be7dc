"""Ask for a job, cancel it, start it again, and tell whether its worker is lost."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.utils import timezone

from jobs.kinds import Kind, kinds
from jobs.limits import RESEND, WORKERLESS, limits_of
from jobs.messages import send_task
from jobs.models import Job, JobState
from jobs.workers.health import worker_alive

TASK = "jobs.tasks.work"
STOPPED = "the worker was stopped; start it again"


def ask(
    kind: Kind,
    *,
    study: models.Model | None = None,
    by: models.Model | None = None,
    parameters: Mapping[str, Any],
    about: object = None,
    send: bool = True,
) -> Job:
    """The job that does what is wanted: the one under way, or a new one that is sent to the workers
    when the transaction commits. about: what tells it from others where that is not all of the
    parameters. send: False where the caller carries it out."""
    digest = digest_of(kind, study, parameters if about is None else about)
    if (standing := under_way(digest)) is not None:
        return standing
    now = timezone.now()
    job = Job(kind=kind.name, parameters=dict(parameters), digest=digest, asked_at=now)
    job.study_id, job.owner_id, job.next_at = _key(study), _key(by), now + RESEND
    try:
        with transaction.atomic():
            job.save()
            kind.asked(job, by)
            if send:
                transaction.on_commit(partial(send_or_fail, job))
    except IntegrityError:  # somebody else has just asked for the same
        standing = under_way(digest)
        if standing is None:
            raise
        return standing
    return job


def ask_unless_resting(kind: Kind, *, study: models.Model) -> Job | None:
    """The job that works something out of a study's answers anew: the one under way, or a new one;
    None for as long after the last one as that took. Where answers come in all the time, a worker
    spends no more than half of its time on them."""
    rows = Job.objects.filter(digest=digest_of(kind, study, {})).defer("outcome")
    newest = rows.order_by("-pk").first()
    if newest is not None and newest.ended_at is not None:
        took = newest.ended_at - newest.asked_at
        if newest.seconds is not None:
            took = timedelta(seconds=newest.seconds)
        if newest.ended_at + took > timezone.now():
            return None
    is_ended = newest is None or not newest.is_under_way
    return ask(kind, study=study, parameters={}) if is_ended else newest


def under_way(digest: str) -> Job | None:
    """The job under way of that digest."""
    return Job.objects.under_way().filter(digest=digest).first() if digest else None


def digest_of(kind: Kind, study: models.Model | None, about: object) -> str:
    """The same for the same request about the same study; empty where each request counts."""
    text = json.dumps([kind.name, _key(study), about], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest() if kind.is_once else ""


@transaction.atomic
def start_again(job: Job, *, by: models.Model | None = None) -> bool:
    """Send a job that has ended without an outcome, whose worker is lost, or of a kind that
    repeats, once more; False for others, and where somebody asked for the same meanwhile."""
    now, kind = timezone.now(), kinds()[job.kind]
    done = (JobState.DONE,) if kind.repeats else ()
    free = Q(pk=job.pk, state__in=(JobState.FAILED, JobState.CANCELLED, JobState.WITHDRAWN, *done))
    if is_stopped(job, now):
        free |= Q(pk=job.pk, state=JobState.RUNNING, attempt=job.attempt)
    if not Job.objects.filter(free).exists() or not kind.renew(job):
        return False
    fresh: dict[str, Any] = {"state": JobState.QUEUED, "reason": "", "ended_at": None}
    fresh |= {"asked_at": now, "next_at": now + RESEND, "parameters": job.parameters}
    fresh |= {"attempts_before": job.attempt}
    try:
        with transaction.atomic():
            if not Job.objects.filter(free).update(**fresh):
                return False
    except IntegrityError:
        return False
    kind.asked(job, by)
    transaction.on_commit(partial(send_or_fail, job))
    return True


@transaction.atomic
def cancel(job: Job, *, by: models.Model | None = None) -> bool:
    """End a job that waits or runs; False for others. A worker that is at it notices within a
    second or so, and writes nothing any more."""
    kind, rows = kinds()[job.kind], Job.objects.filter(pk=job.pk)
    ended = {"state": JobState.CANCELLED, "ended_at": timezone.now()}
    if rows.filter(state=JobState.QUEUED).update(**ended):
        _clear(job, JobState.CANCELLED)
    elif not rows.filter(state=JobState.RUNNING).update(**ended):
        return False
    kind.cancelled(job, by)
    return True


def is_stopped(job: Job, now: datetime) -> bool:
    """Whether a job that should be running has lost its worker."""
    if job.state != JobState.RUNNING or job.alive_at is None:
        return False
    silent = now - job.alive_at
    if silent > limits_of(job.kind).silence:
        return True
    return silent > WORKERLESS and not worker_alive(now)


def send(job_id: int, kind: Kind) -> bool:
    """Send the message of a job; False where no broker can be reached."""
    limits = kind.limits
    times = {
        "time_limit": limits.longest.total_seconds(),
        "soft_time_limit": (limits.longest - limits.winding_up).total_seconds(),
    }
    return send_task(TASK, job_id, expires=RESEND, **times)


def send_or_fail(job: Job) -> None:
    """Send a job; without a broker it fails at once, unless its kind waits."""
    kind = kinds()[job.kind]
    if send(job.pk, kind) or kind.waits:
        return
    fail_unreached(job, f"no worker can be reached; {kind.unreached}")


def fail_unreached(job: Job, reason: str) -> None:
    """Fail a job that still waits."""
    waiting = Job.objects.filter(pk=job.pk, state=JobState.QUEUED)
    if waiting.update(state=JobState.FAILED, reason=reason, ended_at=timezone.now()):
        _clear(job, JobState.FAILED)


def _clear(job: Job, state: JobState) -> None:
    job.state = state
    kinds()[job.kind].clear(job)


def _key(row: models.Model | None) -> int | None:
    return None if row is None else row.pk
