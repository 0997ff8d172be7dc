"""The table of units, and its saved views."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_role, get_study, may
from desk.data.units.forms import ActionForm, SavedViewForm
from desk.data.units.lines import lines_of
from desk.data.units.saved import TooMany, may_remove, remove_view, save_view, views_for
from desk.data.units.search import keep_texts_soon
from desk.data.units.table import UnitTable, table_of
from results.units.distances import distances_kept


@login_required
@require_GET
def units(request: HttpRequest, slug: str) -> HttpResponse:
    """The units that the address asks for, fifty at a time."""
    study = get_study(request.user, slug)
    kept = distances_kept(study)
    table = UnitTable(study, request.GET)
    searchable = keep_texts_soon(study) if "q" in table.form.chosen else True
    role = get_role(request.user, study)
    views = list(views_for(study, account(request)))
    context = {
        "study": study,
        "table": table,
        "lines": lines_of(study, table.slice.keys),
        "kept": kept,
        "outdated": kept is None or kept.revision != study.revision,
        "searchable": searchable,
        "may_act": may(request.user, study, Role.EDITOR),
        "action": ActionForm(study),
        "subsets": study.subsets.order_by("name").values_list("name", flat=True),
        "views": [(view, may_remove(view, account(request), role)) for view in views],
        "view_form": SavedViewForm(auto_id="view-%s"),
    }
    return render(request, "desk/units/table.html", context)


@login_required
@require_POST
def save(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep the filters, order and columns that are shown under a name."""
    study = get_study(request.user, slug)
    form = SavedViewForm(request.POST)
    query = table_of(study, request.POST.get("query", "")).query
    if not form.is_valid():
        messages.error(request, _("Give the view a name of at most 80 characters."))
        return _to_table(slug, query)
    shared = form.cleaned_data["shared"] and may(request.user, study, Role.EDITOR)
    name = form.cleaned_data["name"]
    try:
        save_view(study=study, owner=account(request), name=name, query=query, shared=shared)
    except TooMany:
        messages.error(request, _("You have saved a hundred views already. Remove some first."))
    else:
        messages.success(request, _("Saved: %(name)s.") % {"name": name})
    return _to_table(slug, query)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, view_id: int) -> HttpResponse:
    """Forget a saved view."""
    study = get_study(request.user, slug)
    view = get_object_or_404(views_for(study, account(request)), pk=view_id)
    if not may_remove(view, account(request), get_role(request.user, study)):
        raise PermissionDenied(_("Only the person who saved a view or an editor can remove it."))
    remove_view(view=view)
    messages.success(request, _("Removed: %(name)s.") % {"name": view.name})
    return _to_table(slug, request.POST.get("query", ""))


def _to_table(slug: str, query: str) -> HttpResponse:
    address = reverse("desk:units", args=[slug])
    return redirect(f"{address}?{query}" if query else address)
