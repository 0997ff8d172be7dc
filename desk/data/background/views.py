"""The page of a background job: that it is under way, cancelling it, starting it again."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from annotation.access import Role, account, get_study
from annotation.models import Study
from annotation.views.htmx import HtmxRequest, tell_scripts
from desk.data.background import jobs
from desk.data.background.answer import go_on
from desk.data.background.kinds import Computation, study_of
from jobs.models import Job, State
from jobs.queue import cancel as cancel_job
from jobs.queue import is_stopped, start_again
from jobs.workers.health import worker_alive


def _job(request: HttpRequest, slug: str, job_id: int) -> Job:
    study: Study = get_study(request.user, slug, Role.REVIEWER)
    job = get_object_or_404(Job, study=study, pk=job_id, kind__in=jobs.every_kind())
    job.study = study
    return job


@login_required
@require_GET
@vary_on_headers("HX-Request")
@tell_scripts
def background(request: HtmxRequest, slug: str, job_id: int) -> HttpResponse:
    """A job that is under way or has failed; htmx gets the part that changes. One that is done
    leads to the page with its outcome."""
    job, now = _job(request, slug, job_id), timezone.now()
    kind = jobs.every_kind()[job.kind]
    if job.state == State.DONE:
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
def cancel(request: HttpRequest, slug: str, job_id: int) -> HttpResponse:
    """Stop a job; what it would have changed stays as it is."""
    if not cancel_job(_job(request, slug, job_id), by=account(request)):
        messages.info(request, "This had already ended.")
    return redirect("desk:background", slug, job_id)


@login_required
@require_POST
def again(request: HttpRequest, slug: str, job_id: int) -> HttpResponse:
    """Start a job that did not come to its end once more, or work something out anew from the
    answers as they are now. What was done is not done again."""
    job = _job(request, slug, job_id)
    kind = jobs.every_kind()[job.kind]
    if job.state == State.DONE and isinstance(kind, Computation):
        anew = jobs.ask(
            study=study_of(job), kind=kind, parameters=job.parameters, by=account(request)
        )
        return go_on(request, anew, kind)
    if not start_again(job, by=account(request)):
        messages.info(request, "This is under way already, or has ended.")
    return redirect("desk:background", slug, job_id)
