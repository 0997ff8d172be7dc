"""The page of a study's judges and runs, which the forms on it return to as well."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.access import Role, account, may
from annotation.models import Rater, Study
from judges.calibration.baselines import newest_job
from judges.runs.progress import run_progress
from judges.views.definition_form import JudgeForm
from judges.views.forms import FamiliesForm, RunForm
from judges.views.planned import LOOKED_AT, planned_judges
from judges.views.takeover import TakeOverForm

RUNS_SHOWN = 100


def render_overview(
    request: HttpRequest,
    study: Study,
    run_form: RunForm,
    *,
    judge_form: JudgeForm | None = None,
    families: FamiliesForm | None = None,
    taking: TakeOverForm | None = None,
) -> HttpResponse:
    """The page with these forms; status 422 where one of them has errors."""
    runs = study.judge_runs.select_related("judge", "requested_by")[:RUNS_SHOWN]
    changes, with_costs = may_change(request, study), "costs" in request.GET
    context = {
        "study": study,
        "form": run_form,
        "judge_form": judge_form or JudgeForm(study, user=account(request)),
        "families": families or FamiliesForm(study),
        "taking": taking or TakeOverForm(study, account(request)),
        "progresses": [run_progress(run) for run in runs],
        "can_start": bool(run_form.names),
        "may_change": changes,
        "with_costs": with_costs,
        "planned": planned_judges(study, with_costs=with_costs) if changes else [],
        "looked_at": LOOKED_AT,
        "baselines": newest_job(study) if changes else None,
        "imported_judges": study.answered_elsewhere()[Rater.Kind.JUDGE],
    }
    forms = (run_form, judge_form, families, taking)
    has_errors = any(form is not None and form.errors for form in forms)
    return render(request, "judges/runs.html", context, status=422 if has_errors else 200)


def may_change(request: HttpRequest, study: Study) -> bool:
    """Whether the user may define judges, and start and change runs."""
    return may(request.user, study, Role.EDITOR)
