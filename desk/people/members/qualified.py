"""Inviting workers who passed a round to the next one, and their ids for the panel."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation.access import Role, account, get_role, get_study
from annotation.entry.invitations import invite_qualified, let_into, panel_ids, waiting_for
from annotation.models import Round, Study, log_change
from annotation.views.downloads import as_download


@login_required
@require_http_methods(["GET", "POST"])
def qualified(request: HttpRequest, slug: str) -> HttpResponse:
    """How many workers wait for which round, and a button that invites them."""
    study = get_study(request.user, slug, Role.EDITOR)
    if request.method == "POST":
        invited = invite_qualified(
            round_=_round(study, request.POST.get("round", "")), created_by=account(request)
        )
        text = ngettext("%(n)s person was invited.", "%(n)s people were invited.", len(invited))
        messages.success(request, text % {"n": len(invited)})
        return redirect("desk:qualified", slug)
    later = [round_ for round_ in study.rounds.all() if round_.position]
    rows = [(round_, waiting_for(round_).count(), let_into(round_).count()) for round_ in later]
    owns = get_role(request.user, study) == Role.OWNER
    return render(request, "desk/qualified.html", {"study": study, "rows": rows, "owns": owns})


@login_required
@require_GET
@never_cache
def qualified_ids(request: HttpRequest, slug: str, round_id: int) -> HttpResponse:
    """The panel's ids of everybody let into a round, as CSV: like pay files for owners alone."""
    study = get_study(request.user, slug, Role.OWNER)
    round_ = _round(study, str(round_id))
    subject = round_.name
    log_change(study=study, by=account(request), action="qualified.downloaded", subject=subject)
    answer = HttpResponse(panel_ids(round_), content_type="text/csv; charset=utf-8")
    return as_download(answer, f"{slug}-{round_.position}-invited.csv")


def _round(study: Study, key: str) -> Round:
    return get_object_or_404(study.rounds, pk=key if key.isdecimal() else None)
