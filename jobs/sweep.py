"""What is done about all jobs every half a minute, and every hour."""

from datetime import datetime

from django.db.models import Q

from jobs.kinds import Kind, kinds
from jobs.limits import PUT_OFF_AT_MOST, RESEND
from jobs.models import Job, JobState
from jobs.queue import STOPPED, send
from jobs.runner import lost


def sweep(*, now: datetime) -> int:
    """Send jobs again whose message or worker was lost, or whose time has come, and fail those that
    were taken too often; how many were sent."""
    due = Q(next_at__lte=now) | Q(next_at__gt=now + PUT_OFF_AT_MOST)
    waiting = due & Q(state=JobState.QUEUED)
    return sum(
        _take_up(job, kinds()[job.kind], now)
        for job in Job.objects.filter(waiting | Q(state=JobState.RUNNING), kind__in=kinds())
    )


def _take_up(job: Job, kind: Kind, now: datetime) -> bool:
    if job.state == JobState.RUNNING:
        if not Job.objects.filter(lost(kind, now), pk=job.pk).exists():
            return False
        if job.attempt >= job.attempts_before + kind.limits.attempts:
            _give_up(job, kind, now)
            return False
    # Before it is sent: a worker may postpone it at once. Of two sweeps one sends it.
    mine = Job.objects.filter(pk=job.pk, next_at=job.next_at).update(next_at=now + RESEND)
    return bool(mine) and send(job.pk, kind)


def _give_up(job: Job, kind: Kind, now: datetime) -> None:
    failed = {"state": JobState.FAILED, "reason": STOPPED, "ended_at": now}
    if Job.objects.filter(lost(kind, now), pk=job.pk).update(**failed):
        job.state = JobState.FAILED
        kind.prepare(job)
        kind.clear(job)


def forget_old_jobs(*, now: datetime) -> None:
    """Remove jobs that ended long ago, and what is left of them."""
    for kind in kinds().values():
        kind.forget(now)
