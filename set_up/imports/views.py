"""The page of an import: how far it is, cancelling it, starting it again, what it left out."""

import json
from itertools import islice
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from annotation.access import account, get_study
from annotation.views.htmx import HtmxRequest
from files.errors import ImportFailure
from imports.uploads import kept_upload
from jobs.queue import cancel as cancel_job
from jobs.queue import is_stopped
from jobs.workers.health import worker_alive
from set_up.imports import jobs
from set_up.imports.skipped_rows import download, file_of
from set_up.models import ImportJob

LISTED = 50


def get_job(request: HttpRequest, job_id: int) -> ImportJob:
    """The import, for whoever asked for it; for others there is none."""
    jobs_of_all = ImportJob.objects.select_related("study")
    return get_object_or_404(jobs_of_all, pk=job_id, owner=account(request))


@login_required
@require_GET
@vary_on_headers("HX-Request")
def import_(request: HtmxRequest, job_id: int) -> HttpResponse:
    """An import; htmx gets the part that changes."""
    job, now = get_job(request, job_id), timezone.now()
    units = job.study.units.count() if job.study else 0
    context = {
        "job": job,
        "stopped": is_stopped(job, now),
        "worker": not job.is_under_way or worker_alive(now),
        "by_a_row": jobs.failed_by_a_row(job),
        "rows": f"{job.rows:,}",
        "units": units,
        "units_said": f"{units:,}",
        "skipped": _skipped(job),
        "n_skipped": f"{job.skipped:,}",
    }
    name = "desk/imports/_state.html" if request.htmx else "desk/imports/import.html"
    return render(request, name, context)


def _skipped(job: ImportJob) -> list[dict[str, Any]]:
    """The first rows that were left out."""
    path = kept_upload(job.skipped_digest)
    if path is None:
        return []
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in islice(lines, LISTED)]


@login_required
@require_POST
def cancel(request: HttpRequest, job_id: int) -> HttpResponse:
    """Stop an import; its draft stays."""
    if not cancel_job(get_job(request, job_id), by=account(request)):
        messages.info(request, "This import had already ended.")
    return redirect("desk:import", job_id)


@login_required
@require_POST
def again(request: HttpRequest, job_id: int) -> HttpResponse:
    """Start an import that did not come to its end once more, with its draft as it is now; on
    request without the rows that do not fit."""
    job = get_job(request, job_id)
    try:
        if not jobs.start_again(job=job, leave_out=request.POST.get("rows") == "leave-out"):
            messages.info(request, "This import is under way, or its draft is gone.")
    except ImportFailure as failure:
        messages.error(request, str(failure))
    return redirect("desk:import", job_id)


@login_required
@require_GET
def skipped_rows(request: HttpRequest, job_id: int) -> HttpResponseBase:
    """Every row that the import left out, as it stood in the file, with the reason."""
    path = kept_upload(get_job(request, job_id).skipped_digest)
    if path is None:
        raise Http404("No row was left out, or the list is no longer kept.")
    return download(path, "skipped.jsonl")


@login_required
@require_GET
def skipped_of_study(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The same of a study that was made in the browser."""
    study = get_study(request.user, slug)
    path = file_of(study)
    if path is None:
        raise Http404("No row was left out, or the list is not kept here.")
    return download(path, f"{study.slug}-skipped.jsonl")
