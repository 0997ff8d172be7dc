"""Imports in the background: asked for at the end of a draft, or of files of another tool; done by
a worker, shown on a page.

The state is a row; a message only names it. A worker reports every second while it reads and
writes. One that does so no more was killed: the sweep sends its job again, a few times.
"""

import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone

from annotation.importing.errors import ImportFailure
from annotation.importing.material.removal import remove_study
from annotation.importing.uploads import kept_upload
from annotation.models import Study, User
from desk.models import ImportJob, NewStudy
from desk.set_up.imports import tool_files
from desk.set_up.imports.skipped_rows import SkippedRows
from desk.set_up.imports.tool_studies import make_tool_study
from desk.set_up.study_files.application import check_study, make_large_study
from jobs.messages import send_task
from jobs.workers.health import worker_alive

TASK = "desk.tasks.import_items"
State = ImportJob.State
# The task's own limit. A study that is taken back needs some of the time.
LONGEST, TAKING_BACK = timedelta(hours=3), timedelta(minutes=10)
REPORT_SECONDS = 1
# What is larger is imported in the background.
SMALL_BYTES = 2 * 2**20
# No report for so long: the worker was killed. Placing the last units happens in silence.
SILENCE = timedelta(minutes=3)
# A message expires a little after the sweep sends the next one.
RESEND, EXPIRES = timedelta(seconds=60), timedelta(seconds=90)
MOST_ATTEMPTS = 3
KEPT = timedelta(days=14)
STOPPED = "the worker that imported it was stopped; start it again"


@transaction.atomic
def ask_for_import(*, draft: NewStudy, by: User) -> ImportJob:
    """Let a worker make the study of a draft. ImportFailure where its keys cannot make one."""
    check_study(keys=draft.keys, files=draft.files)
    standing = draft.import_jobs.filter(state__in=ImportJob.UNDER_WAY).first()
    if standing is not None:
        return standing
    job = ImportJob(draft=draft, owner=by, asked_at=timezone.now())
    _take_from(draft, job)
    try:
        with transaction.atomic():
            job.save()
    except IntegrityError:  # a double click: the other one has just asked
        return draft.import_jobs.get(state__in=ImportJob.UNDER_WAY)
    transaction.on_commit(partial(_send, job.pk))
    return job


@transaction.atomic
def ask_for_tool_import(
    *, format_name: str, files: Mapping[str, str], keys: Mapping[str, Any], strict: bool, by: User
) -> ImportJob:
    """Let a study be made of uploaded files of another tool, which are removed when that has ended:
    by a worker, or as soon as the job is stored where they are small and not on the hub. files,
    keys: as `ImportJob` has them. strict: a record that cannot be used refuses the import.
    ImportFailure where they cannot be imported."""
    job = ImportJob(owner=by, format_name=format_name, keys=dict(keys), files=dict(files))
    job.title, job.skip_unusable = str(keys["title"])[:200], not strict
    job.size, job.asked_at = tool_files.checked_size(files), timezone.now()
    job.save()
    is_here = not keys.get(tool_files.ADDRESS)
    is_small = is_here and max(job.size, tool_files.weight(files)) <= SMALL_BYTES
    transaction.on_commit(partial(_import_now if is_small else _send, job.pk))
    return job


def _import_now(job_id: int) -> None:
    with suppress(OperationalError):  # the sweep sends it to a worker
        import_items(job_id=job_id)


def _take_from(draft: NewStudy, job: ImportJob) -> None:
    job.keys, job.files, job.skip_unusable = draft.keys, draft.files, draft.skip_unusable
    job.title = str(draft.keys.get("title") or draft)[:200]
    paths = filter(None, map(kept_upload, job.files.values()))
    job.size = sum(path.stat().st_size for path in paths)


