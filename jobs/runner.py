"""What a worker does with a job: it takes it, reports while it is at it, and ends it.

The state is a row; a message only names it. A worker reports every few seconds. One that does so
no more was killed: the sweep sends its job again, a few times.
"""

import logging
from datetime import datetime

from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError
from django.db.models import F, Q
from django.utils import timezone

from jobs.kinds import JobFailed, JobPostponed, Kind, kinds
from jobs.limits import RESEND
from jobs.models import Job, JobState
from jobs.queue import STOPPED
from jobs.reports import NoLongerWanted, Report
from telemetry.context import bound
from telemetry.logs import WORK
from telemetry.traces import span

log = logging.getLogger(WORK)


def work(*, job_id: int) -> bool:
    """Carry out a job; False where nothing came of it, it is no longer wanted, or another worker
    has it."""
    job = _claim(job_id)
    if job is None:
        return False
    kind, report = kinds()[job.kind], Report(job)
    try:
        with bound(job=job.pk), span(f"job {job.kind}"):
            log.info("begun", extra={"fields": {"kind": job.kind, "attempt": job.attempt}})
            return _attempt(job, kind, report)
    finally:
        rows = Job.objects.filter(pk=job.pk).values_list("state", flat=True)
        job.state, job.progress = rows.first() or JobState.CANCELLED, report.progress
        kind.clear(job)


def _attempt(job: Job, kind: Kind, report: Report) -> bool:
    reason = STOPPED
    try:
        kind.prepare(job)
        report.write()
        with report.alive():
            outcome = kind.run(job, report)
        if outcome is not None:
            report.end(outcome)
        reason = ""
    except JobFailed as failure:
        reason = str(failure)
    except JobPostponed as later:
        reason = "" if report.put_back(until=later.until, reason=str(later)) else str(later)
        return False
    except SoftTimeLimitExceeded:
        reason = f"it took longer than {_duration(kind)}"
    except OperationalError:
        # The database was locked for long, or went away: the task is tried again. A full disk says
        # the same, every time.
        report.put_back(until=timezone.now() + RESEND)
        raise
    except NoLongerWanted:
        return False
    finally:
        if reason:
            report.fail(reason)
    return not reason


def _claim(job_id: int) -> Job | None:
    """The job, for this worker alone: several may try, and the UPDATE lets one of them."""
    now = timezone.now()
    job = Job.objects.filter(pk=job_id).select_related("study", "owner").first()
    if job is None or job.kind not in kinds():
        return None
    free = Q(state=JobState.QUEUED) | lost(kinds()[job.kind], now)
    rows = Job.objects.filter(free, pk=job_id, attempt=job.attempt)
    if not rows.update(state=JobState.RUNNING, alive_at=now, attempt=F("attempt") + 1):
        return None
    job.attempt += 1
    return job


def lost(kind: Kind, now: datetime) -> Q:
    """The jobs of a kind whose worker was killed. A report from the future is of a clock that was
    wrong: one that is alive soon sends another."""
    silence = kind.limits.silence
    silent = Q(alive_at__lt=now - silence) | Q(alive_at__gt=now + silence)
    return silent & Q(kind=kind.name, state=JobState.RUNNING)


def _duration(kind: Kind) -> str:
    minutes = kind.limits.longest.total_seconds() / 60
    return f"{minutes / 60:.0f} hours" if minutes >= 120 else f"{minutes:.0f} minutes"
