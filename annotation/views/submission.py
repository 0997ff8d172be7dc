"""The end of a batch: what is still missing, submitting, and thanks."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.access import get_assignment
from annotation.entry.consent import needs_consent
from annotation.messages.debrief import findings, is_over
from annotation.messages.outlook import awaits_invitation, outlook
from annotation.messages.reasons import why_ended
from annotation.models import Assignment
from annotation.rounds.standing import current_round, submitted_by_round
from annotation.rounds.team.progress import table_progress
from annotation.views.answers_in_short import answered_units
from annotation.views.ending import render_ending
from annotation.views.faults import ended, worker_page
from annotation.views.results import batch_results
from annotation.work.comments import LONGEST, comment_on
from annotation.work.leases import NotActive
from annotation.work.ledger import earned
from annotation.work.qualification import has_passed
from annotation.work.steps import Steps
from annotation.work.submission import Incomplete
from annotation.work.submission import submit as submit_batch
from telemetry.counters import count_save

State = Assignment.State


@worker_page
@require_safe
def review(request: HttpRequest, public_id: str) -> HttpResponse:
    """Every question of the batch, the unanswered ones marked, and the button to submit."""
    assignment = get_assignment(request, public_id)
    if assignment.state == State.SUBMITTED:
        return redirect("annotation:done", public_id)
    if not assignment.is_open:
        return ended(request, assignment)
    if needs_consent(assignment.participation):
        return redirect("annotation:consent", assignment.participation.study.slug)
    return _review_page(request, assignment)


def _review_page(
    request: HttpRequest, assignment: Assignment, *, missing: tuple[int, ...] = ()
) -> HttpResponse:
    steps = Steps(assignment, in_full=True)
    context = {
        "study": assignment.participation.study,
        "participation": assignment.participation,
        "assignment": assignment,
        "steps": steps,
        "units": answered_units(steps),
        "missing": missing,
        "longest_comment": LONGEST,
    }
    status = 422 if missing else 200
    return render(request, "annotation/review.html", context, status=status)


@worker_page
@require_POST
def submit(request: HttpRequest, public_id: str) -> HttpResponse:
    """Submit once; a second click lands on the same page."""
    assignment = get_assignment(request, public_id)
    # Before the question of consent, so that the comment is not lost on the way.
    if assignment.is_open and "comment" in request.POST:
        comment_on(assignment=assignment, text=request.POST["comment"])
    if assignment.is_open and needs_consent(assignment.participation):
        return redirect("annotation:consent", assignment.participation.study.slug)
    try:
        submit_batch(assignment=assignment, now=timezone.now())
    except Incomplete as gaps:
        return _review_page(request, assignment, missing=tuple(gaps.positions))
    except NotActive:
        return ended(request, assignment)
    count_save("batch")
    return redirect("annotation:done", public_id)


@worker_page
@require_safe
def done(request: HttpRequest, public_id: str) -> HttpResponse:
    """Thanks, how the batch was graded, what it paid, what comes next, and in the end which claims
    were false."""
    assignment = get_assignment(request, public_id)
    if assignment.state != State.SUBMITTED:
        return redirect("annotation:review", public_id)
    participation = assignment.participation
    round_ = current_round(participation)
    if round_ is not None and round_.pk == assignment.round_id:
        assignment.round = round_  # read with its study and with the round after it
    over = is_over(participation, round_)
    waits = awaits_invitation(participation, round_)
    more, paused = not over and not waits, participation.study.paused_at is not None
    context = {
        "study": participation.study,
        "participation": participation,
        **batch_results(assignment),
        "why": why_ended(participation) if participation.is_proved else "",
        "passed": assignment.round.gates and has_passed(participation, assignment.round),
        "waits": waits,
        "earned": earned(participation),
        "over": over,
        "more": more and not paused,
        "paused": more and paused,
        "outlook": outlook(participation.study, round_, is_first=False)
        if more and round_
        else None,
        "findings": findings(participation) if over else [],
        "done_here": submitted_by_round(participation)[assignment.round_id],
        "limit": assignment.round.batches_told,
        "table": table_progress(participation, assignment.round),
    }
    return render_ending(request, "annotation/done.html", participation, context)
