"""The pages of judges: what ran, how far it is, and what each call brought."""

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

from annotation.access import Role, get_role, get_study
from annotation.models import Study
from annotation.views.downloads import as_download
from annotation.views.htmx import HtmxRequest
from judges.access import get_judge, get_run
from judges.calibration.calibrate import NotCalibrated, can_be_calibrated
from judges.calibration.calibrate import calibrate as calibrate_judge
from judges.definitions.families import tell_families
from judges.definitions.proposals import propose_judge
from judges.definitions.versions import BadJudge, UnknownJudge, judge_for
from judges.methods.registry import method
from judges.models import Call, JudgeRun
from judges.runs import states
from judges.runs.comparison import compare_runs
from judges.runs.link_counts import pages_by_outcome
from judges.runs.plan import RunRefused, forecast_run, plan_run
from judges.runs.preview import shown_prompts
from judges.runs.progress import cut_inputs, failures_by_reason, run_progress, spent, waiting_for
from judges.runs.replay import replay_lines
from judges.views.forms import (
    CalibrationForm,
    CapForm,
    FamiliesForm,
    JudgeForm,
    RunForm,
    judge_names,
)

RUNS_SHOWN = 100
CALLS_PER_PAGE = 50


@login_required
@require_GET
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """The judges and runs of a study, and the form that starts one."""
    study = get_study(request.user, slug)
    return _runs_page(request, study, RunForm(study))


@login_required
@require_POST
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """What a run as the form says would take; nothing is started."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = RunForm(study, request.POST)
    if form.is_valid():
        try:
            wanted = judge_for(study, form.cleaned_data["judge"])
            forecast = forecast_run(study=study, judge=wanted, **form.scope)
        except (RunRefused, BadJudge, UnknownJudge) as error:
            form.add_error(None, str(error))
        else:
            context = {"study": study, "form": form, "judge": wanted, "forecast": forecast}
            context["prompts"] = shown_prompts(study, wanted, blocks=form.scope["blocks"])
            return render(request, "judges/plan.html", context)
    return _runs_page(request, study, form)


@login_required
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Plan a run as the form says, and set it off."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = RunForm(study, request.POST)
    if form.is_valid():
        try:
            planned = plan_run(
                study=study,
                judge=judge_for(study, form.cleaned_data["judge"]),
                seed=form.chosen_seed,
                requested_by=request.user,
                **form.scope,
            )
        except (RunRefused, BadJudge, UnknownJudge) as error:
            form.add_error(None, str(error))
        else:
            return redirect("judges:run", slug, planned.pk)
    return _runs_page(request, study, form)


@login_required
@require_POST
def define(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a judge to the study, or the next version of one."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = JudgeForm(study, request.POST)
    if form.is_valid():
        try:
            made = propose_judge(study=study, **form.cleaned_data)
        except BadJudge as error:
            form.add_reason(str(error))
        else:
            messages.success(request, _("%(judge)s can be run now.") % {"judge": made})
            return redirect("judges:judge", slug, made.name, made.version)
    return _runs_page(request, study, RunForm(study), form)


@login_required
@require_POST
def families(request: HttpRequest, slug: str) -> HttpResponse:
    """Say of which families the models of imported judges are."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = FamiliesForm(study, request.POST)
    if form.is_valid():
        tell_families(study=study, families=form.families)
        messages.success(request, _("The families are kept."))
        return redirect("judges:runs", slug)
    return _runs_page(request, study, RunForm(study), families=form)


@login_required
@require_GET
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Two runs side by side."""
    study = get_study(request.user, slug)
    numbers = [request.GET.get(name, "") for name in ("a", "b")]
    if not all(number.isdecimal() for number in numbers):
        raise Http404(_("Two runs are compared by their numbers."))
    left, right = (get_run(study, int(number[:18])) for number in numbers)
    context = {"study": study, "comparison": compare_runs(left, right)}
    return render(request, "judges/compare.html", context)


@login_required
@require_GET
def replies(request: HttpRequest, slug: str, run_id: int) -> StreamingHttpResponse:
    """What a run's calls brought, as a file that a judge can answer from."""
    found = get_run(get_study(request.user, slug), run_id)
    lines = replay_lines(found)
    response = StreamingHttpResponse(lines, content_type="application/jsonl; charset=utf-8")
    return as_download(response, f"{slug}-run-{found.pk}.jsonl")


