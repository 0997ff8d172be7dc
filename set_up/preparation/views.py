"""Lists that questions are asked by: look through them, edit one, accept, reject; files."""

import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import Role, account, get_study
from annotation.models import Preparation, Study, User
from files.errors import ImportFailure
from generators.jobs.work import PROPOSE_LISTS
from imports.preparation.counts import preparation_counts, unprepared
from imports.preparation.files import FileOutcome, list_lines, take_lists
from imports.preparation.lists import JustChanged, accept, reopen
from imports.preparation.targets import Target
from imports.preparation.units import Applied
from set_up.preparation.decisions import begin_list, decide
from set_up.preparation.forms import EntriesForm, FileForm, FilterForm
from set_up.preparation.pages import (
    chosen_list,
    context_of,
    lists_to_prepare,
    next_to_check,
    shown,
    shown_page,
    targets_on,
)

LARGEST_FILE = 50 * 1024 * 1024
JOBS_SHOWN = 3


@login_required
@require_GET
def preparation(request: HttpRequest, slug: str) -> HttpResponse:
    """The lists of a study by state, with counts."""
    study = get_study(request.user, slug, Role.EDITOR)
    return _overview(request, study, FileForm())


def _overview(
    request: HttpRequest, study: Study, file_form: FileForm, status: int = 200
) -> HttpResponse:
    lists = lists_to_prepare(study)
    names = [(one.key, f"{one.block.key}: {one.prepared.title}") for one in lists]
    filters = FilterForm(names, request.GET)
    page = shown_page(study, filters, request.GET.get("page"))
    missing = filters.chosen_state == FilterForm.MISSING
    jobs = study.jobs.filter(kind=PROPOSE_LISTS.name).defer("outcome").order_by("-pk")
    context = {
        "study": study,
        "counts": preparation_counts(study),
        "unprepared": unprepared(study),
        "jobs": jobs[:JOBS_SHOWN],
        "filters": filters,
        "state": filters.chosen_state,
        "page": page,
        "query": f"state={filters.chosen_state}&list={filters.chosen_list}",
        "chosen": chosen_list(study, filters.chosen_list),
        "targets": targets_on(page) if missing else [],
        "lists": [] if missing else [shown(row) for row in page],
        "file_form": file_form,
    }
    return render(request, "desk/preparation.html", context, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def prepared_list(request: HttpRequest, slug: str, list_id: int) -> HttpResponse:
    """One list: its texts, a form while it is proposed, and where it is from."""
    study = get_study(request.user, slug, Role.EDITOR)
    rows = study.preparations.with_names()
    row = get_object_or_404(rows, pk=list_id)
    form = EntriesForm(row, request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound and not form.is_valid():
        status = 422
    elif form.is_bound:
        try:
            messages.success(request, decide(row, form, request.POST, by=account(request)))
            return redirect("desk:prepared-list", slug, next_to_check(row).pk)
        except JustChanged:
            row, status = rows.get(pk=list_id), 409
            form = EntriesForm(row, {**request.POST.dict(), "version": str(row.version)})
            messages.error(
                request, _("Somebody else changed this list; your version is not saved yet.")
            )
        except ValueError as error:
            row, status = rows.get(pk=list_id), 422
            messages.error(request, str(error))
    context = context_of(row) | {"form": form, "conflict": status == 409}
    return render(request, "desk/prepared_list.html", context, status=status)


@login_required
@require_POST
def reopen_list(request: HttpRequest, slug: str, list_id: int) -> HttpResponse:
    """Let a decided list be edited again."""
    study = get_study(request.user, slug, Role.EDITOR)
    row = get_object_or_404(study.preparations.with_names(), pk=list_id)
    try:
        reopen(preparation=row, version=row.version, by=account(request))
    except ValueError as error:
        messages.error(request, str(error))
    return redirect("desk:prepared-list", slug, list_id)


@login_required
@require_POST
def accept_shown(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept the lists that a page showed, each for itself, as it was shown."""
    study = get_study(request.user, slug, Role.EDITOR)
    total, n_accepted = Applied(), 0
    for row, version in _seen(study, request.POST.getlist("seen")):
        try:
            applied = accept(
                preparation=row, version=version, by=account(request), now=timezone.now()
            )
        except ValueError as error:
            messages.error(request, str(error))
        else:
            n_accepted += 1
            total.add(applied)
    if n_accepted:
        text = ngettext(
            "%(n)s list is accepted: %(what)s.", "%(n)s lists are accepted: %(what)s.", n_accepted
        )
        messages.success(request, text % {"n": n_accepted, "what": total})
    return redirect("desk:preparation", slug)


def _seen(study: Study, posted: list[str]) -> list[tuple[Preparation, int]]:
    """The lists that were shown, with the version of each."""
    matches = [re.fullmatch(r"(\d{1,18}):(\d{1,9})", text) for text in posted]
    versions = {int(match[1]): int(match[2]) for match in matches if match}
    rows = study.preparations.with_names().filter(pk__in=versions).order_by("pk")
    return [(row, versions[row.pk]) for row in rows]


@login_required
@require_POST
def write_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a list by hand, and go to its page."""
    study = get_study(request.user, slug, Role.EDITOR)
    chosen = chosen_list(study, request.POST.get("list", ""))
    if chosen is None:
        return redirect("desk:preparation", slug)
    target = _target(study, request.POST)
    if target is None:
        messages.error(request, _("There is nothing with that name."))
        return redirect("desk:preparation", slug)
    try:
        row = begin_list(block=chosen.block, target=target, by=account(request))
    except ValueError as error:
        messages.error(request, str(error))
        return redirect("desk:preparation", slug)
    return redirect("desk:prepared-list", slug, row.pk)


def _target(study: Study, posted: Mapping[str, str]) -> Target | None:
    """The item or source that a form names."""
    if item := study.items.select_related("source").filter(key=posted.get("item", "")).first():
        return Target(item.source, item)
    source = study.sources.filter(key=posted.get("source", "")).first()
    return None if source is None else Target(source)


@login_required
@require_GET
def list_file(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The lists as a file; with `missing`, what has none, to be written."""
    study = get_study(request.user, slug, Role.EDITOR)
    missing = "missing" in request.GET
    response = StreamingHttpResponse(
        list_lines(study, missing=missing), content_type="application/x-ndjson"
    )
    name = f"{study.slug}-{'missing-' if missing else ''}lists.jsonl"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@login_required
@require_POST
def upload_lists(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a file of lists in, all of it or nothing."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = FileForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            taken = _take(study, form, by=account(request))
        except ImportFailure as error:
            form.add_error("file", str(error))
        else:
            messages.success(request, str(taken))
            return redirect("desk:preparation", slug)
    return _overview(request, study, form, status=422)


def _take(study: Study, form: FileForm, *, by: User) -> FileOutcome:
    file: UploadedFile[Any] = form.cleaned_data["file"]
    if (file.size or 0) > LARGEST_FILE:
        raise ImportFailure(file.name or "file", "file", "larger than 50 MB")
    with NamedTemporaryFile(suffix=".jsonl") as copy:
        for chunk in file.chunks():
            copy.write(chunk)
        copy.flush()
        about: dict[str, Any] = {"study": study, "path": Path(copy.name), "name": file.name}
        accepting = form.cleaned_data["accept"]
        return take_lists(**about, by=by, now=timezone.now(), accepting=accepting)
