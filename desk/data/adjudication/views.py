"""Adjudication: the queue, one case after the other, and what was decided."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_study, may
from annotation.models import AdjudicationCase, GoldAnswer, Study
from desk.data.adjudication.audits import audit_lines
from desk.data.adjudication.cases import skipped_cases
from desk.data.adjudication.decisions import decide_again
from desk.data.adjudication.forms import AuditForm, ContestedForm
from desk.data.adjudication.overview import gold_lines, standing_of
from desk.data.adjudication.queue import take_next
from desk.data.adjudication.work import (
    ADD_CONTESTED,
    BESIDE_GOLD,
    DRAW_AUDIT,
    ask_for_audit,
    ask_for_contested,
    newest_beside_gold,
)
from desk.data.background.answer import go_on
from desk.data.background.jobs import under_way
from results.adjudication.compared import NO_GOLD, BesideGold
from results.adjudication.figures import tables_of

PAGE = 50


@login_required
@require_GET
def adjudication(request: HttpRequest, slug: str) -> HttpResponse:
    """How far deciding has come, and the forms that put more into the queue."""
    study = get_study(request.user, slug, Role.REVIEWER)
    return _overview(request, study)


def _overview(request: HttpRequest, study: Study, **forms: Any) -> HttpResponse:
    page = Paginator(gold_lines(study), PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "standing": standing_of(study, account(request), timezone.now()),
        "audits": audit_lines(study),
        "under_way": under_way(study=study, of=(ADD_CONTESTED, DRAW_AUDIT, BESIDE_GOLD)),
        "page": page,
        "may_promote": may(request.user, study, Role.EDITOR),
        "contested_form": ContestedForm(prefix="contested"),
        "audit_form": AuditForm(study, prefix="audit"),
        **forms,
    }
    return render(request, "desk/adjudication.html", context, status=422 if forms else 200)


@login_required
@require_POST
def add_contested(request: HttpRequest, slug: str) -> HttpResponse:
    """Put the most contested questions into the queue."""
    study = get_study(request.user, slug, Role.REVIEWER)
    form = ContestedForm(request.POST, prefix="contested")
    if not form.is_valid():
        return _overview(request, study, contested_form=form)
    most = form.cleaned_data["most"]
    job = ask_for_contested(study=study, most=most, by=account(request))
    return go_on(request, job, ADD_CONTESTED)


@login_required
@require_POST
def add_audit(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw a random sample of questions, and put it into the queue."""
    study = get_study(request.user, slug, Role.REVIEWER)
    form = AuditForm(study, request.POST, prefix="audit")
    if not form.is_valid():
        return _overview(request, study, audit_form=form)
    job = ask_for_audit(study=study, by=account(request), **form.cleaned_data)
    return go_on(request, job, DRAW_AUDIT)


@login_required
@require_POST
def next_case(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the next case and go there."""
    study = get_study(request.user, slug, Role.REVIEWER)
    return to_next(request, study)


def to_next(request: HttpRequest, study: Study) -> HttpResponse:
    """To the next case of the queue, or back to the overview where it is empty."""
    by, now = account(request), timezone.now()
    case = take_next(study=study, by=by, now=now, skipped=skipped_cases(request, study))
    if case is None:
        messages.info(request, "No case is waiting for you.")
        return redirect("desk:adjudication", study.slug)
    return redirect("desk:case", study.slug, case.pk)


@login_required
@require_POST
def again(request: HttpRequest, slug: str, gold_id: int) -> HttpResponse:
    """Decide a question again that has gold."""
    study = get_study(request.user, slug, Role.REVIEWER)
    rows = GoldAnswer.objects.filter(study=study).current().select_related("question__block")
    gold = get_object_or_404(rows, pk=gold_id)
    case: AdjudicationCase = decide_again(gold=gold, by=account(request))
    return redirect("desk:case", slug, case.pk)


@login_required
@require_GET
def beside_gold(request: HttpRequest, slug: str) -> HttpResponse:
    """Who agrees with gold, and the headline figures before and after."""
    study = get_study(request.user, slug, Role.REVIEWER)
    job, figures = newest_beside_gold(study=study, by=account(request)), NO_GOLD
    if job is not None:
        if job.outcome is None:
            return go_on(request, job, BESIDE_GOLD)
        figures = BesideGold.from_json(study, job.outcome)
    context = {
        "study": study,
        "figures": figures,
        "job": job,
        "outdated": job is not None and job.revision != study.revision,
        "audits": audit_lines(study),
    }
    return render(request, "desk/beside_gold.html", context | tables_of(study, figures))
