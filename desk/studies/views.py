"""The list of studies, the page of one, and opening, closing and trying it out."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_role, get_study, remember_worker
from annotation.middleware.language import unproofread_name
from annotation.models import Study
from annotation.rounds.opening import NotReady, close_study, missing_to_open, open_study
from annotation.work.problems import problems_in
from desk.models import NewStudy
from desk.studies import tryouts
from desk.studies.monitoring import progress_by_round
from judges.views.panel import panel_context


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The studies of a researcher; a welcome page for others."""
    if not request.user.is_authenticated:
        return render(request, "desk/welcome.html")
    studies = Study.objects.visible_to(request.user)
    drafts = NewStudy.objects.filter(owner=account(request)).order_by("-touched_at")
    return render(request, "desk/home.html", {"studies": studies, "drafts": drafts})


@login_required
@require_GET
def study(request: HttpRequest, slug: str) -> HttpResponse:
    """The progress of a study, and links to everything that belongs to it."""
    study = get_study(request.user, slug)
    is_ready = study.state == Study.State.OPEN or study.is_finished_data
    return render(
        request,
        "desk/study.html",
        {
            "study": study,
            "role": get_role(request.user, study),
            "rounds": progress_by_round(study),
            "missing": [] if is_ready else missing_to_open(study),
            "unproofread": unproofread_name(study),
            "problems": problems_in(study).count(),
            **panel_context(study),
        },
    )


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
def try_out(request: HttpRequest, slug: str) -> HttpResponse:
    """To the study's first page as a worker meets it, in a copy where nothing counts."""
    study = get_study(request.user, slug, Role.EDITOR)
    try:
        participation = tryouts.try_out(study=study, by=account(request))
    except tryouts.NothingToTry:
        messages.error(request, _("This study has no rounds to work in."))
        return redirect(study)
    remember_worker(request, participation.worker)
    return redirect("annotation:lobby", participation.study.slug)
