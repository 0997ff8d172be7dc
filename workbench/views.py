"""The pages of the loop: split a study, improve a judge on one half, test it on the other."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_study, may
from annotation.models import Rater, Study
from estimates.report.newest import newest_report
from judges.definitions.proposals import propose_judge
from judges.definitions.versions import BadJudge
from judges.models import Judge
from judges.runs.plans.scope import RunRefused
from judges.views.forms import RunForm
from judges.views.overview import may_change
from judges.views.runs import render_plan
from workbench.cards.card import Card
from workbench.cards.gathering import cards_of, never_answered
from workbench.cards.writing import FORMS, base_name, shown
from workbench.drawing import Line, line_of
from workbench.forms import LookForm, SplitForm, VersionForm
from workbench.looks import (
    LookRefused,
    budget_of,
    forecast_look,
    looks_of,
    publish_sealed,
    seen_before,
    take_look,
)
from workbench.loop import Version, differences, flips, versions_of
from workbench.splitting import NotSplit, split_sources


@login_required
@require_GET
def loop(request: HttpRequest, slug: str) -> HttpResponse:
    """The split of a study, its looks, and the judges to improve."""
    study = get_study(request.user, slug)
    return _overview(request, study, SplitForm(initial={"seed": study.seed}))


def _overview(request: HttpRequest, study: Study, form: SplitForm) -> HttpResponse:
    judges = study.raters.filter(kind=Rater.Kind.JUDGE).order_by("name")
    context = {
        "study": study,
        "budget": budget_of(study),
        "looks": looks_of(study),
        "names": list(judges.values_list("name", flat=True).distinct()),
        "form": form,
        "may_change": may_change(request, study),
        "may_publish": may(request.user, study, Role.OWNER),
    }
    return render(request, "workbench/loop.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def split(request: HttpRequest, slug: str) -> HttpResponse:
    """Split the sources, once."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = SplitForm(request.POST)
    if form.is_valid():
        try:
            split_sources(study=study, by=account(request), **form.choice)
        except NotSplit as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The sources are split."))
            return redirect("workbench:loop", slug)
    return _overview(request, study, form)


