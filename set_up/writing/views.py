"""The pages on which models write a study's texts and propose its lists: plan, start, follow."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from annotation.access import Role, account, get_study
from annotation.models import Study
from annotation.views.htmx import HtmxRequest
from generators.jobs.plans import WritingPlan, plan_writing
from generators.jobs.requests import ListsRequest, TextsRequest
from generators.jobs.work import PROPOSE_LISTS, WRITE_TEXTS, ask_to_write
from generators.kinds import BY_NAME
from jobs.models import Job
from jobs.queue import cancel as cancel_job
from judges.backends.contract import Unusable
from set_up.writing.asking_form import AskingForm
from set_up.writing.forms import ListsForm, TextsForm, facts, posted
from set_up.writing.pages import chosen_kind, job_context, offered_kinds, overview

REFUSED = (ValueError, OSError, Unusable)


@login_required
@require_http_methods(["GET", "POST"])
def write_texts(request: HttpRequest, slug: str) -> HttpResponse:
    """The texts that a study has, and the form by which models write more: its plan with the cost
    first, then, confirmed, a job."""
    study, by = get_study(request.user, slug, Role.EDITOR), account(request)
    offered = offered_kinds(study)
    kind = chosen_kind(offered, str(request.POST.get("kind") or request.GET.get("kind", "")))
    form = TextsForm(study, by, kind, request.POST or None)
    if (answer := _asked(request, study, form)) is not None:
        return answer
    shown = overview(study, everything="statistics" in request.GET)
    context = shown | {"offered": offered, "kind": kind, "form": form}
    return _page(request, "desk/writing/write.html", context, form)


@login_required
@require_http_methods(["GET", "POST"])
def propose_lists(request: HttpRequest, slug: str) -> HttpResponse:
    """The form by which a model proposes lists, in the same way."""
    study, by = get_study(request.user, slug, Role.EDITOR), account(request)
    initial = {"list": request.GET.get("list", "")}
    form = ListsForm(study, by, request.POST or None, initial)
    if (answer := _asked(request, study, form)) is not None:
        return answer
    context = {"study": study, "form": form, "part_of": "desk:preparation"}
    return _page(request, "desk/writing/propose.html", context, form)


def _asked(request: HttpRequest, study: Study, form: TextsForm | ListsForm) -> HttpResponse | None:
    """The plan, or the page of the job that was started; None where the form is to be shown, with
    what is wrong."""
    if not form.is_bound or "change" in request.POST or not form.is_valid():
        return None
    try:
        if "confirmed" in request.POST:
            job = ask_to_write(study=study, request=form.request, by=account(request))
            return redirect("desk:writing", study.slug, job.pk)
        return _plan_page(request, study, form.request, form)
    except REFUSED as error:
        form.add_error(None, str(error))
    return None


def _page(
    request: HttpRequest, template: str, context: dict[str, Any], form: AskingForm
) -> HttpResponse:
    is_refused = form.is_bound and form.errors
    return render(request, template, context, status=422 if is_refused else 200)


def _plan_page(
    request: HttpRequest, study: Study, wanted: TextsRequest | ListsRequest, form: AskingForm
) -> HttpResponse:
    plan: WritingPlan = plan_writing(study=study, request=wanted, by=account(request))
    is_texts = isinstance(wanted, TextsRequest)
    context = {
        "study": study,
        "plan": plan,
        "wanted": wanted,
        "kind": BY_NAME[wanted.kind] if isinstance(wanted, TextsRequest) else None,
        "facts": facts(wanted, form),
        "posted": posted(wanted, form),
        "action": "desk:write-texts" if is_texts else "desk:propose-lists",
        "part_of": "desk:write-texts" if is_texts else "desk:preparation",
    }
    return render(request, "desk/writing/plan.html", context)


def _job(request: HttpRequest, slug: str, job_id: int) -> tuple[Study, Job]:
    study = get_study(request.user, slug, Role.EDITOR)
    rows = Job.objects.filter(study=study, kind__in=(WRITE_TEXTS.name, PROPOSE_LISTS.name))
    return study, get_object_or_404(rows.select_related("owner"), pk=job_id)


@login_required
@require_GET
@vary_on_headers("HX-Request")
def writing(request: HtmxRequest, slug: str, job_id: int) -> HttpResponse:
    """How far a job is, and what has come of it; htmx gets the part that changes."""
    study, job = _job(request, slug, job_id)
    name = "desk/writing/_job.html" if request.htmx else "desk/writing/job.html"
    return render(request, name, job_context(study, job))


@login_required
@require_POST
def cancel_writing(request: HttpRequest, slug: str, job_id: int) -> HttpResponse:
    """Begin no more of what a job writes."""
    _study, job = _job(request, slug, job_id)
    if not cancel_job(job, by=account(request)):
        messages.info(request, "This had already ended.")
    return redirect("desk:writing", slug, job_id)


@login_required
@require_GET
def write_missing(request: HttpRequest, slug: str, job_id: int) -> HttpResponse:
    """The plan of writing what a job has not."""
    study, job = _job(request, slug, job_id)
    by, kind = account(request), WRITE_TEXTS if job.kind == WRITE_TEXTS.name else PROPOSE_LISTS
    wanted = kind.request_of(job)
    try:
        form: AskingForm
        if isinstance(wanted, TextsRequest):
            form = TextsForm(study, by, wanted.text_kind)
        else:
            form = ListsForm(study, by)
        return _plan_page(request, study, wanted, form)
    except REFUSED as error:
        messages.warning(request, str(error))
        return redirect("desk:writing", slug, job_id)
