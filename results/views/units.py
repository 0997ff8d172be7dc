"""From a number to the units behind it."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from annotation.access import get_study
from annotation.models import Study
from estimates.catalogue.scores import F1, MEAN
from estimates.data.groups import GROUP_KEYS
from estimates.data.rows import SCORE_FACET
from results.reading.titles import group_text, metric_title, options_text, party_title
from results.tables.choice import recounting
from results.units.drilldown import (
    PAGE,
    Behind,
    Found,
    UnknownParty,
    control_units,
    units_behind,
    with_texts,
)
from results.units.neighbours import Neighbours, neighbours_in
from results.units.number import number_behind
from results.views.dashboard import still_counting
from results.views.rater_groups import own_keys


@login_required
@require_GET
def units(request: HttpRequest, slug: str) -> HttpResponse:
    """The units behind a number, most disagreed first."""
    study = get_study(request.user, slug)
    behind = _behind(request, study)
    listed = _listed_units(request, study, behind)
    if listed is None:
        return still_counting(request, study)
    page = Paginator(listed.lines, PAGE).get_page(request.GET.get("page"))
    options = recounting(study, request.GET)
    shown = {
        "number": number_behind(study, behind, options, request.GET),
        "study": study,
        "behind": behind,
        "who": party_title(behind.raters),
        "part": group_text(behind.group),
        "counting": options_text(options),
        "page": page,
        "lines": with_texts(list(page.object_list)),
        "query": urlencode({n: value for n, value in request.GET.items() if n != "page"}),
        "measured": metric_title(MEAN if any(line.mean is not None for line in page) else F1),
        "found": listed,
        "counted_at": listed.counted_at or timezone.now(),
    }
    return render(request, "results/units.html", shown)


def _behind(request: HttpRequest, study: Study) -> Behind:
    parameters, keys = request.GET, (*GROUP_KEYS, *own_keys(request, study))
    return Behind(
        facet=parameters.get("facet", ""),
        raters=parameters.get("raters", ""),
        group={key: parameters[key] for key in keys if parameters.get(key)},
        controls="controls" in parameters,
        score_facet=parameters.get(SCORE_FACET, ""),
    )


def _listed_units(request: HttpRequest, study: Study, behind: Behind) -> Found | None:
    find = control_units if behind.controls else units_behind
    try:
        return find(study, behind, recounting(study, request.GET))
    except KeyError as unknown:
        raise Http404("No such facet in this study.") from unknown
    except UnknownParty as unknown:
        raise Http404(f"No answers of {unknown} in this study.") from unknown


def neighbours_behind(request: HttpRequest, study: Study, unit_id: int) -> Neighbours | None:
    """The units before and after one in the list behind a number that the reader comes from; None
    where the address names no such list, or it lacks the unit."""
    if "facet" not in request.GET:
        return None
    listed = _listed_units(request, study, _behind(request, study))
    return None if listed is None else neighbours_in(listed, unit_id)
