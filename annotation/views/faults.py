"""Workers' pages for anything unexpected: in plain words, and without losing what was typed."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from annotation.access import SignedOut
from annotation.language import speak_as_browser
from annotation.messages.reasons import why_ended
from annotation.models import Assignment, Draft, Study
from annotation.views.filled_form import draw_form
from annotation.work.drafts import Posted, answer_form
from annotation.work.steps import Step

View = Callable[..., HttpResponse]

# Hidden fields of a page that the worker did not fill in.
OF_THE_PAGE = ("csrfmiddlewaretoken",)
# What the page of a question posts beside the answer, and what is saved together with it.
BESIDE = ("problem", "active_seconds")


def worker_page(view: View) -> View:
    """A decorator for workers' pages: never cached, in the browser's language until the study is
    known, without NUL characters in what was posted, and with help for those signed out."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        speak_as_browser(request)
        _drop_nul(request)
        try:
            return view(request, *args, **kwargs)
        except SignedOut:
            return signed_out(request)

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
    step: Step | None = None,
    outside: bool = False,
    resend: bool = False,
) -> HttpResponse:
    """A short message, with a link to the question or to the overview.

    `outside`: the reader is not in the study and has no overview. `resend`: what was posted stays
    on the page and can be sent again.
    """
    context = {
        "heading": heading,
        "text": text,
        "study": study,
        "step": step,
        "outside": outside,
        "typed": typed(request) if resend else (),
        "address": request.path,
    }
    return render(request, "annotation/fault.html", context, status=status)


def signed_out(request: HttpRequest) -> HttpResponse:
    """How to come back. What was posted stays on the page and can be sent again."""
    context = {"typed": typed(request), "address": request.path}
    return render(request, "annotation/signed_out.html", context, status=403)


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
            "Your part in this study has ended, so this batch went to other people. What you had "
            "finished of it is paid, and what you typed is kept. Thank you for your work."
        )
        text = f"{text} {why_ended(assignment.participation)}".strip()
    return fault(request, 409, title, text, study=assignment.participation.study)


def frozen(request: HttpRequest, step: Step) -> HttpResponse:
    """A later page has shown the answer, so this one stays as it was saved."""
    text = _(
        "You have seen the next page of this question already, and it gives the answer away. "
        "Your answer is kept as it was before."
    )
    study = step.assignment.participation.study
    return fault(request, 409, _("This answer is read-only now"), text, study=study, step=step)


def too_long(request: HttpRequest, step: Step) -> HttpResponse:
    """The answer is too long to be saved."""
    text = _("Nothing was saved. Go back in your browser: what you typed is still there.")
    study = step.assignment.participation.study
    return fault(request, 413, _("This is too long to be saved"), text, study=study, step=step)


def two_versions(request: HttpRequest, step: Step, *, mine: Posted, saved: Draft) -> HttpResponse:
    """An outdated form: both versions side by side, for the worker to choose from."""
    form = answer_form(step.question, mine)
    context = {
        "study": step.assignment.participation.study,
        "participation": step.assignment.participation,
        "step": step,
        "saved": saved,
        "typed": [
            (name, value)
            for name, values in mine.items()
            for value in values
            if name in form.fields or (name in BESIDE and value.strip())
        ],
        "mine_shown": draw_form(step.question, mine, prefix="mine"),
        "saved_shown": draw_form(step.question, saved.posted, prefix="saved"),
    }
    return render(request, "annotation/two_versions.html", context, status=409)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without a valid CSRF token: an old page, or a browser without cookies."""
    speak_as_browser(request)
    # Researchers' forms hold passwords and files, which no page repeats.
    match = request.resolver_match
    resend = match is not None and match.app_name == "annotation"
    text = _(
        "The page may be old, or your browser keeps no cookies. Nothing was changed, and answers "
        "that were saved before are safe."
    )
    if not resend:
        text += " " + _("Go back in your browser, load the page again and send it once more.")
    return fault(request, 403, _("This form could not be checked"), text, resend=resend)
