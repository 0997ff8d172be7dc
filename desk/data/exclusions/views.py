"""Exclusion rules: look at what one would do, apply it, undo it."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import Role, account, get_study
from annotation.models import ExclusionRule, Study
from desk.data.background.answer import go_on
from desk.data.background.jobs import newest_or_asked
from desk.data.exclusions.forms import RuleForm
from desk.data.exclusions.previews import Preview
from desk.data.exclusions.rules import looked_at
from desk.data.exclusions.work import APPLY, PREVIEW, UNDO, ask_to_apply, ask_to_undo, look_at
from results.reading.titles import metric_title
from results.tables.grids import Cell


@login_required
@require_http_methods(["GET", "POST"])
def exclusions(request: HttpRequest, slug: str) -> HttpResponse:
    """The form of a rule, and the rules that were looked at and applied."""
    study = get_study(request.user, slug, Role.REVIEWER)
    form = RuleForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        conditions = form.conditions_of(form.cleaned_data)
        _rule, job = look_at(study=study, conditions=conditions, by=account(request))
        return go_on(request, job, PREVIEW)
    rules = ExclusionRule.objects.filter(study=study).select_related("by", "applied_by")
    context = {
        "study": study,
        "form": form,
        "rules": list(rules.order_by("-pk")),
        "looked_at": looked_at(study),
        "has_workers": study.participations.exists(),
    }
    return render(request, "desk/exclusions.html", context, status=422 if form.errors else 200)


def _get_rule(request: HttpRequest, slug: str, rule_id: int) -> ExclusionRule:
    study: Study = get_study(request.user, slug, Role.REVIEWER)
    rule = get_object_or_404(ExclusionRule, study=study, pk=rule_id)
    rule.study = study
    return rule


@login_required
@require_GET
def exclusion(request: HttpRequest, slug: str, rule_id: int) -> HttpResponse:
    """What a rule would do at present, or what it did."""
    rule = _get_rule(request, slug, rule_id)
    context: dict[str, Any] = {
        "study": rule.study,
        "rule": rule,
        "looked_at": looked_at(rule.study),
    }
    if rule.applied_at is None:
        job = newest_or_asked(
            study=rule.study, kind=PREVIEW, parameters=rule.conditions, by=account(request)
        )
        if job.outcome is None:
            return go_on(request, job, PREVIEW)
        effect = Preview.from_json(rule.study, job.outcome)
        outdated = job.revision != rule.study.revision
        context |= {"preview": effect, "figures": _figures(effect)}
        context |= {"job": job, "outdated": outdated}
    return render(request, "desk/exclusion.html", context)


def _figures(effect: Preview) -> list[tuple[Any, ...]]:
    return [
        (
            each.facet.title,
            metric_title(each.metric, each.facet),
            Cell.of(each.before, metric=each.metric),
            Cell.of(each.after, metric=each.metric),
        )
        for each in effect.effects.facets
    ]


@login_required
@require_POST
def apply(request: HttpRequest, slug: str, rule_id: int) -> HttpResponse:
    """Exclude what the preview showed."""
    rule = _get_rule(request, slug, rule_id)
    job = ask_to_apply(rule=rule, seen=request.POST.get("seen", ""), by=account(request))
    return go_on(request, job, APPLY)


@login_required
@require_POST
def revert(request: HttpRequest, slug: str, rule_id: int) -> HttpResponse:
    """Count again what a rule excluded."""
    rule = _get_rule(request, slug, rule_id)
    job = ask_to_undo(rule=rule, by=account(request))
    return go_on(request, job, UNDO)
