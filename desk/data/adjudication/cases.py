"""The page of one case: take it, enter the answer, go on to the next."""

from collections.abc import Collection

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import Role, account, get_study
from annotation.models import AdjudicationCase, Annotation, GoldAnswer, Study
from annotation.views.htmx import HtmxRequest, redirect_htmx
from annotation.views.page_cache import draw_saved
from annotation.work.drafts import TooLong, answer_form
from desk.data.adjudication.decisions import (
    NotHeld,
    Posted,
    Stale,
    decide_case,
    reveal_case,
    save_case,
    set_aside,
    start_from,
)
from desk.data.adjudication.pages import draw_form_of, side_by_side
from desk.data.adjudication.queue import release_case, take_case, take_next

REASON = "why_gold"
LOST = "Somebody else has this case now, so nothing was saved. Your input is still below."
STALE = "This case was changed in another tab. Your input is below: press Decide to keep it."
TOO_LONG = "Too long to be saved. Please shorten it."


def skipped_cases(request: HttpRequest, study: Study) -> Collection[int]:
    """The cases that were passed over in this browser session."""
    skipped: list[int] = request.session.get(f"skipped-{study.pk}", [])
    return skipped


def _case(request: HttpRequest, slug: str, case_id: int) -> AdjudicationCase:
    study = get_study(request.user, slug, Role.REVIEWER)
    rows = AdjudicationCase.objects.select_related("question__block", "question__unit", "holder")
    case = get_object_or_404(rows, study=study, pk=case_id)
    case.study = study
    return case


@login_required
@require_http_methods(["GET", "POST"])
@redirect_htmx
def case(request: HttpRequest, slug: str, case_id: int) -> HttpResponse:
    """A case as its adjudicator works on it; for others, and afterwards, to be looked at."""
    shown = _case(request, slug, case_id)
    by, now = account(request), timezone.now()
    if request.method == "POST":
        return _work(request, shown)
    if shown.is_open and not shown.is_held_by(by, now):
        take_case(case=shown, by=by, now=now)
    return _page(request, shown, shown.posted)


def _work(request: HttpRequest, shown: AdjudicationCase) -> HttpResponse:
    """Save what was entered, then do what the button says."""
    by, now, posted = account(request), timezone.now(), _posted(request)
    go = request.POST.get("go", "next")
    try:
        _save(request, shown)
        if go == "next":
            return _decide(request, shown)
        if go == "aside":
            set_aside(case=shown, by=by, now=now)
        elif go == "reveal":
            reveal_case(case=shown, by=by, now=now)
        elif go.startswith("accept-"):
            answer = _answer(shown, go.removeprefix("accept-"))
            start_from(case=shown, annotation=answer, by=by, now=now)
    except (NotHeld, Stale, TooLong) as why:
        return _refused(request, shown, posted, why)
    if go in ("aside", "skip"):
        return _away(request, shown, skip=go == "skip")
    return redirect("desk:case", shown.study.slug, shown.pk)


def _decide(request: HttpRequest, shown: AdjudicationCase) -> HttpResponse:
    form = answer_form(shown.question, shown.posted)
    if not form.is_valid():
        return _page(request, shown, shown.posted, refused=True)
    decide_case(case=shown, answer=form.answer(), by=account(request), now=timezone.now())
    messages.success(request, f"Case {shown.pk} is decided.")
    return _away(request, shown)


def _away(request: HttpRequest, shown: AdjudicationCase, *, skip: bool = False) -> HttpResponse:
    by = account(request)
    skipped = skipped_cases(request, shown.study)
    if skip:
        skipped = [*skipped, shown.pk]
        request.session[f"skipped-{shown.study.pk}"] = skipped
        release_case(case=shown, by=by)
    case = take_next(study=shown.study, by=by, now=timezone.now(), skipped=skipped)
    if case is None:
        messages.info(request, "No case is waiting for you.")
        return redirect("desk:adjudication", shown.study.slug)
    return redirect("desk:case", shown.study.slug, case.pk)


def _posted(request: HttpRequest) -> Posted:
    return {name: values for name, values in request.POST.lists() if values}


def _save(request: HttpRequest, shown: AdjudicationCase) -> AdjudicationCase:
    revision = request.POST.get("revision", "")
    return save_case(
        case=shown,
        posted=_posted(request),
        reason=request.POST.get(REASON, ""),
        revision=int(revision) if revision.isdecimal() and len(revision) < 10 else 0,
        by=account(request),
        now=timezone.now(),
    )


def _answers(shown: AdjudicationCase) -> QuerySet[Annotation]:
    return Annotation.objects.filter(question=shown.question, superseded_at=None, withdrawn_at=None)


def _answer(shown: AdjudicationCase, key: str) -> Annotation:
    """One of them by its key; a 404 where it is not there, or was withdrawn meanwhile."""
    number = int(key) if key.isascii() and key.isdecimal() and len(key) < 19 else 0
    return get_object_or_404(_answers(shown), pk=number)


def _refused(
    request: HttpRequest, shown: AdjudicationCase, posted: Posted, why: Exception
) -> HttpResponse:
    """The page again with what was entered, and why nothing was saved."""
    text = TOO_LONG if isinstance(why, TooLong) else LOST if isinstance(why, NotHeld) else STALE
    messages.error(request, text)
    shown.reason = request.POST.get(REASON, "")
    fresh = AdjudicationCase.objects.get(pk=shown.pk)
    shown.revision, shown.state = fresh.revision, fresh.state
    return _page(request, shown, posted, status=422 if isinstance(why, TooLong) else 409)


def _page(
    request: HttpRequest,
    shown: AdjudicationCase,
    posted: Posted,
    *,
    refused: bool = False,
    status: int = 200,
) -> HttpResponse:
    mine = shown.is_held_by(account(request), timezone.now())
    gold = GoldAnswer.objects.filter(question=shown.question).select_related("by").order_by("-pk")
    context = {
        "study": shown.study,
        "case": shown,
        "kind": shown.question.block.task_type,
        "mine": mine and shown.is_open,
        "entered": shown.reason if mine or status != 200 else "",
        "blind": shown.revealed_at is None,
        # The key of a unit may hold the name of the system.
        "heading": f"Case {shown.pk}" if shown.is_blind else shown.question.unit.key,
        "body": draw_form_of(shown, posted if mine or status != 200 else {}, refused=refused),
        "answers": side_by_side(shown),
        "history": list(gold),
        "waiting": shown.study.adjudication_cases.open().count(),
    }
    return render(request, "desk/case.html", context, status=422 if refused else status)


@login_required
@require_POST
def draft(request: HtmxRequest, slug: str, case_id: int) -> HttpResponse:
    """Autosave: the form's new revision, or what keeps it from being saved."""
    shown, problem, status = _case(request, slug, case_id), "", 200
    try:
        _save(request, shown)
    except (NotHeld, Stale, TooLong) as why:
        too_long = isinstance(why, TooLong)
        problem = TOO_LONG if too_long else LOST if isinstance(why, NotHeld) else STALE
        status = 422 if too_long else 409
    if not request.htmx:
        return redirect("desk:case", slug, case_id)
    return HttpResponse(draw_saved(shown.revision, problem), status=status)
