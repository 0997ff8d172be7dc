"""The rule by which a study closes: shown beside the plan, set by editors."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.access import Role, account, get_study
from annotation.models import Study
from estimates.data.rows import Row
from estimates.report.newest import newest_report
from estimates.report.recount import ask_for_recount
from estimates.report.stopping import is_spent, rule_text, set_stop_rule, stop_text
from results.views.forms import StopForm


@login_required
@require_http_methods(["GET", "POST"])
def stop_rule(request: HttpRequest, slug: str) -> HttpResponse:
    """The rule and each time that it closed the study; an editor may change it."""
    study = get_study(request.user, slug, Role.EDITOR)
    report = newest_report(study)
    rows: Sequence[Row] = () if report is None else report.rows
    form = StopForm(request.POST or None, rows=rows, rule=study.stop_rule)
    if request.method != "POST" or not form.is_valid():
        shown = {"study": study, "form": form, **stopping_of(study)}
        return render(request, "results/stop_rule.html", shown)
    set_stop_rule(study=study, rule=form.rule, by=account(request))
    if form.rule and study.state == Study.State.OPEN:
        ask_for_recount(study=study)
    messages.success(request, _("Saved.") if form.rule else _("The study has no such rule."))
    return redirect("results:stop-rule", slug)


def stopping_of(study: Study) -> dict[str, Any]:
    """The rule and the stops in words, for a template."""
    return {
        "rule": rule_text(study.stop_rule) if study.stop_rule else "",
        "rule_is_spent": is_spent(study.stop_rule, study.stops),
        "stops": [stop_text(stop) for stop in study.stops],
    }
