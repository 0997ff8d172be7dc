"""Exports in the background: asked for on a page, written by a worker, fetched by a signed link.

The state is a row; a message only names it. A worker reports every second while it writes. One
that does so no more was killed: its job can be started again, and a message that the broker
delivers again starts it by itself.
"""

import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotation.models import Study, User, log_change
from judges.runs.delivery.queue import send_task
from judges.workers.health import worker_alive
from results.exporting.choice import Choice
from results.exporting.files import StudyChanging, write_archive
from results.exporting.workbook import TooLarge
from results.models import ExportJob

TASK = "results.tasks.write_export"
State = ExportJob.State
# The task's own limit.
LONGEST = timedelta(minutes=30)
# A message that no worker took by then expires; the job can be started again.
PATIENCE = timedelta(hours=1)
# How often a worker reports.
REPORT_SECONDS = 1
# No report for so long: the worker was killed. Estimates of a large study are computed in silence.
SILENCE = timedelta(minutes=5)
# How long files, and the links to them, are kept.
KEPT = timedelta(hours=24)
SALT = "results.exporting"
STOPPED = "the worker that wrote it was stopped; start it again"


@transaction.atomic
def ask_for_export(*, study: Study, format_name: str, choice: Choice, by: User) -> ExportJob:
    """A new job, sent to the workers when the transaction commits."""
    job = ExportJob.objects.create(
        study=study,
        format_name=format_name,
        choice=asdict(choice),
        asked_by=by,
        asked_at=timezone.now(),
    )
    log_change(
        study=study, by=by, action="export.asked", subject=format_name, detail=asdict(choice)
    )
    transaction.on_commit(partial(_send, job.pk))
    return job


@transaction.atomic
def start_again(*, job: ExportJob, by: User | None = None) -> bool:
    """Send a job that has failed, was cancelled or withdrawn, or lost its worker once more; False
    for others."""
    now = timezone.now()
    free = ~Q(state__in=(State.RUNNING, State.DONE))
    if is_stopped(job, now):
        free |= Q(state=State.RUNNING, attempt=job.attempt)
    fresh = {"state": State.QUEUED, "reason": "", "lines": 0, "asked_at": now, "ended_at": None}
    if not ExportJob.objects.filter(free, pk=job.pk).update(**fresh):
        return False
    log_change(study=job.study, by=by, action="export.asked", subject=job.format_name)
    transaction.on_commit(partial(_send, job.pk))
    return True


@transaction.atomic
def cancel(*, job: ExportJob, by: User | None = None) -> bool:
    """Stop a job that waits or runs; its worker notices within a second. False for others."""
    under_way = ExportJob.objects.filter(pk=job.pk, state__in=ExportJob.UNDER_WAY)
    if not under_way.update(state=State.CANCELLED, ended_at=timezone.now()):
        return False
    log_change(study=job.study, by=by, action="export.cancelled", subject=job.format_name)
    return True


def is_stopped(job: ExportJob, now: datetime) -> bool:
    """Whether a job that should be running has lost its worker."""
    if job.state != State.RUNNING or job.alive_at is None:
        return False
    silent = now - job.alive_at
    return silent > SILENCE or (silent > timedelta(seconds=30) and not worker_alive(now))


def write_job(*, job_id: int) -> bool:
    """Write the file of a job; False where it is no longer wanted or another worker has it."""
    now = timezone.now()
    free = Q(state=State.QUEUED) | _silent(now)
    job = ExportJob.objects.filter(free, pk=job_id).select_related("study").first()
    if job is None:
        return False
    mine = ExportJob.objects.filter(pk=job_id, attempt=job.attempt + 1, state=State.RUNNING)
    claim = {"state": State.RUNNING, "attempt": job.attempt + 1, "alive_at": now, "lines": 0}
    if not ExportJob.objects.filter(free, pk=job_id, attempt=job.attempt).update(**claim):
        return False
    job.attempt += 1
    reason = STOPPED
    try:
        reason = _write(job, _reporter(mine.update))
    except _NoLongerWanted:
        return False
    finally:
        ended = {"ended_at": timezone.now(), "reason": reason[:300], "size": _size(path_of(job))}
        is_mine = bool(mine.update(state=State.FAILED if reason else State.DONE, **ended))
        if not is_mine:  # cancelled, withdrawn, or taken over, at the last moment
            path_of(job).unlink(missing_ok=True)
    return is_mine and not reason


