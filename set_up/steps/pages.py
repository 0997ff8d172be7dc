"""The page of one form of the set-up: show it, say what would change, save it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.access import account
from annotation.models import Study, User
from files.errors import ImportFailure
from imports.studies.changes import has_work
from set_up.steps.forms import KeysForm
from set_up.study_files.application import Edited, JustChanged
from set_up.study_files.keys import change_keys

SAVE, APPLY = "save", "apply"


def keys_page(
    request: HttpRequest, study: Study, form: KeysForm, template: str, **context: Any
) -> HttpResponse:
    """The page of a form. A draft without answers is changed at once; where people may be at work,
    what changes is shown first."""
    saves = request.POST.get("go", SAVE) in (SAVE, APPLY)
    if form.is_bound and saves and form.is_valid():
        at_once = study.state == Study.State.DRAFT and not has_work(study)
        keep = at_once or request.POST.get("go") == APPLY
        edited = _changed(study, form, context, keep=keep, by=account(request))
        is_done = edited is not None and (keep or not edited.difference)
        if is_done and not context.get("conflict"):
            messages.success(request, "Saved.")
            return redirect("desk:set-up", study.slug)
        context["edited"] = edited
    context |= {"study": study, "form": form, "failed": form.is_bound and saves and form.errors}
    return render(request, template, context, status=_status(context))


def _status(context: dict[str, Any]) -> int:
    if context.get("conflict"):
        return 409
    return 422 if context["failed"] else 200


def _changed(
    study: Study, form: KeysForm, context: dict[str, Any], *, keep: bool, by: User
) -> Edited | None:
    """What was or would be changed; None where the rules of a study file refuse it."""
    keys, version = form.cleaned_settings(), form.cleaned_data["version"]
    try:
        return change_keys(study=study, keys=keys, version=version, keep=keep, by=by)
    except JustChanged:
        context["conflict"] = True
        form.take_version(form.standing_version)
        version = form.standing_version
    except ImportFailure as failure:
        form.place(failure)
        return None
    try:
        return change_keys(study=study, keys=keys, version=version, keep=False, by=by)
    except (ImportFailure, JustChanged):
        return None
