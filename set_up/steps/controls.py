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
from files.errors import ImportFailure
from set_up.controls.forms import ProposalForm
from set_up.controls.pages import controls_of, next_proposed, round_of
from set_up.controls.proposals import JustMet, TooFew
from set_up.controls.proposals import propose_controls as propose
from set_up.steps.pick_rows import PickRow, chosen_picks, pick_rows
from set_up.steps.picks import Pick, RoleForm, pick_units, units_to_pick
from set_up.study_files.application import JustChanged

PAGE, UNITS_PER_PAGE = 100, 50
PICK = "pick"


@login_required
@require_http_methods(["GET", "POST"])
def controls(request: HttpRequest, slug: str) -> HttpResponse:
    """All controls of a study, the units to pick controls, worked examples and training from, and
    a form that proposes controls."""
    study = get_study(request.user, slug, Role.EDITOR)
    posted = request.POST if request.method == "POST" else None
    picks = posted if posted and posted.get("go") == PICK else None
    form = ProposalForm(study, None if picks else posted)
    if form.is_bound and form.is_valid() and _try_to_propose(request, study, form):
        return redirect("desk:controls", slug)
    search = request.GET.get("q", "").strip()
    units = Paginator(units_to_pick(study, search), UNITS_PER_PAGE)
    shown = units.get_page(request.GET.get("page"))
    role, rows = RoleForm(study, picks), pick_rows(shown, picks)
    if picks and _picked(request, study, role, rows):
        return redirect("desk:controls", slug)
    wanted = [{part.wanted for part in row.parts} for row in rows if row.parts]
    page = Paginator(controls_of(study), PAGE).get_page(request.GET.get("controls"))
    context = {
        "study": study,
        "form": form,
        "page": page,
        "lines": [(unit, round_of(unit)) for unit in page],
        "first": next_proposed(study),
        "units": shown,
        "rows": rows,
        "role": role,
        # Said once, where all rows want the same.
        "wanted": wanted[0] if wanted and all(each == wanted[0] for each in wanted) else None,
        "search": search,
        "styles": _styles(rows),
        "gaps": [gap.text for gap in gaps_before_opening(study) if gap.about == "controls"],
    }
    refused = bool(form.errors or picks)
    return render(request, "desk/controls.html", context, status=422 if refused else 200)


def _styles(rows: list[PickRow]) -> list[str]:
    """The style sheets of the questions of these units."""
    kinds = [part.question.block.task_type for row in rows for part in row.parts]
    return list(dict.fromkeys(file for kind in kinds for file in kind.styles))


def _picked(request: HttpRequest, study: Study, role: RoleForm, rows: list[PickRow]) -> bool:
    """Pick what was chosen; what is wrong is said in its row or above the table."""
    if not role.is_valid():
        return False
    data = role.cleaned_data
    picks = chosen_picks(rows, data["role"], data.get("round", ""))
    if picks is None:
        role.add_error(None, _("Nothing is saved yet: correct the marked rows."))
    elif not picks:
        role.add_error(None, _("Choose a unit and give its right answer."))
    else:
        return _are_picked(request, study, role, picks)
    return False


def _are_picked(request: HttpRequest, study: Study, role: RoleForm, picks: list[Pick]) -> bool:
    try:
        placed = pick_units(study=study, picks=picks, by=account(request))
    except (ImportFailure, JustChanged) as failure:
        role.add_error(None, str(failure) or _("Somebody else changed the study. Try again."))
        return False
    text = ngettext("%(n)s unit is saved.", "%(n)s units are saved.", len(picks))
    more = _(" Every batch of the round now holds one of them.") if placed else ""
    messages.success(request, text % {"n": len(picks)} + more)
    return True


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
