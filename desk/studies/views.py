"""What studies there are, how far one has come, and opening and closing it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_role, get_study, remember_worker
from annotation.models import Study
from annotation.rounds.opening import NotReady, close_study, missing_to_open, open_study
from annotation.work.problems import problems_in
from desk.studies import tryouts
from desk.studies.monitoring import counts_in_words, oddities_in_words, progress_by_round
from judges.views.panel import panel_context


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The studies that somebody is in; a welcome to anyone else."""
    if not request.user.is_authenticated:
        return render(request, "desk/welcome.html")
    studies = Study.objects.visible_to(request.user)
    return render(request, "desk/home.html", {"studies": studies})


@login_required
@require_GET
def study(request: HttpRequest, slug: str) -> HttpResponse:
    """How far a study has come, and the ways to all that belongs to it."""
    found = get_study(request.user, slug)
    return render(
        request,
        "desk/study.html",
        {
            "study": found,
            "role": get_role(request.user, found),
            "rounds": progress_by_round(found),
            "blocks": found.blocks.all(),
            "missing": missing_to_open(found) if found.state != Study.State.OPEN else [],
            "material_counts": counts_in_words(found),
            "odd": oddities_in_words(found),
            "problems": problems_in(found).count(),
            **panel_context(found),
        },
    )


@login_required
@require_POST
def open_(request: HttpRequest, slug: str) -> HttpResponse:
    """Let workers in, or say what is missing for it."""
    found = get_study(request.user, slug, Role.OWNER)
    try:
        open_study(study=found)
    except NotReady as not_ready:
        messages.error(
            request, _("Not opened. Missing: %(what)s.") % {"what": "; ".join(not_ready.missing)}
        )
    else:
        messages.success(request, _("The study is open: invited workers can start."))
    return redirect(found)


@login_required
@require_POST
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Let nobody new in."""
    found = get_study(request.user, slug, Role.OWNER)
    close_study(study=found)
    messages.success(request, _("The study is closed. Open batches may still be submitted."))
    return redirect(found)


@login_required
@require_POST
def try_out(request: HttpRequest, slug: str) -> HttpResponse:
    """To the study's first page as a worker meets it, in a copy where nothing counts."""
    found = get_study(request.user, slug, Role.EDITOR)
    try:
        participation = tryouts.try_out(study=found, by=account(request))
    except tryouts.NothingToTry:
        messages.error(request, _("This study has no rounds that anybody could work in."))
        return redirect(found)
    remember_worker(request, participation.worker)
    return redirect("annotation:lobby", participation.study.slug)
