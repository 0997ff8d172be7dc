"""Worked examples, tips, the comprehension check, and right answers in training rounds."""

from contextlib import suppress
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import get_assignment, get_participation
from annotation.entry import examples
from annotation.entry.comprehension import NotThisTry, last_try, needs_check, take_check, tries_made
from annotation.entry.consent import needs_consent
from annotation.models import Assignment, Participation, Question
from annotation.rounds.standing import current_round
from annotation.views.examples_link import question_behind
from annotation.views.faults import ended, worker_page
from annotation.views.filled_form import draw_answer
from annotation.views.forms import ComprehensionForm
from annotation.views.lobby import start
from annotation.work.drafts import Posted, answer_form
from annotation.work.leases import NotActive
from annotation.work.steps import Steps
from tasktypes.pages.answer_forms import AnswerForm
from tasktypes.pages.comparison import in_a_line, marks_of


@worker_page
@require_http_methods(["GET", "POST"])
def example(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A worked example: first to try, then with the right answer and its reasons.

    Workers who have met the examples before see the answer at once. A try is not stored: inside
    a panel's frame there may be no cookie, and so no session.
    """
    participation = get_participation(request, slug)
    if needs_consent(participation):
        return redirect("annotation:consent", slug)
    questions = examples.examples(participation.study)
    if not 1 <= number <= len(questions):
        raise Http404("No such example.")
    question = questions[number - 1]
    form = answer_form(question, _posted(request))
    form.text_form = participation.study.text_form
    context = {
        "number": number,
        "total": len(questions),
        "after": number + 1 if number < len(questions) else None,
        "task_type": question.block.task_type,
        "form": form,
        **_framed(request, participation),
    }
    if form.is_valid() or (not form.is_bound and context["looked_up"]):
        context |= _compared(question, form)
        return render(request, "annotation/example_answer.html", context)
    status = 422 if form.is_bound else 200
    return render(request, "annotation/example.html", context, status=status)


def _posted(request: HttpRequest) -> Posted | None:
    return dict(request.POST.lists()) if request.method == "POST" else None


def _framed(request: HttpRequest, participation: Participation) -> dict[str, object]:
    """The context of all these pages; `looked_up`: the worker has seen the examples before."""
    back = question_behind(request)
    return {
        "study": participation.study,
        "participation": participation,
        "looked_up": participation.introduced_at is not None,
        "back": back,
        "query": f"?{request.GET.urlencode()}" if back else "",
    }


def _compared(question: Question, form: AnswerForm[Any, Any]) -> dict[str, object]:
    """The answer in a valid form with a mark beside every part; without one the right answer."""
    kind, right = question.block.task_type, examples.right_answer(question)
    answer = form.answer() if form.is_bound else right
    parts = kind.compared(question.typed_payload, answer, right)
    if not form.is_bound:
        parts = [part._replace(verdict="open", right="", note="") for part in parts]
    is_right = question.is_right(answer)
    marks = marks_of(parts, question.unit.part_reasons)
    return {
        "task_type": kind,
        "reasons": question.unit.reasons,
        "tried": form.is_bound,
        "is_right": is_right,
        "verdict": in_a_line(parts, is_right=is_right),
        "shown": draw_answer(question, answer, prefix="own", text_form=form.text_form, marks=marks),
    }


@worker_page
@require_http_methods(["GET", "POST"])
def tips(request: HttpRequest, slug: str) -> HttpResponse:
    """The tips, and the way on to the first batch."""
    participation = get_participation(request, slug)
    if needs_consent(participation):
        return redirect("annotation:consent", slug)
    if request.method == "POST":
        examples.mark_introduced(participation=participation, now=timezone.now())
        return start(request, slug)
    last = len(examples.examples(participation.study))
    return render(
        request, "annotation/tips.html", {"last": last, **_framed(request, participation)}
    )


@worker_page
@require_http_methods(["GET", "POST"])
def comprehension(request: HttpRequest, slug: str) -> HttpResponse:
    """Questions about the instructions; after a failed try, with the right answers."""
    participation = get_participation(request, slug)
    if needs_consent(participation):
        return redirect("annotation:consent", slug)
    if participation.state in Participation.ENDED or not needs_check(participation):
        return _way_on(request, participation)
    number = tries_made(participation) + 1
    if request.method != "POST":
        form = ComprehensionForm(participation.study, number, seed=participation.pk)
        return _comprehension_page(request, participation, form)
    form = ComprehensionForm(participation.study, number, request.POST, seed=participation.pk)
    if not form.is_valid():
        return _comprehension_page(request, participation, form, status=422)
    with suppress(NotThisTry):
        take_check(
            participation=participation, number=form.cleaned_data["number"], chosen=form.chosen
        )
    return _way_on(request, participation)


def _way_on(request: HttpRequest, participation: Participation) -> HttpResponse:
    """From the check to the first batch, to another try, or out of the study."""
    slug = participation.study.slug
    if participation.state in Participation.ENDED:
        return redirect("annotation:end", slug)
    if needs_check(participation):
        return redirect("annotation:comprehension", slug)
    return start(request, slug) if request.method == "POST" else redirect("annotation:lobby", slug)


def _comprehension_page(
    request: HttpRequest,
    participation: Participation,
    form: ComprehensionForm,
    *,
    status: int = 200,
) -> HttpResponse:
    study, round_ = participation.study, current_round(participation)
    context = {
        "study": study,
        "participation": participation,
        "form": form,
        "currency": round_.currency if round_ else "",
        "failed": last_try(participation),
        "left": study.comprehension_tries - tries_made(participation),
    }
    return render(request, "annotation/comprehension.html", context, status=status)


@worker_page
@require_safe
def feedback(request: HttpRequest, public_id: str, position: int, block: int) -> HttpResponse:
    """In training: the right answer and its reasons, before the next question."""
    assignment = get_assignment(request, public_id)
    if needs_consent(assignment.participation):
        return redirect("annotation:consent", assignment.participation.study.slug)
    steps = Steps(assignment)
    step = steps.at(position, block)
    if step is None or not examples.reveals(step):
        raise Http404("No right answer is shown here.")
    if assignment.state == Assignment.State.SUBMITTED:
        return redirect("annotation:done", public_id)
    try:
        draft = examples.reveal_answer(step=step, now=timezone.now())
    except examples.NotAnswered:
        return redirect(step.url)
    except NotActive:
        return ended(request, assignment)
    form = answer_form(step.question, draft.posted)
    if not form.is_valid():
        return redirect(step.url)
    context = {
        "study": assignment.participation.study,
        "steps": steps,
        "step": step,
        "after": steps.after(step),
        **_compared(step.question, form),
    }
    return render(request, "annotation/feedback.html", context)
