"""The end of a worker's visit: the code, and the way back to the panel."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.access import get_participation
from annotation.entry.questionnaire import is_due_at_the_end
from annotation.entry.rejection import was_turned_away
from annotation.messages.debrief import findings
from annotation.messages.ending import ending
from annotation.messages.reasons import why_ended
from annotation.middleware.frames import allow_form_to, return_link
from annotation.models import Participation
from annotation.views.faults import worker_page
from annotation.views.results import last_results
from annotation.work.ledger import earned
from annotation.work.review import unseen_feedback


@worker_page
@require_safe
def end(request: HttpRequest, slug: str) -> HttpResponse:
    """The page for workers whose participation has ended, however often they come back."""
    participation = get_participation(request, slug)
    if not participation.has_ended:
        return redirect("annotation:lobby", slug)
    context = {
        "study": participation.study,
        "participation": participation,
        "turned_away": was_turned_away(participation),
        "why": why_ended(participation) if participation.is_proved else "",
        "earned": earned(participation),
        **last_results(participation),
        "findings": findings(participation),
        "return_link": return_link(request, participation),
        "unseen": participation.is_proved
        and unseen_feedback(participation=participation, now=timezone.now()),
    }
    return render_ending(request, "annotation/end.html", participation, context)


def render_ending(
    request: HttpRequest,
    template: str,
    participation: Participation,
    context: dict[str, Any],
    *,
    nothing_left: bool = False,
    status: int = 200,
) -> HttpResponse:
    """A page with `ending` in its context. The only pages that may post a form to the panel."""
    visit_end = ending(participation, nothing_left=nothing_left)
    context |= {"ending": visit_end, "last_questions": is_due_at_the_end(participation)}
    response = render(request, template, context, status=status)
    if visit_end is not None and visit_end.form_origins:
        allow_form_to(response, visit_end.form_origins)
    return response