@login_required
@require_GET
@vary_on_headers("HX-Request")
def run(request: HtmxRequest, slug: str, run_id: int) -> HttpResponse:
    """One run; htmx gets the part that changes while it runs."""
    study = get_study(request.user, slug)
    found = get_run(study, run_id)
    context = {
        "study": study,
        "run": found,
        "progress": run_progress(found),
        "reasons": failures_by_reason(found),
        "waiting": waiting_for(found),
        "spent": spent(found),
        "cut": cut_inputs(found),
        "pages": pages_by_outcome(found),
        "may_change": _may_change(request, study),
        "cap": CapForm() if found.is_at_cap else None,
    }
    if request.htmx:
        return render(request, "judges/_progress.html", context)
    status = request.GET.get("status", "")
    calls = found.calls.select_related("question__unit", "question__block").order_by("pk")
    shown = calls.filter(status=status) if status in Call.Status.values else calls
    page = Paginator(shown, CALLS_PER_PAGE).get_page(request.GET.get("page"))
    context |= {"calls": page, "status": status, "statuses": Call.Status.choices}
    return render(request, "judges/run.html", context)


@login_required
@require_GET
def judge(request: HttpRequest, slug: str, name: str, version: int) -> HttpResponse:
    """One version of a judge: what it does, and with what."""
    study = get_study(request.user, slug)
    found = get_judge(study, name, version)
    chosen = method(found.method)
    latest = study.judge_runs.filter(judge=found).first()
    context = {
        "study": study,
        "judge": found,
        "method": chosen,
        "prompts": shown_prompts(study, found, run=latest),
        "runs": study.judge_runs.filter(judge=found).select_related("judge"),
    }
    if latest and can_be_calibrated(found) and _may_change(request, study):
        context["calibration"] = CalibrationForm()
    return render(request, "judges/judge.html", context)


@login_required
@require_POST
def calibrate(request: HttpRequest, slug: str, name: str, version: int) -> HttpResponse:
    """Fit a judge's threshold, and let the new version answer what the judge has answered."""
    study = get_study(request.user, slug, Role.EDITOR)
    found = get_judge(study, name, version)
    form = CalibrationForm(request.POST)
    latest = study.judge_runs.filter(judge=found).first()
    if not form.is_valid() or latest is None:
        messages.warning(request, _("Nothing to fit, or not a way to fit it."))
        return redirect("judges:judge", slug, name, version)
    try:
        fitted = calibrate_judge(study=study, judge=found, **form.cleaned_data)
        planned = plan_run(
            study=study,
            judge=fitted.judge,
            subset=latest.subset,
            blocks=latest.blocks,
            seed=study.seed,
            requested_by=request.user,
        )
    except (NotCalibrated, BadJudge, RunRefused) as refusal:
        messages.warning(request, str(refusal))
        return redirect("judges:judge", slug, name, version)
    return redirect("judges:run", slug, planned.pk)


View = Callable[[HttpRequest, str, int], HttpResponse]


def _changing(change: Callable[[JudgeRun, QueryDict], None]) -> View:
    """A view that changes a run and leads back to it; what cannot be done is said there."""

    @login_required
    @require_POST
    @wraps(change)
    def view(request: HttpRequest, slug: str, run_id: int) -> HttpResponse:
        found = get_run(get_study(request.user, slug, Role.EDITOR), run_id)
        try:
            change(found, request.POST)
        except states.NotPossible as refusal:
            messages.warning(request, str(refusal))
        return redirect("judges:run", slug, run_id)

    return view


@_changing
def pause(found: JudgeRun, _given: QueryDict) -> None:
    """Stop a run for now."""
    states.pause_run(run_id=found.pk)


@_changing
def cancel(found: JudgeRun, _given: QueryDict) -> None:
    """Stop a run for good."""
    states.cancel_run(run_id=found.pk)


@_changing
def resume(found: JudgeRun, given: QueryDict) -> None:
    """Go on with a run, or ask again what has failed in it; under a higher cap, where given."""
    form = CapForm(given)
    if not form.is_valid():
        raise states.NotPossible(_("The cap has to be an amount in USD."))
    states.resume_run(run_id=found.pk, max_cost=form.cleaned_data["max_cost"])


def _runs_page(
    request: HttpRequest,
    study: Study,
    form: RunForm,
    judge_form: JudgeForm | None = None,
    families: FamiliesForm | None = None,
) -> HttpResponse:
    found = study.judge_runs.select_related("judge", "requested_by")[:RUNS_SHOWN]
    context = {
        "study": study,
        "form": form,
        "judge_form": judge_form or JudgeForm(study),
        "families": families or FamiliesForm(study),
        "progresses": [run_progress(one) for one in found],
        "can_start": bool(judge_names(study)),
        "may_change": _may_change(request, study),
    }
    is_wrong = any(given is not None and given.errors for given in (form, judge_form, families))
    return render(request, "judges/runs.html", context, status=422 if is_wrong else 200)


def _may_change(request: HttpRequest, study: Study) -> bool:
    role = get_role(request.user, study)
    return role is not None and role.may(Role.EDITOR)
