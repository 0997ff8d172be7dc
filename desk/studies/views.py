"""The list of studies, and opening, pausing, closing and trying one out."""

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_study, remember_worker
from annotation.rounds.opening import NotReady, close_study, open_study, pause_study, resume_study
from desk.studies import tryouts
from desk.studies.cards import (
    ORDERS,
    StateFilter,
    cards_of,
    count_by_state,
    memberships,
    of_state,
)
from desk.studies.example import there_is_an_example
from imports.study_file.study_fields import long_texts
from set_up.models import ImportJob, NewStudy

CARDS = 24


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The studies of a researcher; a welcome page for others."""
    if not request.user.is_authenticated:
        return render(request, "desk/welcome.html")
    search = request.GET.get("q", "").strip()[:100]
    order = request.GET.get("sort", "")
    order = order if order in ORDERS else next(iter(ORDERS))
    asked = request.GET.get("state", "")
    state = StateFilter(asked) if asked in list(StateFilter) else StateFilter.ACTIVE
    members = memberships(account(request), search)
    rows = of_state(members, state).select_related("study").order_by(*ORDERS[order][1])
    rows = rows.defer(*(f"study__{name}" for name in long_texts()))
    page = Paginator(rows, CARDS).get_page(request.GET.get("page"))
    now = timezone.now()
    context = {
        "cards": cards_of(page.object_list, now),
        "page": page,
        "counts": count_by_state(members),
        "state": state,
        "orders": {name: title for name, (title, _by) in ORDERS.items()},
        "order": order,
        "search": search,
        "drafts": NewStudy.objects.filter(owner=account(request)).order_by("-touched_at"),
        "imports": ImportJob.objects.under_way()
        .filter(owner=account(request))
        .exclude(parameters__format_name=""),
        "example": there_is_an_example(),
        "pages_query": urlencode({"state": state, "q": search, "sort": order}),
    }
    return render(request, "desk/home.html", context)


@login_required
@require_POST
def open_(request: HttpRequest, slug: str) -> HttpResponse:
    """Let workers in, or say what is missing."""
    study = get_study(request.user, slug, Role.OWNER)
    try:
        open_study(study=study, by=account(request))
    except NotReady as not_ready:
        messages.error(
            request, _("Not opened. Missing: %(what)s.") % {"what": "; ".join(not_ready.missing)}
        )
        return redirect("desk:set-up", slug)
    messages.success(request, _("The study is open: invited workers can start."))
    return redirect(study)


@login_required
@require_POST
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Admit no new workers."""
    study = get_study(request.user, slug, Role.OWNER)
    close_study(study=study, by=account(request))
    messages.success(request, _("The study is closed. Open batches may still be submitted."))
    return redirect(study)


@login_required
@require_POST
def pause(request: HttpRequest, slug: str) -> HttpResponse:
    """Let nobody begin for a while."""
    study = get_study(request.user, slug, Role.OWNER)
    if pause_study(study=study, by=account(request), now=timezone.now()):
        messages.success(request, _("The study is paused."))
    else:
        messages.info(request, _("Nothing was changed: the study is not open, or paused already."))
    return redirect(study)


@login_required
@require_POST
def resume(request: HttpRequest, slug: str) -> HttpResponse:
    """Let people begin again after a pause."""
    study = get_study(request.user, slug, Role.OWNER)
    if resume_study(study=study, by=account(request)):
        messages.success(request, _("Resumed: invited workers can start again."))
    else:
        messages.info(request, _("Nothing was changed: the study is not paused."))
    return redirect(study)


@login_required
@require_POST
def try_out(request: HttpRequest, slug: str) -> HttpResponse:
    """To the study's first page as a worker meets it, in a copy where nothing counts."""
    study = get_study(request.user, slug, Role.EDITOR)
    try:
        participation = tryouts.try_out(study=study, by=account(request))
    except tryouts.NothingToTry:
        messages.error(request, _("This study has no rounds to work in."))
        return redirect(study)
    remember_worker(request, participation)
    return redirect("annotation:lobby", participation.study.slug)
