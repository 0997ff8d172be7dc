"""From a number to the units behind it, and from a unit to all of its answers."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from annotation.access import get_study
from annotation.models import Study, Unit
from annotation.work.problems import problems_in
from results.data.groups import GROUP_KEYS
from results.data.rows import SCORE_FACET
from results.metrics.catalogue import F1, MEAN
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
from results.units.material import context_of
from results.units.neighbours import Neighbours, neighbours_in, neighbours_of
from results.units.number import number_behind
from results.units.page import unit_of
from results.views.dashboard import still_counting


@login_required
@require_GET
def units(request: HttpRequest, slug: str) -> HttpResponse:
    """The units behind a number, most disagreed first."""
    study = get_study(request.user, slug)
    behind = _behind(request)
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


def _behind(request: HttpRequest) -> Behind:
    parameters = request.GET
    return Behind(
        facet=parameters.get("facet", ""),
        raters=parameters.get("raters", ""),
        group={key: parameters[key] for key in GROUP_KEYS if parameters.get(key)},
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


@login_required
@require_GET
def unit(request: HttpRequest, slug: str, unit_id: int) -> HttpResponse:
    """One unit with all of its answers side by side."""
    study = get_study(request.user, slug)
    shown_unit = unit_of(study, unit_id)
    if shown_unit is None:
        raise Http404("No such unit in this study.")
    return render(
        request,
        "results/unit.html",
        {
            "study": study,
            "now": timezone.now(),
            "problems": problems_in(study).filter(unit=shown_unit).count(),
            "beside": _neighbours(request, study, shown_unit),
            "query": request.GET.urlencode(),
            **context_of(shown_unit),
        },
    )


def _neighbours(request: HttpRequest, study: Study, shown: Unit) -> Neighbours:
    """The units before and after this one: in the list behind a number that the reader comes from,
    else in the order of the study."""
    if "facet" in request.GET:
        listed = _listed_units(request, study, _behind(request))
        beside = None if listed is None else neighbours_in(listed, shown.pk)
        if beside is not None:
            return beside
    return neighbours_of(shown)
