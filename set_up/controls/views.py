"""One control question: look at it as a worker does, validate or reject it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_study
from annotation.models import Study, Unit
from annotation.rounds.opening import missing_to_open
from set_up.controls.pages import (
    control_questions,
    made_from,
    next_proposed,
    round_of,
    styles_of,
)
from set_up.controls.proposals import (
    NoRound,
    NotInUse,
    NotProposed,
    check_control,
    retire_control,
)


@login_required
@require_GET
def control(request: HttpRequest, slug: str, unit_id: int) -> HttpResponse:
    """One control as a worker sees it, with the right answer marked."""
    study = get_study(request.user, slug, Role.EDITOR)
    unit = _control(study, unit_id)
    original = made_from(unit)
    context = {
        "study": study,
        "unit": unit,
        "in_use": unit.check_state not in Unit.UNUSED,
        "round": round_of(unit),
        "parts": control_questions(unit, prefix="control"),
        "original": original,
        "original_parts": control_questions(original, prefix="original") if original else [],
        "styles": styles_of(study),
    }
    return render(request, "desk/control.html", context)


def _control(study: Study, unit_id: int) -> Unit:
    units = study.units.filter(role__in=Unit.CONTROLS).select_related("study", "source")
    return get_object_or_404(units, pk=unit_id)


@login_required
@require_POST
def check(request: HttpRequest, slug: str, unit_id: int) -> HttpResponse:
    """Validate or reject a proposed control, then on to the next."""
    study = get_study(request.user, slug, Role.EDITOR)
    unit = _control(study, unit_id)
    verdict = request.POST.get("verdict")
    if verdict not in ("validate", "reject"):
        return redirect("desk:control", slug, unit_id)
    valid = verdict == "validate"
    try:
        check_control(unit=unit, valid=valid, by=account(request), now=timezone.now())
    except NotProposed:
        messages.error(request, _("This control has already been reviewed."))
    except NoRound:
        messages.error(
            request, _("The round it was proposed for no longer exists. Please reject it.")
        )
    else:
        text = _("Validated: %(unit)s.") if valid else _("Rejected: %(unit)s.")
        messages.success(request, text % {"unit": unit.key})
    following = next_proposed(study)
    if following is None:
        return redirect("desk:controls", slug)
    return redirect("desk:control", slug, following.pk)


@login_required
@require_POST
def retire(request: HttpRequest, slug: str, unit_id: int) -> HttpResponse:
    """Take back a control that turned out to be wrong."""
    study = get_study(request.user, slug, Role.EDITOR)
    unit = _control(study, unit_id)
    try:
        owed = retire_control(unit=unit, by=account(request), now=timezone.now())
    except NotInUse:
        messages.error(request, _("This control is not in use. Nothing was changed."))
        return redirect("desk:control", slug, unit_id)
    text = ngettext(
        "Disabled: %(unit)s. %(n)s bonus is owed now.",
        "Disabled: %(unit)s. %(n)s bonuses are owed now.",
        len(owed),
    )
    messages.success(request, text % {"unit": unit.key, "n": len(owed)})
    if study.state == Study.State.OPEN:
        for need in missing_to_open(study):
            messages.warning(request, _("The study now lacks %(what)s.") % {"what": need})
    return redirect("desk:control", slug, unit_id)
