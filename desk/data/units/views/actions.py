"""Actions on many units: chosen in the table, confirmed on a page of their own."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_study
from annotation.models import Study
from desk.data.units.actions import confirm_action, job_of, progress_of, propose_action
from desk.data.units.consequences import consequences_of, title_of
from desk.data.units.forms import ALL, ActionForm
from desk.data.units.reversal import UndoRefused, is_reversible, undo_action, undoable_units
from desk.data.units.search import keep_texts_soon
from desk.data.units.table import table_of
from desk.models import UnitAction
from jobs.workers.health import worker_alive


@login_required
@require_POST
def propose(request: HttpRequest, slug: str) -> HttpResponse:
    """Note what is to be done with which units, and ask whether to do it."""
    study = get_study(request.user, slug, Role.EDITOR)
    table = table_of(study, request.POST.get("query", ""))
    form = ActionForm(study, request.POST)
    if not form.is_valid():
        for error in (error for several in form.errors.values() for error in several):
            messages.error(request, str(error))
        return redirect(_table_address(study, table.query))
    every = form.cleaned_data["of"] == ALL
    if every and "q" in table.form.chosen:
        keep_texts_soon(study)
    action = propose_action(
        study=study,
        units=table.units if every else study.units.filter(pk__in=form.units),
        kind=form.cleaned_data["kind"],
        parameters=form.parameters,
        by=account(request),
        query=table.query,
    )
    return redirect("desk:unit-action", slug, action.pk)


@login_required
@require_GET
def action(request: HttpRequest, slug: str, action_id: int) -> HttpResponse:
    """What an action would do, how far it has come, or what it has done."""
    study = get_study(request.user, slug, Role.EDITOR)
    chosen = _action(study, action_id)
    proposed, now = chosen.confirmed_at is None, timezone.now()
    job = None if proposed or chosen.ended_at else job_of(chosen)
    under_way = job is not None and job.is_under_way
    context = {
        "study": study,
        "action": chosen,
        "title": title_of(chosen),
        "consequences": consequences_of(chosen) if proposed else None,
        "progress": None if proposed else progress_of(chosen),
        "job": job,
        "under_way": under_way,
        "undo": _undo(chosen),
        "worker": not under_way or worker_alive(now),
        "back": _table_address(study, chosen.query),
    }
    return render(request, "desk/units/action.html", context)


@login_required
@require_POST
def confirm(request: HttpRequest, slug: str, action_id: int) -> HttpResponse:
    """Do an action, or go on with one that was stopped."""
    study = get_study(request.user, slug, Role.EDITOR)
    confirm_action(action=_action(study, action_id), by=account(request))
    return redirect("desk:unit-action", slug, action_id)


@login_required
@require_POST
def undo(request: HttpRequest, slug: str, action_id: int) -> HttpResponse:
    """Do the reverse of an action, for the units that it changed."""
    study = get_study(request.user, slug, Role.EDITOR)
    try:
        undoing = undo_action(action=_action(study, action_id), by=account(request))
    except UndoRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("desk:unit-action", slug, action_id)
    return redirect("desk:unit-action", slug, undoing.pk)


def _undo(action: UnitAction) -> dict[str, Any]:
    """How many units an action can be undone for, or why it cannot; nothing where it is not
    done, or is of a kind that cannot be undone."""
    if action.ended_at is None or not is_reversible(action):
        return {}
    try:
        return {"n": undoable_units(action).count()}
    except UndoRefused as refusal:
        return {"reason": str(refusal), "by": getattr(action, "undone_by", None)}


def _action(study: Study, action_id: int) -> UnitAction:
    action: UnitAction = get_object_or_404(study.unit_actions.select_related("by"), pk=action_id)
    action.study = study
    return action


def _table_address(study: Study, query: str) -> str:
    address = reverse("desk:units", args=[study.slug])
    return f"{address}?{query}" if query else address
