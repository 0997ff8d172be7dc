"""Imports in the background: asked for at the end of a draft, or of files of another tool; done by
a worker, shown on a page."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any
from uuid import uuid4

from django.db import OperationalError, transaction
from django.urls import reverse

from annotation.models import Study, User
from files.errors import ImportFailure
from imports.material.removal import remove_study
from imports.sandbox.limits import Limits
from imports.uploads import kept_upload
from jobs import queue
from jobs.kinds import JobFailed, Kind
from jobs.models import Job, JobState
from jobs.reports import Report
from jobs.runner import work
from set_up.imports import tool_files
from set_up.imports.read_outputs import keep_outputs
from set_up.imports.skipped_rows import SkippedRows
from set_up.imports.tool_studies import make_tool_study
from set_up.models import ImportJob, NewStudy
from set_up.models.imports import KIND
from set_up.study_files.application import check_study, make_large_study

# The format of files that a reading explains.
TABLE = "table"
# What is larger is imported in the background.
SMALL_BYTES = 2 * 2**20


class Import(Kind):
    """A new study, made by a worker: see `ImportJob`."""

    name, title = KIND, "Import"
    unreached = "start it again later, or use the command import_study"
    is_private = True

    def run(self, job: Job, report: Report) -> None:
        """Make the study. The job ends in the transaction in which others see the study first."""
        own = ImportJob.of(job)
        if job.owner is None:
            raise JobFailed("the account that asked for it is gone")
        with SkippedRows(strict=not own.skip_unusable) as rows:
            progress = _Progress(own, report, rows)
            try:
                _make_study(own, job.owner, rows, progress)
            except BaseException as error:
                progress.note_left_out()
                if isinstance(error, ImportFailure):
                    raise JobFailed(str(error)) from error
                raise

    def renew(self, job: Job) -> bool:
        """Take what the draft holds now. ImportFailure as for `ask_for_import`."""
        draft = ImportJob.of(job).draft
        if draft is None:
            return False
        job.parameters = _asked_of(draft)
        return True

    def prepare(self, job: Job) -> None:
        """Take back what an attempt has left whose worker was killed."""
        own = ImportJob.of(job)
        tool_files.remove_folders(own)
        left = Study.with_unfinished.filter(pk=own.unfinished or 0).exclude(importing=None).first()
        if left is not None:
            with suppress(ImportFailure):
                remove_study(study=left)

    def clear(self, job: Job) -> None:
        """Remove the files of another tool once their import has ended; those of a draft stay."""
        own = ImportJob.of(job)
        tool_files.remove_folder(own)
        if own.format_name and own.draft is None and not job.is_under_way:
            tool_files.remove_files(own.files.values())

    def forget(self, now: datetime) -> None:
        """Remove old rows, and folders that killed workers have left."""
        under_way = ImportJob.objects.under_way()
        tool_files.forget_folders(used=under_way.values_list("pk", flat=True))
        super().forget(now)

    def words(self, job: Job) -> str:
        """The title of the study."""
        return str(job.parameters["title"])

    def so_far(self, job: Job) -> str:
        """Records that were written."""
        return f"{job.progress.get('rows', 0):,} records written"

    def address(self, job: Job) -> str:
        """The page of the import."""
        return reverse("desk:import", args=[job.pk])


IMPORT = Import()


@transaction.atomic
def ask_for_import(*, draft: NewStudy, by: User) -> ImportJob:
    """Let a worker make the study of a draft. ImportFailure where its keys cannot make one."""
    job = queue.ask(IMPORT, by=by, parameters=_asked_of(draft), about=draft.pk)
    return ImportJob.of(job)


@transaction.atomic
def ask_for_results(*, draft: NewStudy, by: User) -> ImportJob:
    """Let a study be made of a draft's files with their answers, as `ask_for_tool_import` does; the
    draft and its files stay until it is made."""
    parameters = _asked_of(draft)
    return _ask(parameters, about=draft.pk, by=by)


@transaction.atomic
def ask_for_tool_import(
    *, format_name: str, files: Mapping[str, str], keys: Mapping[str, Any], strict: bool, by: User
) -> ImportJob:
    """Let a study be made of uploaded files of another tool, which are removed when that has ended:
    by a worker, or as soon as the job is stored where they are small and not on the hub. files,
    keys: as `ImportJob` has them. strict: a record that cannot be used refuses the import.
    ImportFailure where they cannot be imported."""
    parameters = {
        "draft": None,
        "title": str(keys["title"])[:200],
        "format_name": format_name,
        "keys": dict(keys),
        "files": dict(files),
        "skip_unusable": not strict,
        "size": tool_files.checked_size(files),
    }
    # Each upload is an import of its own.
    return _ask(parameters, about=uuid4().hex, by=by)


def _ask(parameters: dict[str, Any], *, about: object, by: User) -> ImportJob:
    files, size = parameters["files"], parameters["size"]
    is_here = not parameters["keys"].get(tool_files.ADDRESS)
    is_small = is_here and max(size, tool_files.weight(files)) <= SMALL_BYTES
    job = queue.ask(IMPORT, by=by, parameters=parameters, about=about, send=not is_small)
    if is_small:
        transaction.on_commit(partial(_import_now, job.pk))
    return ImportJob.of(job)


def _import_now(job_id: int) -> None:
    with suppress(OperationalError):  # the sweep sends it to a worker
        work(job_id=job_id)


def import_under_way(draft_id: int) -> Job | None:
    """The import that makes the study of a draft."""
    return queue.under_way(queue.digest_of(IMPORT, None, draft_id))


def last_import(draft_id: int) -> ImportJob | None:
    """The newest import of a draft, if any was asked for."""
    return ImportJob.objects.filter(parameters__draft=draft_id).order_by("-pk").first()


def _asked_of(draft: NewStudy) -> dict[str, Any]:
    """The parameters of the import of a draft. ImportFailure where nothing can be made of it."""
    if not draft.asks:
        return _results_of(draft)
    check_study(keys=draft.keys, files=draft.files)
    files = draft.uploads or draft.files
    paths = filter(None, map(kept_upload, files.values()))
    return {
        "draft": draft.pk,
        "title": str(draft.keys.get("title") or draft)[:200],
        "format_name": "",
        "keys": draft.keys,
        "files": files,
        "reading": draft.found.get("reading") if draft.uploads else None,
        "skip_unusable": draft.skip_unusable,
        "size": sum(path.stat().st_size for path in paths),
    }


def _results_of(draft: NewStudy) -> dict[str, Any]:
    uploads = draft.uploads.items()
    files = {tool_files.upload_key(tool_files.FILES, name): token for name, token in uploads}
    return {
        "draft": draft.pk,
        "title": str(draft.keys["title"])[:200],
        "format_name": TABLE,
        "keys": draft.keys,
        "files": files,
        "skip_unusable": True,
        "size": tool_files.checked_size(files, packed=True),
    }


@transaction.atomic
def start_again(*, job: ImportJob, leave_out: bool = False) -> bool:
    """Send a job that has failed, was cancelled or lost its worker once more, with what its draft
    holds now; False for others. leave_out: rows that do not fit, from now on. ImportFailure as for
    `ask_for_import`."""
    if leave_out and job.draft is not None:
        job.draft.skip_unusable = True
        job.draft.save(update_fields=["skip_unusable", "touched_at"])
    return queue.start_again(job)


def failed_by_a_row(job: ImportJob) -> bool:
    """Whether the import could go on without the row that it failed by."""
    by_a_row = any(job.reason.startswith((f"{name}:", f"{name} (")) for name in job.files)
    return job.state == JobState.FAILED and not job.skip_unusable and by_a_row


class _Progress:
    """Tells how far one attempt is."""

    def __init__(self, job: ImportJob, report: Report, left_out: SkippedRows) -> None:
        self._job, self._report, self._left_out = job, report, left_out
        self._read = 0

    def begun(self, study: Study) -> None:
        self._read = 0  # looked through until now; the files are read again
        self._report.write(unfinished=study.pk, read=0)

    def read(self, n_bytes: int) -> None:
        self._read += n_bytes
        self._report(read=self._read)

    def written(self, records: int) -> None:
        self._report(rows=records)

    def made(self, study: Study) -> None:
        """The study and its job's end are seen at once, and the draft is gone."""
        self._left_out.keep_for(study)
        self.note_left_out()
        self._report.progress |= {"unfinished": None, "read": self._job.size}
        self._report.end(study=study)
        NewStudy.objects.filter(pk=self._job.parameters["draft"]).delete()

    def note_left_out(self) -> None:
        left_out = self._left_out
        self._report.progress |= {"skipped": left_out.count, "skipped_digest": left_out.keep()}


def _make_study(job: ImportJob, by: User, rows: SkippedRows, progress: _Progress) -> None:
    if job.format_name:
        make_tool_study(job=job, skipped=rows.skipped, progress=progress)
        return
    keys, files, skipped = job.keys, job.files, rows.skipped
    if job.reading:
        keys, files = keep_outputs(
            keys=keys,
            uploads=files,
            reading=job.reading,
            skipped=skipped,
            watch=progress.read,
            limits=Limits.in_background(job.size),
        )
    make_large_study(keys=keys, files=files, by=by, skipped=skipped, progress=progress)
