"""Workers' pages for anything unexpected: in plain words, and without losing what was typed."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import ResolverMatch, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from annotation.access import SignedOut, Unproved, get_assignment, get_participation
from annotation.messages.reasons import why_ended
from annotation.middleware.language import activate_browser_language
from annotation.models import Assignment, Draft, Participation, Study
from annotation.panels.registry import panel_of
from annotation.views.filled_form import draw_form
from annotation.work.drafts import Posted, answer_form
from annotation.work.steps import Step

View = Callable[..., HttpResponse]

# Hidden fields of a page that the worker did not fill in.
OF_THE_PAGE = ("csrfmiddlewaretoken",)
# What the page of a question posts beside the answer, and what is saved together with it.
BESIDE = ("problem", "active_seconds", "paradata")
# Where a script finds a valid token for its forms after one was refused.
FRESH = "X-CSRFToken"


def worker_page(view: View) -> View:
    """A decorator for workers' pages: never cached, in the browser's language until the study is
    known, without NUL characters in what was posted, and with help for those signed out, and those
    who have to show that it is them."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        activate_browser_language(request)
        _drop_nul(request)
        try:
            return view(request, *args, **kwargs)
        except SignedOut:
            return signed_out(request)
        except Unproved as refusal:
            return unproved(request, refusal.participation)

    return never_cache(page)


def _drop_nul(request: HttpRequest) -> None:
    """No keyboard types that character, and PostgreSQL keeps it in no text."""
    if not any("\0" in value for _name, values in request.POST.lists() for value in values):
        return
    posted = request.POST.copy()
    for name, values in request.POST.lists():
        posted.setlist(name, [value.replace("\0", "") for value in values])
    request.POST = cast(Any, posted)


def fault(
    request: HttpRequest,
    status: int,
    heading: str,
    text: str,
    *,
    study: Study | None = None,
    participation: Participation | None = None,
    step: Step | None = None,
    been_here: bool = False,
    resend: bool = False,
) -> HttpResponse:
    """A short message, with a link to the question or to the overview.

    `participation`: the reader's, if they are in the study; `study` alone is for others.
    `been_here`: the page asks for the personal link of those who are in it after all. `resend`:
    what was posted stays on the page and can be sent again.
    """
    context = {
        "heading": heading,
        "text": text,
        "study": participation.study if participation else study,
        "participation": participation,
        "step": step,
        "been_here": been_here,
        "typed": typed(request) if resend else (),
        "address": request.path,
    }
    return render(request, "annotation/fault.html", context, status=status)


def signed_out(request: HttpRequest) -> HttpResponse:
    """How to come back to the same place. What was posted stays on the page and can be sent again.

    Never to an open invitation: it would take its reader for somebody new.
    """
    study = _study_of_page(request)
    panel = None if study is None else panel_of(study)
    context = {"typed": typed(request), "address": request.path, "came_from": study}
    if study is not None and panel is not None and panel.signs_in:
        context["signs_in"] = reverse("annotation:arrive", args=[study.slug, panel.slug])
    return render(request, "annotation/signed_out.html", context, status=403)


def unproved(request: HttpRequest, participation: Participation) -> HttpResponse:
    """How to show that it is them, to a visitor who came by an id that others may know. What was
    posted stays on the page, as for those signed out."""
    return render(
        request,
        "annotation/unproved.html",
        {
            "study": participation.study,
            "participation": participation,
            "typed": typed(request),
            "address": request.path,
        },
        status=403,
    )


def _study_of_page(request: HttpRequest) -> Study | None:
    """The study that the address is about, to name where its workers come from: nothing else of it
    is shown to somebody whom nobody knows."""
    match = request.resolver_match
    place = {} if match is None else match.kwargs
    if "public_id" in place:
        batch = Q(rounds__assignments__public_id=place["public_id"])
        return Study.objects.filter(batch).first()
    return Study.objects.filter(slug=place.get("slug", "")).first()


