"""Another table for a study that is there: as long as nobody has answered."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.access import Role, account, get_study
from annotation.models import Study, User
from files.columns.names import OUTPUTS
from files.errors import ImportFailure
from files.readers.heads import form_and_names
from imports.sandbox.calls import call_apart
from imports.studies.changes import has_work
from imports.study_file.writing import study_keys
from imports.uploads import keep_upload, kept_upload
from set_up.new_study.drafts import guessed_columns, is_records, renamed
from set_up.new_study.upload_limit import refusal, refused_status
from set_up.study_files.application import JustChanged
from set_up.study_files.keys import change_keys, version_of_keys


class OtherTableForm(forms.Form):
    """The upload of another table."""

    file = forms.FileField(
        label="Table of outputs", help_text="CSV, TSV, XLSX, Parquet or JSON lines, a row each."
    )


def load_table(*, study: Study, name: str, chunks: Iterable[bytes], by: User) -> None:
    """Load an uploaded table in place of the study's items. Columns are those of before, where the
    table has them, or guessed by their names. ImportFailure where it cannot be, or not any more."""
    digest = keep_upload(chunks)
    path = kept_upload(digest)
    assert path is not None
    try:
        form, names = call_apart(form_and_names, path)
    except ImportFailure as failure:
        raise renamed(failure, path, name) from failure
    keys: dict[str, Any] = {"items": [name], "columns": None}
    standing = study_keys(study)
    if not is_records(names, form.kind):
        before = standing.get("columns") or {}
        roles = {role: before[role] for role in OUTPUTS if before.get(role)}
        keys["columns"] = before if roles and set(roles.values()) <= set(names) else None
        keys["columns"] = keys["columns"] or guessed_columns(names)
    version = version_of_keys(standing, keys)
    uploads = {name: digest}
    change_keys(study=study, keys=keys, version=version, keep=True, by=by, uploads=uploads)


@login_required
@require_http_methods(["GET", "POST"])
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The upload of another table."""
    study = get_study(request.user, slug, Role.EDITOR)
    if status := refused_status(request):
        return refusal(request, status)
    form = OtherTableForm(request.POST or None, request.FILES or None)
    if form.is_bound and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            load_table(study=study, name=file.name, chunks=file.chunks(), by=account(request))
        except (ImportFailure, JustChanged) as failure:
            form.add_error(
                "file", str(failure) or "Somebody else just changed the study. Please try again."
            )
        else:
            messages.success(request, f"{file.name} is loaded: {study.units.count()} units.")
            return redirect("desk:set-up", slug)
    context = {
        "study": study,
        "form": form,
        "files": list(study.imported.get("items", {})),
        "locked": has_work(study),
        "names": OUTPUTS,
    }
    return render(request, "desk/set_up/table.html", context, status=422 if form.errors else 200)