@transaction.atomic
def start_again(*, job: ImportJob, leave_out: bool = False) -> bool:
    """Send a job that has failed, was cancelled or lost its worker once more, with what its draft
    holds now; False for others. leave_out: rows that do not fit, from now on. ImportFailure as for
    `ask_for_import`."""
    now = timezone.now()
    free = Q(state__in=(State.FAILED, State.CANCELLED))
    if is_stopped(job, now):
        free |= Q(state=State.RUNNING, attempt=job.attempt)
    if job.draft is None or not ImportJob.objects.filter(free, pk=job.pk).exists():
        return False
    check_study(keys=job.draft.keys, files=job.draft.files)
    if leave_out:
        job.draft.skip_unusable = True
        job.draft.save(update_fields=["skip_unusable", "touched_at"])
    _take_from(job.draft, job)
    fresh = {
        name: getattr(job, name) for name in ("keys", "files", "skip_unusable", "title", "size")
    }
    fresh |= {"state": State.QUEUED, "asked_at": now, "ended_at": None}
    fresh |= {"attempts_before": job.attempt}
    fresh |= {"reason": "", "read": 0, "rows": 0, "skipped": 0, "skipped_digest": ""}
    if not ImportJob.objects.filter(free, pk=job.pk).update(**fresh):
        return False
    transaction.on_commit(partial(_send, job.pk))
    return True


def cancel(*, job: ImportJob) -> bool:
    """Stop a job that waits or runs; its worker notices within seconds and takes back what it
    wrote. False for others."""
    ended = {"state": State.CANCELLED, "ended_at": timezone.now()}
    if ImportJob.objects.filter(pk=job.pk, state=State.QUEUED).update(**ended):
        _forget_files(job)
        return True
    return bool(ImportJob.objects.filter(pk=job.pk, state=State.RUNNING).update(**ended))


def is_stopped(job: ImportJob, now: datetime) -> bool:
    """Whether a job that should be running has lost its worker."""
    if job.state != State.RUNNING or job.alive_at is None:
        return False
    silent = now - job.alive_at
    return silent > SILENCE or (silent > timedelta(seconds=30) and not worker_alive(now))


def failed_by_a_row(job: ImportJob) -> bool:
    """Whether the import could go on without the row that it failed by."""
    by_a_row = any(job.reason.startswith((f"{name}:", f"{name} (")) for name in job.files)
    return job.state == State.FAILED and not job.skip_unusable and by_a_row


def import_items(*, job_id: int) -> bool:
    """Make the study of a job; False where it is no longer wanted or another worker has it."""
    now = timezone.now()
    free = Q(state=State.QUEUED) | _silent(now)
    job = ImportJob.objects.filter(free, pk=job_id).select_related("owner").first()
    if job is None:
        return False
    claim = {"state": State.RUNNING, "alive_at": now, "read": 0, "rows": 0}
    free_still = ImportJob.objects.filter(free, pk=job_id, attempt=job.attempt)
    if not free_still.update(attempt=F("attempt") + 1, **claim):
        return False
    job.attempt += 1
    _remove_unfinished(job)
    try:
        with SkippedRows(strict=not job.skip_unusable) as rows:
            return _import(job, rows)
    finally:
        _forget_files(job)


def _import(job: ImportJob, rows: SkippedRows) -> bool:
    report, reason = _Report(job, rows), STOPPED
    try:
        if job.format_name:
            make_tool_study(job=job, skipped=rows.skipped, progress=report)
        else:
            made_of = {"keys": job.keys, "files": job.files, "by": job.owner}
            make_large_study(**made_of, skipped=rows.skipped, progress=report)
        reason = ""
    except ImportFailure as failure:
        reason = str(failure)
    except SoftTimeLimitExceeded:
        reason = f"it took longer than {LONGEST.total_seconds() / 3600:.0f} hours"
    except OperationalError:
        # The database was locked for long, or went away: the task is tried again, a few times. A
        # full disk says the same, every time.
        if job.attempt < job.attempts_before + MOST_ATTEMPTS:
            report.mine.update(state=State.QUEUED, unfinished=None)
        raise
    except NoLongerWanted:
        return False
    finally:
        if reason:
            report.failed(reason)
    return not reason


class NoLongerWanted(Exception):
    """The job was cancelled, or another worker has taken it."""


