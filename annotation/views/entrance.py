"""Entering a study: by an invitation, from a panel, or by a return link."""

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import (
    forget_worker,
    get_participation,
    known_participation,
    remember_worker,
)
from annotation.entry import arrival
from annotation.entry.arrival import (
    Ended,
    Erased,
    NotOpen,
    Paused,
    UsedUp,
    arrive_from_panel,
    find_worker,
)
from annotation.entry.personal_link import LONGEST_LINK, token_of_link
from annotation.messages.outlook import outlook, what_follows
from annotation.messages.rules import rules_in_words
from annotation.middleware.frames import allow_frames, framed_lobby, framed_participation
from annotation.middleware.language import activate_language
from annotation.models import Invitation, Participation, Round, Study, Worker
from annotation.models.links import new_token, opened_by
from annotation.panels.contract import BadParameter, Preview, Problem, Recruitment, Visit
from annotation.panels.registry import frame_origins, panel_of
from annotation.queries.batches import rounds_of
from annotation.rounds.team.seats import TeamIsComplete
from annotation.templatetags.worker import platform
from annotation.views.faults import fault, worker_page


@worker_page
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation. A GET admits nobody: programs that preview links send one, too."""
    invitations = Invitation.objects.select_related("study", "worker", "round")
    invitation = get_object_or_404(invitations, opened_by(token))
    study = invitation.study
    known = known_participation(request, study)
    worker = known.worker if known else None
    activate_language(study)
    is_in = _is_in(study, invitation.worker or worker)
    may_come = study.accepts_workers and invitation.ended_at is None
    if request.method == "GET" and may_come and not is_in:
        context = {"form": new_token(), "is_open": invitation.worker is None}
        return _join_page(request, study, invitation.round, context)
    form = request.POST.get("form", "")
    try:
        participation = arrival.arrive(study=study, invitation=invitation, worker=worker, form=form)
    except (NotOpen, Ended, Erased, TeamIsComplete, UsedUp) as refusal:
        return _refused(request, study, refusal)
    is_named = invitation.worker is not None and invitation.ended_at is None
    was_here = known is not None and known == participation and not is_named
    participation.visit_key = known.visit_key if was_here and known else participation.own_key
    return _enter(request, participation)


def _join_page(
    request: HttpRequest, study: Study, round_: Round | None, context: dict[str, object]
) -> HttpResponse:
    """What a newcomer is told before they enter."""
    return render(request, "annotation/join.html", context | _facts(study, round_))


def _facts(study: Study, round_: Round | None) -> dict[str, object]:
    """What is told of the round, without it of the study's first one, to those who are not in."""
    rounds = {row.pk: row for row in rounds_of(study.pk)}
    first = rounds.get(round_.pk) if round_ else next(iter(rounds.values()), None)
    if first is None:
        return {"study": study}
    return {
        "study": study,
        "outlook": outlook(study, first),
        "rules": rules_in_words(study, first),
        "what_next": what_follows(study, first),
    }


def _is_in(study: Study, worker: Worker | None) -> bool:
    return worker is not None and study.participations.filter(worker=worker).exists()


@worker_page
@require_safe
def come_back(request: HttpRequest, token: str) -> HttpResponse:
    """A worker's return link: the same participation, on any device."""
    opened = Participation.objects.filter(opened_by(token), study__importing=None)
    places = list(opened.select_related("study").order_by("study__title"))
    if not places:
        raise Http404("No such link.")
    for place in places:
        place.visit_key = place.own_key
    remember_worker(request, *places)
    if len(places) == 1:
        return redirect("annotation:lobby", places[0].study.slug)
    studies = [place.study for place in places]
    return render(request, "annotation/studies.html", {"studies": studies})


@worker_page
@require_http_methods(["GET", "POST"])
def recover(request: HttpRequest) -> HttpResponse:
    """Where those who lost their place paste their personal link, and are sent to it."""
    link = request.POST.get("link", "")
    token = token_of_link(link, host=request.get_host())
    if token:
        return redirect("annotation:return", token)
    refused = request.method == "POST"
    context = {"link": link[:LONGEST_LINK], "refused": refused}
    return render(request, "annotation/recover.html", context, status=422 if refused else 200)


@worker_page
@require_http_methods(["GET", "POST"])
def not_me(request: HttpRequest, slug: str) -> HttpResponse:
    """Sign out, after a question, in a browser that several people use."""
    participation = get_participation(request, slug)
    study = participation.study
    if framed_participation(request) is not None:
        raise Http404("In a frame, the address says who it is.")
    if request.method == "POST":
        forget_worker(request)
        text = _("Nothing is lost. To take part yourself, open the study from %(platform)s.")
        text %= {"platform": platform(study) or _("your own account")}
        heading = _("You are signed out in this browser")
        return fault(request, 200, heading, text, study=study)
    # Without links such as leaving the study: the participation is somebody else's.
    return render(request, "annotation/not_me.html", {"study": study})


