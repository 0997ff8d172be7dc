"""The buttons of a judge's section about drift: fix a probe set, ask again, set the schedule."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.access import Role, account, get_study
from judges.access import get_judge
from judges.definitions.versions import BadJudge
from judges.probes.askings import ask_again
from judges.probes.sets import begin_series, current_set, set_schedule
from judges.runs.plans.scope import RunRefused
from judges.views.forms import ProbeForm, ScheduleForm
from judges.views.judges import render_judge


@login_required
@require_POST
def fix(request: HttpRequest, slug: str, name: str, version: int) -> HttpResponse:
    """Fix a probe set by the form, and ask it twice as its baseline."""
    study = get_study(request.user, slug, Role.EDITOR)
    judge = get_judge(study, name, version)
    form = ProbeForm(study, request.POST)
    if form.is_valid():
        try:
            run = begin_series(study=study, judge=judge, choice=form.choice, by=account(request))
        except (RunRefused, BadJudge) as error:
            form.add_error(None, str(error))
        else:
            return redirect("judges:run", slug, run.pk)
    return render_judge(request, study, judge, probes=form)


@login_required
@require_POST
def ask(request: HttpRequest, slug: str, name: str, version: int) -> HttpResponse:
    """Ask the judge's probe set again."""
    study = get_study(request.user, slug, Role.EDITOR)
    judge = get_judge(study, name, version)
    probe_set = current_set(study, judge)
    if probe_set is None:
        messages.warning(request, _("This judge has no probe set yet."))
        return redirect("judges:judge", slug, name, version)
    try:
        run = ask_again(probe_set=probe_set, by=account(request))
    except (RunRefused, BadJudge) as error:
        messages.warning(request, str(error))
        return redirect("judges:judge", slug, name, version)
    return redirect("judges:run", slug, run.pk)


@login_required
@require_POST
def schedule(request: HttpRequest, slug: str, name: str, version: int) -> HttpResponse:
    """Set how often the judge's probe set is asked, and what that may cost."""
    study = get_study(request.user, slug, Role.EDITOR)
    judge = get_judge(study, name, version)
    probe_set, form = current_set(study, judge), ScheduleForm(request.POST)
    if probe_set is None or not form.is_valid():
        messages.warning(request, _("Check the form; the judge must have a probe set."))
    elif set_schedule(probe_set=probe_set, by=account(request), **form.cleaned_data):
        messages.success(request, _("The schedule is saved."))
    return redirect("judges:judge", slug, name, version)
