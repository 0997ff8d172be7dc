"""The problems that workers reported."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.access import Role, get_study
from desk.people.problems.reported import problems_of, reported_units

PAGE = 50


@login_required
@require_GET
def problems(request: HttpRequest, slug: str) -> HttpResponse:
    """All of them by unit, or those of one unit."""
    study = get_study(request.user, slug, Role.REVIEWER)
    units, unit_key = reported_units(study), request.GET.get("unit", "")
    if unit_key.isdecimal() and len(unit_key) < 19:
        units = units.filter(unit=int(unit_key))
    page = Paginator(units, PAGE).get_page(request.GET.get("page"))
    context = {"study": study, "page": page, "units": problems_of(study, page), "one": unit_key}
    return render(request, "desk/problems.html", context)
