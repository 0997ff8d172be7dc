"""The pages of judges: define one, look at it, calibrate it, and set families."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_study
from annotation.models import Study
from jobs.queue import ask
from judges.access import get_judge
from judges.calibration import NotCalibrated, can_be_calibrated
from judges.calibration import calibrate as calibrate_judge
from judges.calibration.baselines import MAKE_BASELINES, refuse_uncalibrated
from judges.definitions.families import set_families
from judges.definitions.proposals import propose_judge, take_over
from judges.definitions.versions import BadJudge
from judges.methods.registry import find_method
from judges.models import Call, Judge, ProbeSet
from judges.runs.plans.preview import shown_prompts
from judges.runs.plans.scope import RunRefused
from judges.runs.progress import thin_scores
from judges.runs.trials import ask_once, prepare_trial
from judges.views.definition_form import JudgeForm
from judges.views.drift import series_of
from judges.views.forms import (
    CalibrationForm,
    FamiliesForm,
    ProbeForm,
    RunForm,
    ScheduleForm,
)
from judges.views.overview import may_change, render_overview
from judges.views.runs import render_plan
from judges.views.takeover import TakeOverForm


@login_required
@require_POST
def define(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a judge to the study, or the next version of one."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = JudgeForm(study, request.POST, user=account(request))
    if form.is_valid():
        try:
            judge = propose_judge(study=study, by=account(request), **form.definition)
            return _to_new(request, study, judge)
        except BadJudge as error:
            form.add_reason(str(error))
    return render_overview(request, study, RunForm(study), judge_form=form)


@login_required
@require_POST
def try_out(request: HttpRequest, slug: str) -> HttpResponse:
    """What a judge by the form would ask about one unit and cost; then, confirmed, its reply."""
    study, by = get_study(request.user, slug, Role.EDITOR), account(request)
    form = JudgeForm(study, request.POST, user=by)
    if "change" not in request.POST and form.is_valid():
        try:
            trial = prepare_trial(
                study=study, fields=form.definition, unit=form.cleaned_data["unit"], by=by
            )
            outcome = ask_once(trial, by=by) if "confirmed" in request.POST else None
        except (BadJudge, RunRefused) as error:
            form.add_reason(str(error))
        else:
            context = {"study": study, "form": form, "trial": trial, "outcome": outcome}
            return render(request, "judges/trial.html", context)
    return render_overview(request, study, RunForm(study), judge_form=form)


@login_required
@require_POST
def take(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a judge over from another study that the user may read."""
    study, by = get_study(request.user, slug, Role.EDITOR), account(request)
    form = TakeOverForm(study, by, request.POST)
    if form.is_valid():
        try:
            return _to_new(request, study, take_over(study=study, by=by, **form.chosen))
        except BadJudge as error:
            form.add_error(None, str(error))
    return render_overview(request, study, RunForm(study), taking=form)


def _to_new(request: HttpRequest, study: Study, judge: Judge) -> HttpResponse:
    messages.success(request, _("You can run %(judge)s now.") % {"judge": judge})
    return redirect("judges:judge", study.slug, judge.name, judge.version)


@login_required
@require_POST
def baselines(request: HttpRequest, slug: str) -> HttpResponse:
    """Add the study's baselines and run them, in the background."""
    study = get_study(request.user, slug, Role.EDITOR)
    try:
        refuse_uncalibrated(study)
    except NotCalibrated as error:
        messages.warning(request, str(error))
    else:
        ask(MAKE_BASELINES, study=study, by=account(request), parameters={})
        messages.success(request, _("The baselines are being fitted. Their runs then start."))
    return redirect("judges:runs", slug)


@login_required
@require_POST
def families(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the model families of imported judges."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = FamiliesForm(study, request.POST)
    if form.is_valid():
        set_families(study=study, families=form.families, by=account(request))
        messages.success(request, _("The families are saved."))
        return redirect("judges:runs", slug)
    return render_overview(request, study, RunForm(study), families=form)


@login_required
@require_GET
def judge(request: HttpRequest, slug: str, name: str, version: int) -> HttpResponse:
    """One version of a judge: its method, parameters, prompts and runs."""
    study = get_study(request.user, slug)
    return render_judge(request, study, get_judge(study, name, version))


def render_judge(
    request: HttpRequest, study: Study, shown: Judge, *, probes: ProbeForm | None = None
) -> HttpResponse:
    """The page; status 422 where the form of a probe set has errors."""
    runs = study.judge_runs.filter(judge=shown)
    latest = runs.filter(probe_set=None).first()
    series = series_of(study, shown)
    context = {
        "study": study,
        "judge": shown,
        "method": described(shown.method),
        "prompts": shown_prompts(study, shown, run=latest),
        "runs": runs.filter(probe_set=None).select_related("judge"),
        "thin": thin_scores(Call.objects.filter(run__in=runs.order_by(), run__probe_set=None)),
        "series": series,
    }
    if may_change(request, study):
        context["probes"] = probes or ProbeForm(study)
        if latest and can_be_calibrated(shown):
            context["calibration"] = CalibrationForm()
    if series is not None:
        context["schedule"] = _schedule_form(series.probe_set)
    has_errors = probes is not None and probes.errors
    return render(request, "judges/judge.html", context, status=422 if has_errors else 200)


def _schedule_form(probe_set: ProbeSet) -> ScheduleForm:
    initial = {"every_days": probe_set.every_days, "max_cost": probe_set.max_cost}
    return ScheduleForm(initial=initial, auto_id="schedule_%s")


def described(name: str) -> dict[str, object]:
    """What a page says of a method. A template would call the class itself, and show nothing."""
    try:
        method = find_method(name)
    except KeyError:
        gone = _("The package that has this method is no longer installed.")
        return {"title": name, "description": gone, "serves": ()}
    return {said: getattr(method, said) for said in ("title", "description", "serves")}


@login_required
@require_POST
def calibrate(request: HttpRequest, slug: str, name: str, version: int) -> HttpResponse:
    """Fit a judge's threshold, and show the plan of a run of the new version: over the questions
    that the judge has answered."""
    study = get_study(request.user, slug, Role.EDITOR)
    calibrated = get_judge(study, name, version)
    form = CalibrationForm(request.POST)
    latest = study.judge_runs.filter(judge=calibrated, probe_set=None).first()
    if not form.is_valid() or latest is None:
        messages.warning(request, _("Check the form; the judge must have run in this study."))
        return redirect("judges:judge", slug, name, version)
    try:
        fitted = calibrate_judge(
            study=study, judge=calibrated, by=account(request), **form.cleaned_data
        )
        chosen = RunForm(study, _as_before(fitted.judge, calibrated))
        chosen.full_clean()
        said = _("The threshold of %(judge)s is %(threshold).4g.")
        said %= {"judge": fitted.judge, "threshold": fitted.threshold}
        return render_plan(request, study, fitted.judge, chosen, said=said)
    except (NotCalibrated, BadJudge, RunRefused) as error:
        messages.warning(request, str(error))
        return redirect("judges:judge", slug, name, version)


def _as_before(judge: Judge, before: Judge) -> dict[str, str]:
    """What the form of a run holds that asks what an earlier version has answered."""
    return {"judge": str(judge), "like": str(before), "replicates": "1"}
