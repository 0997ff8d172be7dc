"""What each metric of the results means."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.access import get_study
from estimates.catalogue import every_metric


@login_required
@require_GET
def metrics(request: HttpRequest, slug: str) -> HttpResponse:
    """Every metric of the catalogue: what it is, its range, and when not to use it."""
    study = get_study(request.user, slug)
    shown = {
        "study": study,
        "metrics": every_metric(),
    }
    return render(request, "results/metrics.html", shown)
