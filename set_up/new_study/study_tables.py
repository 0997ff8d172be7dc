"""Another table for a study that is there: as long as nobody has answered."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.access import Role, account, get_study
from annotation.models import Study, User
from files.errors import ImportFailure, OpenQuestion
from files.reading.model import Holds, Reading
from files.skipped import SkippedRecords
from imports.studies.changes import has_work
from imports.study_file.item_columns import ItemColumns, said_columns
from imports.study_file.writing import study_keys
from imports.uploads import keep_upload
from set_up.imports.read_outputs import keep_outputs
from set_up.new_study.found_files import are_records, names_in, proposal_of
from set_up.new_study.upload_limit import refusal, refused_status
from set_up.study_files.application import JustChanged
from set_up.study_files.keys import change_keys, version_of_keys


class OtherTableForm(forms.Form):
    """The upload of another table."""

    file = forms.FileField(
        label="Table of outputs", help_text="CSV, TSV, XLSX, Parquet or JSON, a row each."
    )


def load_table(*, study: Study, name: str, chunks: Iterable[bytes], by: User) -> None:
    """Load an uploaded table in place of the study's items: by the columns of before, where the
    table has them, or by the reading that it proposes. ImportFailure where it cannot be, or not any
    more."""
    uploads, standing = {name: keep_upload(chunks)}, study_keys(study)
    keys: dict[str, Any] = {"items": [name], "columns": None}
    if not are_records(uploads):
        names, columns = names_in(uploads), standing.get("columns") or {}
        if columns and _named(columns) <= {*names}:
            keys["columns"] = columns
        else:
            reading = _proposed(uploads, said_columns(names, columns))
            made, uploads = keep_outputs(
                keys=standing, uploads=uploads, reading=reading, skipped=SkippedRecords()
            )
            keys["items"] = made["items"]
    version = version_of_keys(standing, keys)
    change_keys(study=study, keys=keys, version=version, keep=True, by=by, uploads=uploads)


def _named(columns: Mapping[str, Any]) -> set[str]:
    return {column for _, column in ItemColumns.model_validate(columns).named()}


def _proposed(uploads: Mapping[str, str], columns: Mapping[str, Holds]) -> Reading:
    proposal = proposal_of(uploads, columns=columns)
    if proposal.questions:
        reason = "say it by columns in the study file, or make a new study of this file"
        text = f"{proposal.questions[0].text} ({reason})"
        raise OpenQuestion(", ".join(uploads), "question", text)
    return proposal.reading


def _loaded(study: Study) -> str:
    n_sources = study.sources.count()
    if study.items.exists() or not n_sources:
        return f"{study.units.count()} units"
    return f"{n_sources} source{'' if n_sources == 1 else 's'} without texts: models can write them"


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
            messages.success(request, f"{file.name} is loaded: {_loaded(study)}.")
            return redirect("desk:set-up", slug)
    context = {
        "study": study,
        "form": form,
        "files": list(study.imported.get("items", {})),
        "locked": has_work(study),
    }
    return render(request, "desk/set_up/table.html", context, status=422 if form.errors else 200)