def _size(path: Path) -> int:
    """Of a file that somebody may just have removed; 0 without one."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


class _NoLongerWanted(Exception):
    """The job was cancelled, or another worker has taken it."""


def _write(job: ExportJob, watch: Callable[[int], object]) -> str:
    """Write the file; why it could not be, empty where it is there."""
    path = path_of(job)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        write_archive(
            study=job.study,
            format_name=job.format_name,
            path=path,
            choice=Choice(**job.choice),
            watch=watch,
        )
    except (StudyChanging, TooLarge) as error:
        return str(error)
    except OSError as error:
        return f"the file could not be written: {error.strerror}"
    except SoftTimeLimitExceeded:
        return f"it took longer than {LONGEST.total_seconds() / 60:.0f} minutes"
    return ""


def _reporter(report: Callable[..., int]) -> Callable[[int], object]:
    """Counts lines and reports them now and then; _NoLongerWanted where nobody wants them."""
    lines, last = 0, time.monotonic()

    def watch(more: int) -> None:
        nonlocal lines, last
        lines += more
        if time.monotonic() - last > REPORT_SECONDS:
            last = time.monotonic()
            if not report(lines=lines, alive_at=timezone.now()):
                raise _NoLongerWanted

    return watch


def path_of(job: ExportJob) -> Path:
    """Where the file of a job is, or will be; each attempt has its own."""
    root: Path = settings.EXPORTS_ROOT
    return root / f"{job.pk}-{job.attempt}.zip"


def link_token(job: ExportJob) -> str:
    """What the address of a finished job's file ends in, for as long as the file is kept."""
    return signing.dumps([job.pk, job.attempt], salt=SALT)


def job_of(study: Study, token: str) -> ExportJob | None:
    """The finished job behind an address; None for an expired or forged one, or a file that is
    gone."""
    try:
        pk, attempt = signing.loads(token, salt=SALT, max_age=KEPT)
    except signing.BadSignature:
        return None
    done = study.export_jobs.filter(pk=pk, attempt=attempt, state=State.DONE)
    job = done.filter(ended_at__gt=timezone.now() - KEPT).first()
    return job if job is not None and path_of(job).is_file() else None


def remove_old_exports(*, now: datetime) -> int:
    """Remove jobs that were asked for or ended before links expire, and every file that no job
    has; how many files."""
    old = Q(ended_at__lt=now - KEPT) | Q(ended_at=None, asked_at__lt=now - KEPT)
    ExportJob.objects.filter(old).delete()
    root: Path = settings.EXPORTS_ROOT
    jobs = ExportJob.objects.exclude(state=State.WITHDRAWN).only("attempt")
    wanted = {path_of(job).name for job in jobs}
    names = wanted | {f".{name}.part" for name in wanted}
    unwanted = [path for path in root.glob("*") if path.name not in names]
    for path in unwanted:
        path.unlink(missing_ok=True)
    return len(unwanted)


def _silent(now: datetime) -> Q:
    return Q(state=State.RUNNING, alive_at__lt=now - SILENCE)


def _send(job_id: int) -> None:
    if not send_task(TASK, job_id, expires=PATIENCE):
        reason = "no worker can be reached; download it directly, or start it again later"
        waiting = ExportJob.objects.filter(pk=job_id, state=State.QUEUED)
        waiting.update(state=State.FAILED, reason=reason, ended_at=timezone.now())
