"""Exports in the background: asked for on a page, written by a worker, fetched by a signed link."""

from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from annotation.models import Study, User, log_change
from exports.choice import ExportChoice
from exports.files import StudyChanging, write_archive
from exports.workbook import TooLarge
from jobs.kinds import JobFailed, JobOutcome, Kind
from jobs.limits import limits_of
from jobs.models import Job, JobState
from jobs.queue import ask
from jobs.reports import Report

# How long files, and the links to them, are kept.
KEPT = limits_of("export").kept
SALT = "exports"


class Export(Kind):
    """An export that a worker writes; parameters: `format_name`, and `choice` as `ExportChoice` has
    it. Asking twice makes two files."""

    name, title, is_once = "export", "Export", False
    unreached = "download it directly, or start it again later"

    def run(self, job: Job, report: Report) -> JobOutcome:
        """Write the file; its size."""
        path, lines = path_of(job), 0
        path.parent.mkdir(parents=True, exist_ok=True)

        def watch(more: int) -> None:
            nonlocal lines
            lines += more
            report(lines=lines)

        try:
            write_archive(
                study=_study_of(job),
                format_name=job.parameters["format_name"],
                path=path,
                choice=ExportChoice(**job.parameters["choice"]),
                watch=watch,
            )
            return {"size": path.stat().st_size}
        except (StudyChanging, TooLarge) as error:
            raise JobFailed(str(error)) from error
        except OSError as error:
            raise JobFailed(f"the file could not be written: {error.strerror}") from error

    def clear(self, job: Job) -> None:
        """Keep no file that nobody can fetch: it failed, or was cancelled, withdrawn, or taken over
        at the last moment."""
        if job.state != JobState.DONE:
            path_of(job).unlink(missing_ok=True)

    def asked(self, job: Job, by: Model | None) -> None:
        """Note who exports what."""
        _log(job, by, "export.asked", **job.parameters["choice"])

    def cancelled(self, job: Job, by: Model | None) -> None:
        """Note who no longer wants it."""
        _log(job, by, "export.cancelled")

    def forget(self, now: datetime) -> None:
        """Remove jobs that were asked for or ended before links expire, and every file that no job
        has."""
        old = Q(ended_at__lt=now - KEPT) | Q(ended_at=None, asked_at__lt=now - KEPT)
        Job.objects.filter(old, kind=self.name).delete()
        jobs = Job.objects.filter(kind=self.name).exclude(state=JobState.WITHDRAWN)
        wanted = {path_of(job).name for job in jobs.only("attempt")}
        names = wanted | {f".{name}.part" for name in wanted}
        root: Path = settings.EXPORTS_ROOT
        for path in root.glob("*"):
            if path.name not in names:
                path.unlink(missing_ok=True)

    def words(self, job: Job) -> str:
        """The format."""
        return str(job.parameters["format_name"])

    def so_far(self, job: Job) -> str:
        """Lines, and pieces of files."""
        return f"{job.progress.get('lines', 0):,} lines and pieces written"

    def address(self, job: Job) -> str:
        """The page of exports."""
        return reverse("desk:exports", args=[_study_of(job).slug])


EXPORT = Export()


@transaction.atomic
def ask_for_export(*, study: Study, format_name: str, choice: ExportChoice, by: User) -> Job:
    """A new job, sent to the workers when the transaction commits."""
    parameters = {"format_name": format_name, "choice": asdict(choice)}
    return ask(EXPORT, study=study, by=by, parameters=parameters)


def exports_of(study: Study) -> QuerySet[Job]:
    """The exports of a study that are kept."""
    return Job.objects.filter(study=study, kind=EXPORT.name)


def path_of(job: Job) -> Path:
    """Where the file of a job is, or will be; each attempt has its own."""
    root: Path = settings.EXPORTS_ROOT
    return root / f"{job.pk}-{job.attempt}.zip"


def link_token(job: Job) -> str:
    """What the address of a finished job's file ends in, for as long as the file is kept."""
    return signing.dumps([job.pk, job.attempt], salt=SALT)


def job_of(study: Study, token: str) -> Job | None:
    """The finished job behind an address; None for an expired or forged one, or a file that is
    gone."""
    try:
        pk, attempt = signing.loads(token, salt=SALT, max_age=KEPT)
    except signing.BadSignature:
        return None
    done = exports_of(study).filter(pk=pk, attempt=attempt, state=JobState.DONE)
    job = done.filter(ended_at__gt=timezone.now() - KEPT).first()
    return job if job is not None and path_of(job).is_file() else None


def _study_of(job: Job) -> Study:
    assert job.study is not None  # every export is of a study
    return job.study


def _log(job: Job, by: Model | None, action: str, **detail: object) -> None:
    user, subject = by if isinstance(by, User) else None, job.parameters["format_name"]
    log_change(study=_study_of(job), by=user, action=action, subject=subject, detail=detail)