@login_required
@require_GET
def judge(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One judge's versions against people, its text, where it differs, and what flipped."""
    study = get_study(request.user, slug)
    return _judge(request, study, name)


@dataclass(frozen=True)
class _Chosen:
    """The version that is shown in full, and the one that it is compared with."""

    shown: Version
    before: Version | None


def _judge(
    request: HttpRequest, study: Study, name: str, form: VersionForm | None = None
) -> HttpResponse:
    looks = looks_of(study)
    versions = versions_of(study, name, looks)
    if versions is not None and not versions:
        raise Http404(_("No such judge in this study."))
    changes = may_change(request, study)
    chosen = _chosen(request, versions or [])
    context: dict[str, Any] = {
        "study": study,
        "name": name,
        "budget": budget_of(study),
        "versions": versions,
        "lines": _lines(versions or []),
        "chosen": chosen,
        "may_change": changes,
        "look_form": LookForm(),
    }
    if chosen is not None:
        reasons = may(request.user, study, Role.REVIEWER)
        context["apart"] = differences(study, chosen.shown, reasons=reasons)
        if chosen.before is not None:
            context["flips"] = flips(study, chosen.before, chosen.shown)
        own = _own(study, chosen.shown)
        context["judge"] = own
        if own is not None and changes:
            context["form"] = form or VersionForm(study, own, user=account(request))
    status = 422 if form is not None and form.errors else 200
    return render(request, "workbench/judge.html", context, status=status)


def _chosen(request: HttpRequest, versions: list[Version]) -> _Chosen | None:
    """By the address, or else the newest version that has answers, and the one before it."""
    by_number = {str(version.rater.version): version for version in versions}
    with_answers = [version for version in versions if version.is_measured] or versions
    if not versions:
        return None
    shown = by_number.get(request.GET.get("version", ""), with_answers[-1])
    earlier = [v for v in with_answers if v.rater.version < shown.rater.version]
    before = by_number.get(request.GET.get("before", ""), earlier[-1] if earlier else None)
    return _Chosen(shown, None if before is shown else before)


def _lines(versions: list[Version]) -> list[Line]:
    facets = [figure.facet for version in versions[:1] for figure in version.figures]
    lines = (line_of(versions, facet) for facet in facets)
    return [line for line in lines if line is not None]


def _own(study: Study, version: Version) -> Judge | None:
    return (
        Judge.objects.known_to(study)
        .filter(name=version.rater.name, version=version.rater.version)
        .first()
    )


@login_required
@require_POST
def change(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The next version of a judge, and the plan of its run over what the earlier one answered."""
    study, by = get_study(request.user, slug, Role.EDITOR), account(request)
    number = request.POST.get("of", "")
    rows = Judge.objects.known_to(study).filter(name=name)
    is_number = number.isdecimal() and len(number) < 10
    earlier = rows.filter(version=number).first() if is_number else None
    if earlier is None:
        raise Http404(_("No such judge in this study."))
    form = VersionForm(study, earlier, request.POST, user=by)
    if form.is_valid():
        try:
            made = propose_judge(study=study, by=by, **form.definition)
            plan = RunForm(study, {"judge": str(made), "like": str(earlier), "replicates": "1"})
            plan.full_clean()
            return render_plan(request, study, made, plan, said=_("%s is defined.") % made)
        except (BadJudge, RunRefused) as error:
            form.add_reason(str(error))
    return _judge(request, study, name, form)


@login_required
@require_POST
def look(request: HttpRequest, slug: str, version: int, name: str) -> HttpResponse:
    """What a look at the sealed half costs; then, confirmed, the look."""
    study, by = get_study(request.user, slug, Role.EDITOR), account(request)
    rater = study.raters.filter(kind=Rater.Kind.JUDGE, name=name, version=version).first()
    form = LookForm(request.POST)
    if rater is None:
        raise Http404(_("No such judge in this study."))
    if not form.is_valid():
        messages.warning(request, _("The cap must be an amount in USD."))
        return redirect("workbench:judge", slug, name)
    asked = {"study": study, "rater": rater, "by": by, **form.cleaned_data}
    try:
        if "confirmed" not in request.POST:
            return _look_plan(request, study, rater, asked, form)
        taken = take_look(**asked)
    except (LookRefused, RunRefused, BadJudge) as error:
        messages.warning(request, str(error))
        return redirect("workbench:judge", slug, name)
    if taken.run is not None and not taken.figures:
        messages.success(
            request, _("The judge is being asked. The figures appear here afterwards.")
        )
    return redirect("workbench:judge", slug, name)


def _look_plan(
    request: HttpRequest, study: Study, rater: Rater, asked: dict[str, Any], form: LookForm
) -> HttpResponse:
    forecast = forecast_look(**asked)
    budget = budget_of(study)
    assert budget is not None  # it would have been refused
    context: dict[str, Any] = {
        "study": study,
        "rater": rater,
        "forecast": forecast,
        "budget": budget,
        "form": form,
    }
    context["seen"] = seen_before(rater, budget.split)
    return render(request, "workbench/look.html", context)


@login_required
@require_POST
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Publish the answers behind the looks, after which there are no others."""
    study, by = get_study(request.user, slug, Role.OWNER), account(request)
    if "confirmed" not in request.POST:
        messages.warning(request, _("Nothing is published: tick the box."))
        return redirect("workbench:loop", slug)
    try:
        publish_sealed(study=study, by=by)
    except LookRefused as error:
        messages.warning(request, str(error))
    else:
        messages.success(request, _("The answers behind the looks are published in bundles."))
    return redirect("workbench:loop", slug)


@login_required
@require_GET
def card(request: HttpRequest, slug: str, version: int, name: str) -> HttpResponse:
    """The cards of a version, one for each block that it answered; by `format`, one as a file."""
    study = get_study(request.user, slug)
    rater = study.raters.filter(kind=Rater.Kind.JUDGE, name=name, version=version).first()
    if rater is None:
        raise Http404(_("No such judge in this study."))
    report = newest_report(study)
    cards = [] if report is None else cards_of(study, report, rater=rater)
    form = request.GET.get("format", "")
    if form:
        block = request.GET.get("block", "")
        found = next((c for c in cards if block in ("", c.task.block)), None)
        if found is None or form not in FORMS:
            raise Http404(_("No such card."))
        return _as_file(found, form)
    context = {
        "study": study,
        "rater": rater,
        "cards": [shown(each) for each in cards],
        "forms": list(FORMS),
        "is_counted": report is not None,
        "refusal": "" if cards else str(never_answered(rater)),
    }
    return render(request, "workbench/card.html", context)


def _as_file(card: Card, form: str) -> HttpResponse:
    kind = {"html": "text/html", "md": "text/markdown", "json": "application/json"}[form]
    answer = HttpResponse(FORMS[form](card), content_type=f"{kind}; charset=utf-8")
    name = f"{base_name(card)}.{form}"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
