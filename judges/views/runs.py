"""The pages of runs: plan, start and compare runs, and look at the calls and progress of one."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from annotation.access import Role, account, get_study
from annotation.models import Study, User
from annotation.views.downloads import as_download
from annotation.views.htmx import HtmxRequest
from judges.access import get_run
from judges.definitions.versions import BadJudge, UnknownJudge, judge_for, method_of
from judges.models import Call, Judge, JudgeRun
from judges.runs import states
from judges.runs.comparison import compare_runs
from judges.runs.plans.left_out import left_out_sentence
from judges.runs.plans.plan import forecast_run, plan_run
from judges.runs.plans.preview import shown_prompts
from judges.runs.plans.scope import RunRefused
from judges.runs.progress import (
    cut_inputs,
    failures_by_reason,
    pages_by_outcome,
    run_progress,
    spent,
    thin_scores,
    units_left_out,
    waiting_for,
)
from judges.runs.records.page_archive import no_pages_warning
from judges.runs.records.replay import replay_lines
from judges.views.forms import CapForm, RunForm
from judges.views.overview import may_change, render_overview

CALLS_PER_PAGE = 50


@login_required
@require_GET
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """The judges and runs of a study, and the form that starts one."""
    study = get_study(request.user, slug)
    return render_overview(request, study, RunForm(study))


@login_required
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """The plan of a run by the form, with its calls, cost and cap. From there it is started."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = RunForm(study, request.POST)
    if form.is_valid():
        try:
            judge = judge_for(study, form.cleaned_data["judge"])
            if "confirmed" not in request.POST:
                return render_plan(request, study, judge, form)
            planned = plan_run(
                study=study,
                judge=judge,
                seed=form.chosen_seed,
                requested_by=request.user,
                **form.scope,
            )
        except (RunRefused, BadJudge, UnknownJudge) as error:
            form.add_error(None, str(error))
        else:
            return redirect("judges:run", slug, planned.pk)
    return render_overview(request, study, form)


def render_plan(
    request: HttpRequest, study: Study, judge: Judge, form: RunForm, *, said: str = ""
) -> HttpResponse:
    """The page that says what a run would take, and starts it. RunRefused where it cannot be."""
    context = {"study": study, "form": form, "judge": judge, "said": said}
    context["forecast"] = forecast_run(
        study=study, judge=judge, requested_by=account(request), **form.scope
    )
    context["prompts"] = shown_prompts(study, judge, blocks=form.scope["blocks"])
    context["warning"] = no_pages_warning(method_of(judge))
    return render(request, "judges/plan.html", context)


@login_required
@require_GET
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Two runs side by side."""
    study = get_study(request.user, slug)
    numbers = [request.GET.get(name, "") for name in ("a", "b")]
    if not all(number.isdecimal() for number in numbers):
        raise Http404(_("Give the numbers of both runs."))
    left, right = (get_run(study, int(number[:18])) for number in numbers)
    if left.is_probe or right.is_probe:
        raise Http404(_("A probe is compared with the first one on the page of its judge."))
    context = {"study": study, "comparison": compare_runs(left, right)}
    return render(request, "judges/compare.html", context)


@login_required
@require_GET
def replies(request: HttpRequest, slug: str, run_id: int) -> StreamingHttpResponse:
    """The replies of a run, as a file for the scripted judge."""
    shown = get_run(get_study(request.user, slug), run_id)
    lines = replay_lines(shown)
    response = StreamingHttpResponse(lines, content_type="application/jsonl; charset=utf-8")
    return as_download(response, f"{slug}-run-{shown.pk}.jsonl")


@login_required
@require_GET
@vary_on_headers("HX-Request")
def run(request: HtmxRequest, slug: str, run_id: int) -> HttpResponse:
    """One run; htmx gets the part that changes while it runs, and at the end the calls as well."""
    study = get_study(request.user, slug)
    shown = get_run(study, run_id)
    context = {
        "study": study,
        "run": shown,
        "progress": run_progress(shown),
        "reasons": failures_by_reason(shown),
        "waiting": waiting_for(shown),
        "spent": spent(shown),
        "cut": cut_inputs(shown),
        "thin": thin_scores(shown.calls.all()),
        "pages": pages_by_outcome(shown),
        "left_out": left_out_sentence(shown.left_out),
        "examples": units_left_out(shown),
        "may_change": may_change(request, study),
        "cap": CapForm() if shown.is_at_cap else None,
        "query": request.GET.urlencode(),
    }
    if request.htmx and shown.is_under_way:
        return render(request, "judges/_progress.html", context)
    status = request.GET.get("status", "")
    calls = shown.calls.unsealed().select_related("question__unit", "question__block")
    calls = calls.order_by("pk")
    if status in Call.Status.values:
        calls = calls.filter(status=status)
    page = Paginator(calls, CALLS_PER_PAGE).get_page(request.GET.get("page"))
    context |= {"calls": page, "status": status, "statuses": Call.Status.choices}
    return render(request, f"judges/{'_ended' if request.htmx else 'run'}.html", context)


View = Callable[[HttpRequest, str, int], HttpResponse]


def _changing(change: Callable[[JudgeRun, QueryDict, User], None]) -> View:
    """A view that changes a run and redirects to its page, with a warning where it is refused."""

    @login_required
    @require_POST
    @wraps(change)
    def view(request: HttpRequest, slug: str, run_id: int) -> HttpResponse:
        changed = get_run(get_study(request.user, slug, Role.EDITOR), run_id)
        try:
            change(changed, request.POST, account(request))
        except states.NotPossible as error:
            messages.warning(request, str(error))
        return redirect("judges:run", slug, run_id)

    return view


@_changing
def pause(run: JudgeRun, _data: QueryDict, by: User) -> None:
    """Stop a run for now."""
    states.pause_run(run_id=run.pk, by=by)


@_changing
def cancel(run: JudgeRun, _data: QueryDict, by: User) -> None:
    """Stop a run for good."""
    states.cancel_run(run_id=run.pk, by=by)


@_changing
def resume(run: JudgeRun, data: QueryDict, by: User) -> None:
    """Let a run go on, or ask again what has failed in it; with a new cap, if the form has one."""
    form = CapForm(data)
    if not form.is_valid():
        raise states.NotPossible(_("The cap must be an amount in USD."))
    states.resume_run(run_id=run.pk, max_cost=form.cleaned_data["max_cost"], by=by)
