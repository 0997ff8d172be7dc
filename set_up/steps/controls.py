"""The page of controls, worked examples and training: proposed by a program, or picked by hand."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from annotation.access import Role, account, get_study
from annotation.models import Study
from annotation.rounds.opening import gaps_before_opening
from set_up.controls.forms import ProposalForm
from set_up.controls.pages import controls_of, next_proposed, round_of
from set_up.controls.proposals import JustMet, TooFew
from set_up.controls.proposals import propose_controls as propose
from set_up.steps.picks import units_to_pick

PAGE, UNITS_PER_PAGE = 100, 50


@login_required
@require_http_methods(["GET", "POST"])
def controls(request: HttpRequest, slug: str) -> HttpResponse:
    """All controls of a study, a form that proposes more, and the units to pick controls, worked
    examples and training from."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = ProposalForm(study, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid() and _try_to_propose(request, study, form):
        return redirect("desk:controls", slug)
    search = request.GET.get("q", "").strip()
    units = Paginator(units_to_pick(study, search), UNITS_PER_PAGE)
    page = Paginator(controls_of(study), PAGE).get_page(request.GET.get("controls"))
    context = {
        "study": study,
        "form": form,
        "page": page,
        "lines": [(unit, round_of(unit)) for unit in page],
        "first": next_proposed(study),
        "units": units.get_page(request.GET.get("page")),
        "search": search,
        "gaps": [gap.text for gap in gaps_before_opening(study) if gap.about == "controls"],
    }
    return render(request, "desk/controls.html", context, status=422 if form.errors else 200)


def _try_to_propose(request: HttpRequest, study: Study, form: ProposalForm) -> bool:
    data = form.cleaned_data
    try:
        units = propose(
            study=study,
            round_=data["round"],
            positive=data["positive"],
            negative=data["negative"],
            seed=data["seed"],
            pool=form.chosen_pool,
            by=account(request),
        )
    except TooFew as few:
        text = _("Only %(found)s can be made from units that no worker has seen.")
        form.add_error(few.kind, text % {"found": few.possible})
        return False
    except JustMet:
        form.add_error(None, _("Somebody was given one of the units just now. Please try again."))
        return False
    text = ngettext("%(n)s control is proposed.", "%(n)s controls are proposed.", len(units))
    messages.success(request, text % {"n": len(units)})
    return True
