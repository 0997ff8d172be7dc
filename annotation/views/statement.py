"""What a worker has earned, batch by batch, and what reviewers wrote."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import get_own_participation
from annotation.messages.reasons import why_excluded
from annotation.pay.statements import statement
from annotation.views.faults import worker_page
from annotation.work.review import exclusions_of, feedback_to


@worker_page
@require_safe
def show(request: HttpRequest, slug: str) -> HttpResponse:
    """The worker's statement; open to them for as long as they can come back."""
    participation = get_own_participation(request, slug)
    context = {
        "study": participation.study,
        "participation": participation,
        "statement": statement(participation),
        "feedback": feedback_to(participation),
        "excluded": [
            (review.assignment, why_excluded(review)) for review in exclusions_of(participation)
        ],
    }
    return render(request, "annotation/statement.html", context)