def typed(request: HttpRequest) -> list[tuple[str, str]]:
    """What a POST contained, as (name, value), without the hidden fields of its page."""
    return [
        (name, value)
        for name, values in request.POST.lists()
        if name not in OF_THE_PAGE
        for value in values
    ]


def ended(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """The batch is not open any more."""
    if assignment.state == Assignment.State.SUBMITTED:
        title = _("This batch has already been submitted")
        text = _("Your answers are stored as you submitted them. They cannot be changed any more.")
    else:
        title = _("This batch is closed")
        text = _(
            "Your part in this study has ended, so this batch went to other people. What you typed "
            "is kept. Thank you for your work."
        )
        if assignment.base_pay or assignment.bonus_pay:
            text = f"{text} {_('What you finished is paid.')}"
        if assignment.participation.is_proved:
            text = f"{text} {why_ended(assignment.participation)}".strip()
    return fault(request, 409, title, text, participation=assignment.participation)


def frozen(request: HttpRequest, step: Step) -> HttpResponse:
    """A later page has shown the answer, so this one stays as it was saved."""
    text = _(
        "You have seen the next page of this question already, and it gives the answer away. "
        "Your answer is kept as it was before."
    )
    person = step.assignment.participation
    title = _("You can no longer change this answer")
    return fault(request, 409, title, text, participation=person, step=step)


def too_long(request: HttpRequest, step: Step) -> HttpResponse:
    """The answer is too long to be saved."""
    text = _("Nothing was saved. Go back in your browser: what you typed is still there.")
    person = step.assignment.participation
    title = _("This is too long to be saved")
    return fault(request, 413, title, text, participation=person, step=step)


def two_versions(request: HttpRequest, step: Step, *, mine: Posted, saved: Draft) -> HttpResponse:
    """An outdated form: both versions side by side, for the worker to choose from."""
    form, study = answer_form(step.question, mine), step.assignment.participation.study
    context = {
        "study": study,
        "participation": step.assignment.participation,
        "step": step,
        "saved": saved,
        "typed": [
            (name, value)
            for name, values in mine.items()
            for value in values
            if name in form.fields or (name in BESIDE and value.strip())
        ],
        "mine_shown": draw_form(step.question, mine, prefix="mine", text_form=study.text_form),
        "saved_shown": draw_form(
            step.question, saved.posted, prefix="saved", text_form=study.text_form
        ),
    }
    return render(request, "annotation/two_versions.html", context, status=409)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without a valid CSRF token: an old page, or a browser without cookies. A script that
    saves finds the token that it needs in the header, and tries again."""
    activate_browser_language(request)
    # Researchers' forms hold passwords and files, which no page repeats.
    match = request.resolver_match
    resend = match is not None and match.app_name == "annotation"
    page = signed_out(request) if _is_signed_out(request, match) else _unchecked(request, resend)
    page.headers[FRESH] = get_token(request)
    return page


def _unchecked(request: HttpRequest, resend: bool) -> HttpResponse:
    text = _(
        "The page may be old, or your browser keeps no cookies. Nothing was changed, and answers "
        "that were saved before are safe."
    )
    if not resend:
        text += " " + _("Go back in your browser, load the page again and send it once more.")
    return fault(request, 403, _("This page could not be sent"), text, resend=resend)


def _is_signed_out(request: HttpRequest, match: ResolverMatch | None) -> bool:
    """Whether the form was a page's of somebody who takes part, and nobody knows whose."""
    place = match.kwargs if match is not None and match.app_name == "annotation" else {}
    try:
        if "public_id" in place:
            get_assignment(request, place["public_id"])
        elif "slug" in place and "panel" not in place:  # which is the way in
            get_participation(request, place["slug"])
    except SignedOut:
        return True
    except (Unproved, Http404):
        pass  # another visit's page, or somebody else's
    return False