class _Report:
    """Writes the progress of one attempt to its row; NoLongerWanted where the row is no longer of
    this attempt."""

    def __init__(self, job: ImportJob, left_out: SkippedRows) -> None:
        self.job, self._left_out = job, left_out
        self.mine = ImportJob.objects.filter(pk=job.pk, attempt=job.attempt, state=State.RUNNING)
        self.rows, self._read = 0, 0
        self._last = time.monotonic()

    def begun(self, study: Study) -> None:
        self._read = 0  # looked through until now; the files are read again
        self._update(unfinished=study.pk, read=0)

    def read(self, n_bytes: int) -> None:
        self._read += n_bytes
        self._now_and_then()

    def written(self, records: int) -> None:
        self.rows = records
        self._now_and_then()

    def made(self, study: Study) -> None:
        """The study and its job's end are seen at once, and the draft is gone."""
        now = timezone.now()
        done = {"state": State.DONE, "ended_at": now, "unfinished": None, "study": study}
        self._left_out.keep_for(study)
        self._update(**done, **self._told(), reason="", read=self.job.size)
        NewStudy.objects.filter(import_jobs=self.job).delete()

    def failed(self, reason: str) -> None:
        """Say why there is no study, unless the job is somebody else's by now."""
        ended = {"state": State.FAILED, "reason": reason[:1000], "ended_at": timezone.now()}
        self.mine.update(**ended, **self._told(), unfinished=None)

    def _told(self) -> dict[str, Any]:
        left_out = self._left_out
        return {"skipped": left_out.count, "skipped_digest": left_out.keep(), "rows": self.rows}

    def _now_and_then(self) -> None:
        if time.monotonic() - self._last > REPORT_SECONDS:
            self._last = time.monotonic()
            self._update(read=self._read, rows=self.rows)

    def _update(self, **fields: object) -> None:
        if not self.mine.update(alive_at=timezone.now(), **fields):
            raise NoLongerWanted


def sweep_imports(*, now: datetime) -> int:
    """Send jobs again whose message was lost or whose worker was killed, and fail those that were
    taken too often; how many were sent."""
    lost = _silent(now)
    failed = {"state": State.FAILED, "reason": STOPPED, "ended_at": now}
    too_often = lost & Q(attempt__gte=F("attempts_before") + MOST_ATTEMPTS)
    for job in ImportJob.objects.filter(too_often):
        if ImportJob.objects.filter(lost, pk=job.pk).update(**failed):
            _remove_unfinished(job)
            _forget_files(job)
    waiting = Q(state=State.QUEUED, asked_at__lt=now - RESEND)
    due = list(ImportJob.objects.filter(waiting | lost).values_list("pk", flat=True))
    return sum(send_task(TASK, pk, expires=EXPIRES) for pk in due)


def forget_old_imports(*, now: datetime) -> int:
    """Remove the rows of imports that ended long ago; how many."""
    under_way = ImportJob.objects.filter(state__in=ImportJob.UNDER_WAY)
    tool_files.forget_folders(used=under_way.values_list("pk", flat=True))
    gone, _ = ImportJob.objects.filter(ended_at__lt=now - KEPT).delete()
    return gone


def _remove_unfinished(job: ImportJob) -> None:
    """Take back what an attempt has left whose worker was killed."""
    tool_files.remove_folders(job)
    if job.unfinished is None:
        return
    left = Study.with_unfinished.filter(pk=job.unfinished).exclude(importing=None).first()
    if left is not None:
        with suppress(ImportFailure):
            remove_study(study=left)
    ImportJob.objects.filter(pk=job.pk).update(unfinished=None)


def _forget_files(job: ImportJob) -> None:
    """Remove the files of another tool once their import has ended; those of a draft stay."""
    tool_files.remove_folder(job)
    under_way = ImportJob.objects.filter(pk=job.pk, state__in=ImportJob.UNDER_WAY)
    if job.format_name and not under_way.exists():
        tool_files.remove_files(job.files.values())


def _silent(now: datetime) -> Q:
    return Q(state=State.RUNNING, alive_at__lt=now - SILENCE)


def _send(job_id: int) -> None:
    if not send_task(TASK, job_id, expires=EXPIRES):
        reason = "no worker can be reached; start it again later, or use the command import_study"
        waiting = ImportJob.objects.filter(pk=job_id, state=State.QUEUED)
        waiting.update(state=State.FAILED, reason=reason, ended_at=timezone.now())
        _forget_files(ImportJob.objects.get(pk=job_id))
