"""Reviewing: reported problems, submitted batches, one batch, decisions and feedback."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from accounts.views.access import safe_next
from annotation.access import Role, account, get_study
from annotation.models import Assignment, Study, User
from annotation.work import review as reviewing
from desk.people.reviews.batches import lines_of, reviewed_units, submitted_batches
from desk.people.reviews.forms import DecisionForm, FeedbackForm, ReviewFilterForm
from desk.people.reviews.problems import problems_of, reported_units
from desk.people.workers.newest import newest_signs
from set_up.controls.pages import styles_of

PAGE = 50
LARGEST_KEY = 2**63 - 1  # the largest that a key of any database can be


@login_required
@require_GET
def reviews(request: HttpRequest, slug: str) -> HttpResponse:
    """What workers reported as wrong, and submitted batches, filtered, to be decided about one or
    many at once."""
    study = get_study(request.user, slug, Role.REVIEWER)
    form = ReviewFilterForm(study, request.GET)
    page = Paginator(submitted_batches(study, form.filters), PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    lines = lines_of(study, list(page), newest_signs(study) if page else {})
    context = {
        "study": study,
        "form": form,
        "page": page,
        "lines": lines,
        "estimated": any(line.estimated for line in lines),
        "query": query.urlencode(),
        "here": request.get_full_path(),
        **_problems(request, study),
    }
    return render(request, "desk/reviews.html", context)


def _problems(request: HttpRequest, study: Study) -> dict[str, object]:
    """Reported problems by unit, or those of one unit."""
    units, one = reported_units(study), request.GET.get("unit", "")
    if one.isdecimal() and len(one) < 19:
        units = units.filter(unit=int(one))
    page = Paginator(units, PAGE).get_page(request.GET.get("problems"))
    reported = problems_of(study, page) if page.paginator.count else []
    return {"problem_page": page, "reported": reported, "one": one}


@login_required
@require_GET
def review(request: HttpRequest, slug: str, assignment_id: int) -> HttpResponse:
    """One batch: its questions with the worker's answers, the right ones and those of others."""
    study = get_study(request.user, slug, Role.REVIEWER)
    (assignment,) = _batches(study, [assignment_id])
    return _review_page(request, study, assignment, FeedbackForm({"text": assignment.feedback}))


def _review_page(
    request: HttpRequest,
    study: Study,
    assignment: Assignment,
    form: FeedbackForm,
    *,
    status: int = 200,
) -> HttpResponse:
    units = reviewed_units(study, assignment)
    controls = [unit.right for unit in units if unit.right is not None]
    context = {
        "study": study,
        "assignment": assignment,
        "line": lines_of(study, [assignment], newest_signs(study))[0],
        "units": units,
        "controls": controls,
        "n_right": sum(controls),
        "decisions": assignment.reviews.select_related("by"),
        "form": form,
        "here": request.path,
        "styles": styles_of(study),
        "longest_reason": reviewing.LONGEST_REASON,
    }
    return render(request, "desk/review.html", context, status=status)


@login_required
@require_POST
def decide(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept, exclude or undo; all of the chosen batches or none of them."""
    study = get_study(request.user, slug, Role.REVIEWER)
    form = DecisionForm(request.POST)
    chosen = _batches(study, _chosen(request))
    back = redirect(safe_next(request, reverse("desk:reviews", args=[study.slug])))
    if not form.is_valid():
        messages.error(request, _("Nothing was changed: there is no such decision."))
    elif not chosen:
        messages.warning(request, _("You chose no batch. Nothing was changed."))
    else:
        _decide(request, chosen, form.cleaned_data)
    return back


def _decide(request: HttpRequest, chosen: Sequence[Assignment], decision: dict[str, str]) -> None:
    try:
        changed = _verdict(chosen, decision, account(request))
    except (reviewing.NeedsReason, reviewing.NotSubmitted) as refusal:
        messages.error(request, str(refusal))
        return
    texts = {
        "accept": ngettext("%(n)d batch accepted.", "%(n)d batches accepted.", changed),
        "exclude": ngettext(
            "%(n)d batch excluded; it stays paid.",
            "%(n)d batches excluded; they stay paid.",
            changed,
        ),
        "undo": ngettext("%(n)d decision undone.", "%(n)d decisions undone.", changed),
    }
    messages.success(request, texts[decision["action"]] % {"n": changed})


def _verdict(chosen: Sequence[Assignment], decision: dict[str, str], by: User) -> int:
    if decision["action"] == "exclude":
        reason = decision["reason"]
        return len(reviewing.exclude(assignments=chosen, reason=reason, by=by))
    if decision["action"] == "accept":
        return len(reviewing.accept(assignments=chosen, by=by))
    return len(reviewing.undo(assignments=chosen, by=by))


def _chosen(request: HttpRequest) -> list[int]:
    """The keys of the ticked batches, or of all that the page listed."""
    name = "listed" if "all_listed" in request.POST else "batch"
    texts = request.POST.getlist(name)
    if not all(text.isdecimal() and len(text) < 20 for text in texts):
        raise Http404("No such batch.")
    return list(dict.fromkeys(map(int, texts)))


def _batches(study: Study, keys: Sequence[int]) -> list[Assignment]:
    """The submitted batches with these keys; another study's do not exist."""
    possible = [key for key in keys if key <= LARGEST_KEY]
    batches = list(submitted_batches(study, {}).filter(pk__in=possible))
    if len(batches) < len(keys):
        raise Http404("No such batch.")
    return batches


@login_required
@require_POST
def feedback(request: HttpRequest, slug: str, assignment_id: int) -> HttpResponse:
    """Write to the worker about this batch."""
    study = get_study(request.user, slug, Role.REVIEWER)
    (assignment,) = _batches(study, [assignment_id])
    form = FeedbackForm(request.POST)
    if not form.is_valid():
        return _review_page(request, study, assignment, form, status=422)
    reviewing.write_feedback(
        assignment=assignment, text=form.cleaned_data["text"], by=account(request)
    )
    messages.success(request, _("Saved. The worker will see it on their next visit."))
    return redirect("desk:review", slug, assignment_id)
