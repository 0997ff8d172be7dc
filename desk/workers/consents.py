"""What the people of a study agreed to, in the words that they were shown."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.access import Role, get_study
from annotation.entry.consent import agreed_texts


@login_required
@require_GET
def consents(request: HttpRequest, slug: str) -> HttpResponse:
    """Every text that somebody agreed to, and how many did."""
    study = get_study(request.user, slug, Role.OWNER)
    context = {"study": study, "texts": agreed_texts(study)}
    return render(request, "desk/consents.html", context)
