"""The pages of background work: the list of all jobs, the page of one on answers, cancelling it,
starting it again."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from accounts.views.access import safe_next
from annotation.access import Role, account, get_study
from annotation.models import Study
from annotation.views.htmx import HtmxRequest, redirect_htmx
from desk.data.background import jobs
from desk.data.background.answer import go_on
from desk.data.background.kinds import QueryKind, Work, study_of
from desk.data.background.listing import every_job, jobs_for, line_of, readable_by
from jobs.kinds import kinds
from jobs.models import Job, JobState
from jobs.queue import cancel as cancel_job
from jobs.queue import is_stopped, start_again
from jobs.workers.health import worker_alive

PAGE = 25


def _seen(request: HttpRequest, slug: str) -> tuple[QuerySet[Job], Study | None]:
    """The jobs that the reader may see, with their study; without a slug those of the installation,
    which only its operators may."""
    if slug:
        study = get_study(request.user, slug, Role.REVIEWER)
        assert study.viewer is not None  # whom `get_study` lets in
        return jobs_for(study.viewer), study
    if not account(request).is_superuser:
        raise Http404("No such page.")
    return every_job(), None


def _job(request: HttpRequest, slug: str, job_id: int) -> Job:
    rows, study = _seen(request, slug)
    job = get_object_or_404(rows, pk=job_id)
    job.study = study or job.study
    return job


@login_required
@require_GET
@vary_on_headers("HX-Request")
def background_work(request: HtmxRequest, slug: str = "") -> HttpResponse:
    """All jobs of a study or, for operators, of the installation; htmx gets the list."""
    rows, study = _seen(request, slug)
    now, page = timezone.now(), Paginator(rows, PAGE).get_page(request.GET.get("page"))
    is_readable = (lambda _job: True) if study else readable_by(account(request))
    context = {
        "study": study,
        "page": page,
        "lines": [line_of(job, is_readable=is_readable(job), now=now) for job in page],
        "watched": any(job.is_under_way for job in page),
        "worker": worker_alive(now),
    }
    name = "desk/background/_list.html" if request.htmx else "desk/background/list.html"
    return render(request, name, context)


@login_required
@require_GET
@vary_on_headers("HX-Request")
@redirect_htmx
def background(request: HtmxRequest, slug: str, job_id: int) -> HttpResponse:
    """A job on answers that is under way or has failed; htmx gets the part that changes. One that
    is done leads to the page with its outcome."""
    job, now = _job(request, slug, job_id), timezone.now()
    kind = kinds()[job.kind]
    if not isinstance(kind, Work):
        raise Http404("This job has another page.")
    if job.state == JobState.DONE:
        return go_on(request, job, kind)
    context: dict[str, Any] = {
        "study": study_of(job),
        "job": job,
        "kind": kind,
        "about": kind.about(job.parameters),
        "part_of": kind.asked_on,
        "back": reverse(kind.asked_on, args=[study_of(job).slug]),
        "stopped": is_stopped(job, now),
        "worker": not job.is_under_way or worker_alive(now),
        "elapsed": int((now - job.asked_at).total_seconds()),
        "last_time": jobs.seconds_last_time(job),
    }
    name = "desk/background/_state.html" if request.htmx else "desk/background/job.html"
    return render(request, name, context)


@login_required
@require_POST
def cancel(request: HttpRequest, job_id: int, slug: str = "") -> HttpResponse:
    """Stop a job; what it would have changed stays as it is."""
    job = _job(request, slug, job_id)
    if not cancel_job(job, by=account(request)):
        messages.info(request, "This had already ended.")
    return _back(request, slug, job)


@login_required
@require_POST
def again(request: HttpRequest, job_id: int, slug: str = "") -> HttpResponse:
    """Start a job that did not come to its end once more, or work something out anew from the
    answers as they are now. What was done is not done again."""
    job = _job(request, slug, job_id)
    kind = kinds()[job.kind]
    if job.state == JobState.DONE and isinstance(kind, QueryKind):
        anew = jobs.ask(
            study=study_of(job), kind=kind, parameters=job.parameters, by=account(request)
        )
        return go_on(request, anew, kind)
    if kind.is_private or not start_again(job, by=account(request)):
        messages.info(request, "This is already under way or has ended.")
    return _back(request, slug, job)


def _back(request: HttpRequest, slug: str, job: Job) -> HttpResponse:
    """Where the button was pressed, or the page of the job, or the list."""
    everything = reverse("desk:background-work", args=[slug] if slug else [])
    return redirect(safe_next(request, kinds()[job.kind].address(job) or everything))
