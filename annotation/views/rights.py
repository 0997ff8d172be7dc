"""Workers' rights: their data, withdrawal, and the debriefing."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import get_own_participation, get_participation
from annotation.messages.debrief import findings, is_over
from annotation.middleware.frames import framed_participation
from annotation.models import Participation
from annotation.rights import withdrawal
from annotation.rights.erasure import is_owed
from annotation.rights.stored_data import stored_about
from annotation.rounds.standing import current_round
from annotation.views.downloads import as_download
from annotation.views.ending import render_ending
from annotation.views.faults import worker_page
from annotation.work.leases import open_part
from annotation.work.ledger import earned

State = Participation.State


@worker_page
@require_safe
def my_data(request: HttpRequest, slug: str) -> HttpResponse:
    """What is stored about the worker, for how long, and how to get it or have it erased."""
    participation = get_own_participation(request, slug)
    return render(request, "annotation/my_data.html", _context(participation))


@worker_page
@require_safe
def my_data_file(request: HttpRequest, slug: str) -> HttpResponse:
    """All of it as a file to keep."""
    stored = stored_about(get_own_participation(request, slug))
    options = {"ensure_ascii": False, "indent": 2}
    return as_download(JsonResponse(stored, json_dumps_params=options), f"my-data-{slug}.json")


@worker_page
@require_http_methods(["GET", "POST"])
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw, after a question; erase at once; or take a withdrawal back."""
    participation = get_own_participation(request, slug)
    choice, now = request.POST.get("choice", ""), timezone.now()
    if request.method != "POST":
        if participation.state == State.WITHDRAWN:
            return redirect("annotation:end", slug)
        context = _context(participation) | {"hours": settings.WITHDRAWAL_HOURS}
        return render(request, "annotation/withdraw.html", context)
    if choice == "take-back":
        return _taken_back(request, participation)
    if choice == "erase":
        withdrawal.erase_now(participation=participation, now=now)
    else:
        withdrawal.withdraw(participation=participation, now=now)
    return _withdrawn(request, participation)


def _taken_back(request: HttpRequest, participation: Participation) -> HttpResponse:
    if withdrawal.take_back(participation=participation, now=timezone.now()):
        messages.success(request, _("You are in the study again, with all your answers."))
    else:
        messages.error(request, _("Your answers are erased: this cannot be taken back any more."))
    return redirect("annotation:lobby", participation.study.slug)


def _withdrawn(request: HttpRequest, participation: Participation) -> HttpResponse:
    """Shown without a redirect: in a frame, the worker's address may have ended just now."""
    participation.worker.refresh_from_db()
    framed = framed_participation(request) is not None
    context = _context(participation)
    context["findings"] = findings(participation)
    context["gone"] = framed and participation.worker.erased_at is not None
    return render_ending(request, "annotation/withdrawn.html", participation, context)


def _context(participation: Participation) -> dict[str, object]:
    study, worker = participation.study, participation.worker
    elsewhere = worker.participations.exclude(pk=participation.pk)
    elsewhere = elsewhere.exclude(state=State.WITHDRAWN, withdrawal=None)
    part = open_part(participation)
    return {
        "study": study,
        "participation": participation,
        "earned": earned(participation, part),
        "part": part,
        "owed": part is not None or is_owed(participation),
        "elsewhere": elsewhere.exists(),
    }


@worker_page
@require_safe
def debrief(request: HttpRequest, slug: str) -> HttpResponse:
    """What fact-checkers found about the claims of all batches so far that this visit may see."""
    participation = get_participation(request, slug)
    context = {
        "study": participation.study,
        "participation": participation,
        "findings": findings(participation),
        "over": is_over(participation, current_round(participation)),
    }
    return render(request, "annotation/debrief.html", context)
