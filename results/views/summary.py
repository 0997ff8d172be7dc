"""The first screen of a study's results."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.access import get_study
from results.report.newest import newest_report
from results.views.dashboard import still_counting


@login_required
@require_GET
def summary(request: HttpRequest, slug: str) -> HttpResponse:
    """Three questions, each with its answer in a sentence."""
    study = get_study(request.user, slug)
    report = newest_report(study)
    if report is None:
        return still_counting(request, study)
    return render(request, "results/summary.html", {"study": study, "report": report})
