"""The pages of a batch: one question at a time, saved as it is answered."""

import math

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import get_assignment, get_participation, get_questions
from annotation.entry.consent import needs_consent
from annotation.entry.examples import reveals
from annotation.models import Assignment, Draft, Participation
from annotation.views.examples_link import examples_behind
from annotation.views.faults import ended, frozen, too_long, two_versions, worker_page
from annotation.views.htmx import HtmxRequest, redirect_htmx
from annotation.views.page_cache import draw_saved
from annotation.views.question_page import REPORTED, draw_lease, draw_question
from annotation.work.drafts import (
    Frozen,
    NotYet,
    Posted,
    StaleDraft,
    TooLong,
    save_draft,
    show_question,
)
from annotation.work.leases import NoMoreTime, NotActive, extend_lease
from annotation.work.paradata import COUNTS, MOST, Counted
from annotation.work.steps import Step, Steps
from telemetry.counters import count_save

# Buttons that lead on to no other question: a training round shows no right answer after them.
STAYING = ("stay", "report", "examples", "extend", "overview", "leave", "back")
NOT_SAVED = (StaleDraft, Frozen, NotActive, NotYet, TooLong)


@worker_page
@require_http_methods(["GET", "POST"])
@redirect_htmx
def question(request: HtmxRequest, public_id: str, position: int, block: int) -> HttpResponse:
    """One question: shown with what was typed so far, or saved on the way to another page."""
    steps, step = _asked(request, public_id, position, block)
    assignment = steps.assignment
    if request.method == "POST":
        return _save(request, steps, step)
    if assignment.state == Assignment.State.SUBMITTED:
        return redirect("annotation:done", public_id)
    if not assignment.is_open:
        return ended(request, assignment)
    if needs_consent(assignment.participation):
        return redirect("annotation:consent", assignment.participation.study.slug)
    try:
        shown = show_question(step=step, now=timezone.now())
    except NotYet as early:
        return _earlier_first(request, early)
    return _page(request, steps, step, shown, shown.posted or None)


def _asked(request: HttpRequest, public_id: str, position: int, block: int) -> tuple[Steps, Step]:
    steps = Steps(*get_questions(request, public_id, position=position))
    return steps, _step_at(steps, position, block)


def _step_at(steps: Steps, position: int, block: int) -> Step:
    step = steps.at(position, block)
    if step is None:
        raise Http404("No such question in this batch.")
    return step


def _earlier_first(request: HttpRequest, early: NotYet) -> HttpResponse:
    messages.info(request, _("Please answer this part first. The next one opens after it."))
    return redirect(early.first.url)


def _posted(request: HttpRequest) -> Posted:
    return {name: values for name, values in request.POST.lists() if values}


def _revision(request: HttpRequest) -> int:
    return _number(request, "revision") or 0


def _number(request: HttpRequest, name: str) -> int | None:
    """A number that the page itself posts; None for anything else."""
    text = request.POST.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _keep(request: HttpRequest, step: Step) -> Draft:
    """Save all that the page posted. A page that was never shown cannot have been answered."""
    if not step.opens and not step.shown:
        raise NotYet(next(earlier for earlier in reversed(step.earlier) if not earlier.complete))
    problem = request.POST.get("problem", step.problem)
    saved = save_draft(
        assignment=step.assignment,
        question=step.question,
        posted=_posted(request),
        revision=_revision(request),
        reported=reported_seconds(request.POST.get("active_seconds", "")),
        counted=_counted(request, step),
        problem=None if problem.strip() == step.problem else problem,
        draft=step.draft,
    )
    count_save("draft")
    return saved


def _counted(request: HttpRequest, step: Step) -> Counted | None:
    """Nothing in a study that does not ask for it, whatever the page posts."""
    if not step.assignment.participation.study.collect_paradata:
        return None
    return reported_counts(request.POST.get("paradata", ""))


def reported_seconds(text: str) -> float | None:
    """The seconds that the browser has counted; None without a script, 0 for anything invalid."""
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) else 0.0


def reported_counts(text: str) -> Counted | None:
    """The counts that the browser posts as five numbers; None without a script, or for nonsense."""
    numbers = text.split()
    if len(numbers) != len(COUNTS) or not all(_is_count(number) for number in numbers):
        return None
    return {name: min(int(number), MOST) for name, number in zip(COUNTS, numbers, strict=True)}


def _is_count(number: str) -> bool:
    return number.isascii() and number.isdecimal() and len(number) < 10


