"""Where a request goes on that has asked for background work."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect

from desk.data.background.kinds import Work, study_of
from jobs.models import Job, JobState


def go_on(request: HttpRequest, job: Job, kind: Work) -> HttpResponseRedirect:
    """To the page with the outcome, and what was done in a message; while there is none, to the
    page of the job."""
    if job.state != JobState.DONE:
        return redirect("desk:background", study_of(job).slug, job.pk)
    outcome = job.outcome or {}
    if "refused" in outcome:
        messages.warning(request, outcome["refused"])
    elif "done" in outcome:
        messages.success(request, outcome["done"])
    return redirect(kind.page(study_of(job), job.parameters))
