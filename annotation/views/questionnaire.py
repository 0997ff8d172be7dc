"""The page of the questionnaire."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.access import Unproved, get_participation
from annotation.entry.consent import needs_consent
from annotation.entry.questionnaire import is_due, keep_answers, may_answer
from annotation.views.faults import worker_page
from annotation.views.forms import QuestionnaireForm
from annotation.views.lobby import start


@worker_page
@require_http_methods(["GET", "POST"])
def questionnaire(request: HttpRequest, slug: str, when: str) -> HttpResponse:
    """Questions about the person. What was told before can be seen and changed by them alone."""
    participation = get_participation(request, slug)
    study = participation.study
    if needs_consent(participation):
        return redirect("annotation:consent", slug)
    if not may_answer(participation, when):
        raise Http404("No such questions here.")
    if not (participation.is_proved or is_due(participation, when)):
        raise Unproved(participation)
    told = participation.questionnaire.get(when, ())
    posted = request.POST if request.method == "POST" else None
    form = QuestionnaireForm(study, when, posted, told=told)
    if form.is_valid():
        goes_on = when == "before" and is_due(participation, when)
        keep_answers(participation=participation, when=when, answers=form.answers)
        messages.success(request, _("Thank you, your answers are stored."))
        return start(request, slug) if goes_on else redirect("annotation:lobby", slug)
    context = {"study": study, "participation": participation, "form": form, "when": when}
    status = 422 if form.is_bound else 200
    return render(request, "annotation/questionnaire.html", context, status=status)