def _save(request: HttpRequest, steps: Steps, step: Step) -> HttpResponse:
    try:
        draft = _keep(request, step)
    except NOT_SAVED as why:
        return _not_saved(request, step, why)
    go = request.POST.get("go", "next")
    if go == "next" and not draft.complete:
        return _page(request, steps, step, draft, draft.posted, status=422)
    if go == "extend":
        _more_time(request, steps.assignment)
    if go == "examples":
        return redirect(examples_behind(step))
    if go == "report":
        messages.success(request, _received(request), extra_tags=REPORTED)
        return redirect(f"{step.url}#report")
    if go not in STAYING and draft.complete and reveals(step):
        return redirect("annotation:feedback", *step.place)
    return redirect(_way_on(steps, step, go))


def _received(request: HttpRequest) -> str:
    """What is said to a report; without a word in it there is nothing to send."""
    if request.POST.get("problem", "").strip():
        return _("Thank you, your report was sent.")
    return _("Please write what is wrong, so that it can be sent.")


def _more_time(request: HttpRequest, assignment: Assignment) -> bool:
    """Whether there was more; where there was none, the page says so beside the time."""
    after = _number(request, "extensions")
    try:
        extend_lease(assignment=assignment, now=timezone.now(), after=after)
    except NoMoreTime:
        return False
    return True


def _not_saved(request: HttpRequest, step: Step, why: Exception) -> HttpResponse:
    match why:
        case StaleDraft(draft=saved):
            return two_versions(request, step, mine=_posted(request), saved=saved)
        case Frozen():
            return frozen(request, step)
        case NotYet():
            return _earlier_first(request, why)
        case TooLong():
            return too_long(request, step)
        case _:
            return ended(request, step.assignment)


def _way_on(steps: Steps, step: Step, go: str) -> str:
    """Where a button of the page leads: `next`, `back`, `review`, `overview`, `leave`, or a place
    as `3.1`."""
    slug = steps.assignment.participation.study.slug
    review = reverse("annotation:review", args=[steps.assignment.public_id])
    previous, after = steps.previous(step), steps.after(step)
    ways = {f"{listed.position}.{listed.part}": listed.url for listed in steps.all}
    ways |= {
        "review": review,
        "overview": reverse("annotation:lobby", args=[slug]),
        "leave": reverse("annotation:leave", args=[slug]),
        "back": previous.url if previous else step.url,
        "next": after.url if after else review,
    }
    return ways.get(go, step.url)


def _page(
    request: HttpRequest,
    steps: Steps,
    step: Step,
    draft: Draft,
    posted: Posted | None,
    *,
    status: int = 200,
) -> HttpResponse:
    page = draw_question(request, steps, step, draft, posted, refused=status == 422)
    return HttpResponse(page, status=status)


@worker_page
@require_POST
def draft(request: HtmxRequest, public_id: str, position: int, block: int) -> HttpResponse:
    """Autosave: answers with the form's new revision, or with what keeps it from being saved."""
    # The hottest request of all: it reads the one unit that it is about.
    steps = Steps(*get_questions(request, public_id, position=position, alone=True))
    step = _step_at(steps, position, block)
    revision, problem, reported, status = _revision(request), "", "", 200
    try:
        revision = _keep(request, step).revision
        reported = _received(request) if request.POST.get("go") == "report" else ""
    except StaleDraft:
        problem, status = _("Changed in another tab: press Save and continue to compare."), 409
    except (Frozen, NotYet, NotActive):
        problem, status = _("This answer can no longer be changed here."), 409
    except TooLong:
        problem, status = _("Too long to be saved. Please shorten it."), 422
    if not request.htmx:
        return redirect(step.url)
    return HttpResponse(draw_saved(revision, problem, reported), status=status)


@worker_page
@require_POST
def keys(request: HttpRequest, slug: str) -> HttpResponse:
    """Remember that the list of keys was offered, and whether keys of a single sign are wanted."""
    participation = get_participation(request, slug)
    choice = request.POST.get("keys", "")
    if choice not in Participation.Keys.values:
        return HttpResponseBadRequest()
    Participation.objects.filter(pk=participation.pk).update(keys=choice)
    return HttpResponse(status=204)


@worker_page
@require_POST
def extend(request: HtmxRequest, public_id: str) -> HttpResponse:
    """More time, with one click; a lease that ran out is revived."""
    assignment = get_assignment(request, public_id)
    try:
        extended = _more_time(request, assignment)
    except NotActive:
        return ended(request, assignment)
    if not request.htmx:
        return redirect("annotation:lobby", assignment.participation.study.slug)
    return HttpResponse(draw_lease(assignment, extended=extended))
