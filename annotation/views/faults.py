"""What a worker sees when something is not as their page thought: in plain words, nothing lost."""

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

# Hidden fields that belong to a page, not to what was typed on it.
OF_THE_PAGE = ("csrfmiddlewaretoken",)
# What the page of a question posts beside the answer, and what goes with it when it is chosen.
BESIDE = ("problem", "active_seconds")


def worker_page(view: View) -> View:
    """A page that no cache keeps, in a language that the worker reads, that is posted texts which
    every database keeps, and that tells who is signed out how to come back."""

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
) -> HttpResponse:
    """A page of a few plain words, with the way on: to the question, or to the overview.

    Who is `outside` the study has no overview to go to.
    """
    context = {
        "heading": heading,
        "text": text,
        "study": study,
        "step": step,
        "outside": outside,
    }
    return render(request, "annotation/fault.html", context, status=status)


def signed_out(request: HttpRequest) -> HttpResponse:
    """How to come back. What was posted stays in the page and can be sent again after that."""
    context = {"typed": typed(request), "address": request.path}
    return render(request, "annotation/signed_out.html", context, status=403)


def typed(request: HttpRequest) -> list[tuple[str, str]]:
    """All that a POST brought, as (name, value), without what belongs to its page."""
    return [
        (name, value)
        for name, values in request.POST.lists()
        if name not in OF_THE_PAGE
        for value in values
    ]


def ended(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """The batch is not open any more."""
    if assignment.state == Assignment.State.SUBMITTED:
        title = _("This batch is submitted already")
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
    """A later page has given the answer away: it stays as it was saved."""
    text = _(
        "You have seen the next page of this question already, and it gives the answer away. "
        "Your answer is kept as it was before."
    )
    study = step.assignment.participation.study
    return fault(request, 409, _("This answer is read-only now"), text, study=study, step=step)


def too_long(request: HttpRequest, step: Step) -> HttpResponse:
    """More than any answer needs."""
    text = _("Nothing was saved. Go back in your browser: what you typed is still there.")
    study = step.assignment.participation.study
    return fault(request, 413, _("This is too long to be saved"), text, study=study, step=step)


def two_versions(request: HttpRequest, step: Step, *, mine: Posted, saved: Draft) -> HttpResponse:
    """A stale form: both versions side by side, and the worker chooses."""
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
    """A form without its token: an old page, or a browser that keeps no cookies."""
    speak_as_browser(request)
    return fault(
        request,
        403,
        _("This form could not be checked"),
        _(
            "The page may be old, or your browser keeps no cookies. Nothing was changed. Go back "
            "in your browser, where what you typed is still there, load the page again and send "
            "it once more. Answers that were saved before are safe."
        ),
    )
