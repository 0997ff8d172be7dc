"""Workers' rights: their data, withdrawal, and the debriefing."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import get_participation
from annotation.messages.debrief import findings, is_over
from annotation.middleware.frames import framed_participation
from annotation.models import Participation
from annotation.rights.erasure import is_owed
from annotation.rights.stored_data import stored_about
from annotation.rights.withdrawal import withdraw as withdraw_from
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
    participation = get_participation(request, slug)
    return render(request, "annotation/my_data.html", _context(participation))


@worker_page
@require_safe
def my_data_file(request: HttpRequest, slug: str) -> HttpResponse:
    """All of it as a file to keep."""
    stored = stored_about(get_participation(request, slug))
    options = {"ensure_ascii": False, "indent": 2}
    return as_download(JsonResponse(stored, json_dumps_params=options), f"my-data-{slug}.json")


@worker_page
@require_http_methods(["GET", "POST"])
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw, after a question: answers and identifiers are erased."""
    participation = get_participation(request, slug)
    if request.method == "POST":
        withdraw_from(participation=participation, now=timezone.now())
        return _withdrawn(request, participation)
    if participation.state == State.WITHDRAWN:
        return redirect("annotation:end", slug)
    return render(request, "annotation/withdraw.html", _context(participation))


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
    elsewhere = worker.participations.exclude(pk=participation.pk).exclude(state=State.WITHDRAWN)
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
    """What fact-checkers found about the claims of all batches so far."""
    participation = get_participation(request, slug)
    context = {
        "study": participation.study,
        "participation": participation,
        "findings": findings(participation),
        "over": is_over(participation, current_round(participation)),
    }
    return render(request, "annotation/debrief.html", context)
