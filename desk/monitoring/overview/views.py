"""The overview of a study, which follows what happens."""

from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from annotation.access import Role, get_role, get_study
from annotation.middleware.language import unproofread_name
from annotation.models import Study
from annotation.panels import prolific
from annotation.panels.prolific_api.connection import is_connected
from annotation.rounds.opening import missing_to_open
from annotation.views.htmx import HtmxRequest
from annotation.work.problems import problems_in
from desk.monitoring.overview.overview import Overview, overview, state_of


@login_required
@require_GET
@never_cache
@vary_on_headers("HX-Request")
def study(request: HtmxRequest, slug: str) -> HttpResponse:
    """How a study stands and what to do next; htmx gets what changes while one looks."""
    study = get_study(request.user, slug)
    role = get_role(request.user, study)
    context = {"study": study, "role": role, "shown": _overview(study, role, timezone.now())}
    if request.htmx:
        response = render(request, "desk/_live.html", context)
        # Another state has other buttons: then the whole page is asked for.
        if request.GET.get("state") != state_of(study):
            response["HX-Refresh"] = "true"
        return response
    return render(request, "desk/study.html", context | _around(study))


def _overview(study: Study, role: Role | None, now: datetime) -> Overview:
    return overview(study, now, all_seen=role is not None and role.may(Role.REVIEWER))


def _around(study: Study) -> dict[str, Any]:
    """What of the page does not change by itself."""
    is_ready = study.state == Study.State.OPEN or study.is_finished_data
    return {
        "missing": [] if is_ready else missing_to_open(study),
        "unproofread": unproofread_name(study),
        "problems": problems_in(study).count(),
        "on_prolific": study.recruitment.get("panel") == prolific.PANEL.slug
        and is_connected(study),
    }