@worker_page
# Everybody who has the address may enter by it, so a CSRF token would protect nothing; and in a
# panel's frame there is no cookie to hold one.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def arrive(request: HttpRequest, slug: str, panel: str) -> HttpResponse:
    """Arrival from the study's panel. As with an invitation, a GET admits nobody."""
    study = get_object_or_404(Study, slug=slug)
    if panel_of(study).slug != panel:
        raise Http404("Not this study's panel.")
    activate_language(study)
    if panel_of(study).signs_in:
        return _signed_in(request, study)
    try:
        visit = panel_of(study).visit(request.GET, Recruitment.of(study.recruitment))
    except BadParameter as bad:
        return _framed(_bad_parameter(request, bad, study), study)
    if visit is None:
        raise Http404("Nobody comes this way.")
    if isinstance(visit, Preview):
        return _framed(render(request, "annotation/preview.html", _facts(study, None)), study)
    return _framed(_let_in(request, study, visit), study)


@csrf_protect
def _signed_in(request: HttpRequest, study: Study) -> HttpResponse:
    """Arrival with the account that is signed in. The address names nobody here, so the form needs
    its CSRF token."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    return _let_in(request, study, Visit(worker=request.user.get_username()))


def _framed(response: HttpResponse, study: Study) -> HttpResponse:
    allow_frames(response, study)
    return response


def _bad_parameter(request: HttpRequest, bad: BadParameter, study: Study) -> HttpResponse:
    texts = {
        Problem.MISSING: _("The address lacks the parameter %(name)s."),
        Problem.TWICE: _("The parameter %(name)s is in the address twice."),
        Problem.TOO_LONG: _("The parameter %(name)s is too long."),
        Problem.NOT_AN_ID: _("The parameter %(name)s is not an id."),
        Problem.NOT_ALLOWED: _("The parameter %(name)s names a place we do not know."),
    }
    text = texts[bad.problem] % {"name": bad.name}
    again = _("Nothing was stored. Please open the study from %(platform)s once more.")
    text = f"{text} {again % {'platform': platform(study)}}"
    return fault(request, 400, _("This link is not complete"), text)


def _let_in(request: HttpRequest, study: Study, visit: Visit) -> HttpResponse:
    """Workers who are in already go straight to the lobby; others are asked first."""
    panel, known = panel_of(study).slug, known_participation(request, study)
    worker = find_worker(panel=panel, external_id=visit.worker)
    may_come = study.accepts_workers and (worker is None or worker.erased_at is None)
    if request.method != "POST" and may_come and not _is_in(study, worker):
        return _join_page(request, study, None, {})
    proved = _is_same(known, worker) or _is_proved(request, study, visit)
    try:
        participation = arrive_from_panel(study=study, panel=panel, visit=visit, proved=proved)
    except (NotOpen, Erased, TeamIsComplete) as refusal:
        return _refused(request, study, refusal)
    if known is not None and known == participation and not participation.is_proved:
        participation.visit_key = known.visit_key  # as before in this browser
    return _enter(request, participation)


def _is_same(known: Participation | None, worker: Worker | None) -> bool:
    """Whether the browser has been here as this worker, and that was proved."""
    return known is not None and known.is_proved and known.worker == worker


def _is_proved(request: HttpRequest, study: Study, visit: Visit) -> bool:
    """Whether the way that they came by proves that it is them."""
    recruitment = Recruitment.of(study.recruitment)
    return panel_of(study).proves(request.GET, visit, recruitment, request.get_host())


def _enter(request: HttpRequest, participation: Participation) -> HttpResponse:
    """To the lobby: the worker is known by the session or, in a frame, by the address."""
    if frame_origins(participation.study):
        return redirect(framed_lobby(participation))
    remember_worker(request, participation)
    return redirect("annotation:lobby", participation.study.slug)


def _refused(request: HttpRequest, study: Study, refusal: Exception) -> HttpResponse:
    """The page that says why somebody is not admitted."""
    if isinstance(refusal, Erased):
        status, heading = 410, _("The data about you was erased")
        text = _(
            "You asked for this, or the time for keeping it was over. So that it stays erased, you "
            "cannot take part again."
        )
    elif isinstance(refusal, Ended):
        status, heading = 410, _("This link does not open the study any more")
        text = _(
            "It is no longer valid. If you are already taking part, your personal link brings you "
            "back, and nothing is lost. Otherwise please ask the person who invited you."
        )
    elif isinstance(refusal, TeamIsComplete):
        status, heading = 410, _("The team of this study is complete")
        text = _(
            "Every place in it is taken. If one is yours, your personal link brings you back. "
            "Otherwise please ask the person who invited you."
        )
    elif isinstance(refusal, UsedUp):
        status, heading = 410, _("This link has been used up")
        text = _(
            "It was for a set number of people, and all of them have come. If you are one of them, "
            "your personal link brings you back. Otherwise, thank you for your interest."
        )
    elif isinstance(refusal, Paused):
        status, heading = 403, _("This study is paused")
        text = _("Nobody can start at the moment. Please come back later by the same link.")
    else:
        status, heading = 403, _("This study is not open")
        text = _("It is not open to new people, or not yet. Please ask the person who invited you.")
    been_here = not isinstance(refusal, Erased) and not panel_of(study).sends_workers
    return fault(request, status, heading, text, study=study, been_here=been_here)
