"""Exports of a study: ask for one, watch it, fetch its file."""

from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from annotation.access import Role, account, get_study
from annotation.models import Study, log_change
from annotation.views.downloads import as_download
from annotation.views.htmx import HtmxRequest
from desk.data.exports.forms import TITLES, ExportForm
from exports import jobs
from exports.tables.answers import imported_names
from jobs.models import UNDER_WAY, Job, JobState
from jobs.queue import is_stopped
from jobs.workers.health import worker_alive

SHOWN = 20


@login_required
@require_GET
@vary_on_headers("HX-Request")
def exports(request: HtmxRequest, slug: str) -> HttpResponse:
    """The study's exports, and the form for another; htmx gets the list."""
    study = get_study(request.user, slug, Role.REVIEWER)
    return _page(request, study, ExportForm(study), part=bool(request.htmx))


def _page(
    request: HttpRequest, study: Study, form: ExportForm, *, part: bool = False, status: int = 200
) -> HttpResponse:
    now = timezone.now()
    shown = [
        _shown(job, now) for job in jobs.exports_of(study).order_by("-asked_at", "-pk")[:SHOWN]
    ]
    context = {
        "study": study,
        "form": form,
        "jobs": shown,
        "watched": any(job["job"].state in UNDER_WAY for job in shown),
        "worker": worker_alive(now),
        "imported_names": imported_names(study),
        "formats": TITLES,
    }
    name = "desk/_export_jobs.html" if part else "desk/exports.html"
    return render(request, name, context, status=status)


def _shown(job: Job, now: datetime) -> dict[str, Any]:
    done = job.state == JobState.DONE
    return {
        "job": job,
        "title": TITLES.get(job.parameters["format_name"], job.parameters["format_name"]),
        "choice": [value for value in job.parameters["choice"].values() if value],
        "stopped": is_stopped(job, now),
        "token": jobs.link_token(job) if done else "",
        "until": job.ended_at + jobs.KEPT if done and job.ended_at else None,
    }


@login_required
@require_POST
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a worker write an export."""
    study = get_study(request.user, slug, Role.REVIEWER)
    form = ExportForm(study, request.POST)
    if not form.is_valid():
        return _page(request, study, form, status=400)
    jobs.ask_for_export(
        study=study,
        format_name=form.cleaned_data["format"],
        choice=form.choice,
        by=account(request),
    )
    return redirect("desk:exports", slug)


@login_required
@require_GET
def download(request: HttpRequest, slug: str, token: str) -> HttpResponseBase:
    """The file of a finished export, by a link that expires."""
    study = get_study(request.user, slug, Role.REVIEWER)
    job = jobs.job_of(study, token)
    if job is None:
        raise Http404("This link has expired. Export again.")
    subject = job.parameters["format_name"]
    log_change(study=study, by=account(request), action="export.downloaded", subject=subject)
    file = FileResponse(jobs.path_of(job).open("rb"), content_type="application/zip")
    return as_download(file, f"{study.slug}-{subject}.zip")
