"""One unit with everything that is known of it."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from annotation.access import Role, get_study, may
from desk.data.units.forms import ActionForm
from desk.data.units.table import UnitTable
from desk.data.units.unit_page import record_of
from results.units.page import unit_of
from results.views.units import neighbours_behind


@login_required
@require_GET
def unit(request: HttpRequest, slug: str, unit_id: int) -> HttpResponse:
    """The unit, with the ones before and after it in the list that the address holds: one behind
    a number of the results, or that of the data."""
    study = get_study(request.user, slug)
    shown = unit_of(study, unit_id)
    if shown is None:
        raise Http404("No such unit in this study.")
    reviews = may(request.user, study, Role.REVIEWER)
    behind, table = neighbours_behind(request, study, unit_id), UnitTable(study, request.GET)
    context = {
        "study": study,
        "now": timezone.now(),
        "behind": behind,
        "listed": None if behind else table.beside(shown.pk),
        "query": table.query,
        "may_review": reviews,
        "may_act": may(request.user, study, Role.EDITOR),
        "action": ActionForm(study),
        "subsets": study.subsets.order_by("name").values_list("name", flat=True),
        **record_of(study, shown, reviews=reviews),
    }
    return render(request, "desk/units/unit.html", context)
