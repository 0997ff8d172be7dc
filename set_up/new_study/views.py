"""New study: what it begins with, what is asked, its texts and rules."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.backends import MAKE_STUDIES
from annotation.access import Role, account, get_study
from annotation.middleware.security_policy import allow_sources
from annotation.models import Study
from files.errors import ImportFailure
from imports.study_file.judge_entries import entry_name
from set_up.imports.jobs import ask_for_import, import_under_way
from set_up.imports.local_files import local_files, may_import_locally
from set_up.models import NewStudy
from set_up.new_study.beginnings import kinds, purposes
from set_up.new_study.drafts import (
    begin_from_file,
    begin_from_study,
    begin_from_template,
    change_draft,
    finish_draft,
    is_large,
)
from set_up.new_study.file_forms import FilesForm, with_slug
from set_up.new_study.forms import (
    COPY,
    TEMPLATE,
    TOOL,
    AskedForm,
    OriginForm,
    TextsForm,
)
from set_up.new_study.previews import LOOKED_AT, drawn, preview, refuse_empty
from set_up.steps.views import shown_texts

LARGEST_STUDY_FILE = 2 * 1024 * 1024


def get_draft(request: HttpRequest, draft_id: int) -> NewStudy:
    """The draft, for whoever began it; for others there is none."""
    need_permission(request)
    return get_object_or_404(NewStudy, pk=draft_id, owner=account(request))


def unless_importing(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """While the study of a draft is being made, its pages lead to the page of that import."""

    @wraps(view)
    def shown(request: HttpRequest, draft_id: int = 0, **kwargs: Any) -> HttpResponse:
        job = import_under_way(draft_id)
        if job is None or job.owner_id != account(request).pk:
            return view(request, draft_id, **kwargs)
        return redirect("desk:import", job.pk)

    return shown


def need_permission(request: HttpRequest) -> None:
    """PermissionDenied for accounts that may not make studies."""
    if not account(request).has_perm(MAKE_STUDIES):
        raise PermissionDenied(_("Ask the operator for permission to create studies."))


@login_required
@require_http_methods(["GET", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """What a new study begins with: a purpose, a kind of question, a study, a study file, or files
    of another tool."""
    need_permission(request)
    studies = Study.objects.filter(
        members__user=account(request), members__role__in=[Role.OWNER, Role.EDITOR]
    ).order_by("title")
    form = OriginForm(studies, request.POST or None, request.FILES or None)
    if form.is_bound and form.is_valid():
        if form.cleaned_data["origin"] == TOOL:
            return redirect("desk:new-study-tool", form.cleaned_data["tool"])
        try:
            return redirect(_begun(request, form.cleaned_data).address)
        except ImportFailure as failure:
            form.add_error("file", str(failure))
    files = FilesForm(offered_files(request))
    context = {"form": form, "files": files, "limit": settings.UPLOAD_MIB}
    context |= {"purposes": purposes(), "kinds": kinds()}
    return _page(request, "desk/new_study/start.html", context, form)


def offered_files(request: HttpRequest) -> list[tuple[str, int]]:
    """(path, bytes) of the files on the server that the account may take."""
    return local_files() if may_import_locally(account(request)) else []


def _begun(request: HttpRequest, data: dict[str, Any]) -> NewStudy:
    user = account(request)
    if data["origin"] == TEMPLATE:
        return begin_from_template(by=user, slug=data["kind"])
    if data["origin"] == COPY:
        return _copied(request, get_study(user, data["study"].slug, Role.EDITOR))
    if data["file"].size > LARGEST_STUDY_FILE:
        raise ImportFailure(data["file"].name, "file", "larger than 2 MiB")
    try:
        text = data["file"].read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportFailure(data["file"].name, "encoding", "not UTF-8") from error
    return begin_from_file(by=user, text=text)


def _copied(request: HttpRequest, study: Study) -> NewStudy:
    draft = begin_from_study(by=account(request), study=study)
    kept = {entry_name(entry) for entry in draft.keys["judges"]}
    names = [name for name in map(entry_name, study.judges) if name not in kept]
    if names:
        reason = "they name files of the server, which only the command line can."
        messages.warning(request, f"Not copied with the judges: {', '.join(names)}; {reason}")
    return draft


def _is_block(entry: Any) -> bool:
    """Whether a block of the draft can be worded by a form."""
    try:
        AskedForm(entry)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return False
    return True


@login_required
@require_GET
def unit(request: HttpRequest, draft_id: int, number: int) -> HttpResponse:
    """One of the first units as a worker sees it; the page of texts shows it in a frame."""
    draft = get_draft(request, draft_id)
    units = preview(draft).units
    if number >= len(units):
        raise Http404("No such unit.")
    key, questions = units[number]
    kinds = [question.block.task_type for question in questions]
    context = {
        "key": key,
        "parts": drawn(questions, draft.keys.get("text_form", "plain")),
        "styles": list(dict.fromkeys(file for kind in kinds for file in kind.styles)),
        "scripts": list(dict.fromkeys(file for kind in kinds for file in kind.scripts)),
        "study": {"title": draft.keys.get("title") or "Preview"},
    }
    response = render(request, "desk/new_study/unit.html", context)
    allow_sources(response, "frame-ancestors", ("'self'",))
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@login_required
@require_GET
def skipped_rows(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Every row of the files that does not fit, as it stands there, with the reason; of large
    ones the first alone, since its import lists them all."""
    draft = get_draft(request, draft_id)
    shown = preview(draft, limit=LOOKED_AT if is_large(draft) else None)
    response = HttpResponse(shown.copies, content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="skipped.jsonl"'
    return response


@login_required
@require_http_methods(["GET", "POST"])
@unless_importing
def texts(request: HttpRequest, draft_id: int) -> HttpResponse:
    """What is asked, title, texts and rules; with them the study is made."""
    draft = get_draft(request, draft_id)
    data = with_slug(request.POST) if request.method == "POST" else None
    form, asked = TextsForm(draft.keys, draft.skip_unusable, data), _asked(draft, data)
    failure = ""
    if form.is_bound:
        draft.skip_unusable = bool(form.data.get("skip_unusable"))
        worded = {"blocks": [asked.worded]} if asked else {}
        change_draft(draft=draft, keys={**form.typed, **worded})
        fits = form.is_valid() and (asked is None or asked.is_valid())
        if fits and request.POST.get("go") == "make":
            try:
                refuse_empty(draft)
                return _made(request, draft)
            except ImportFailure as refused:
                failure = str(refused)
    context = {
        "draft": draft,
        "form": form,
        "asked": asked,
        "failure": failure,
        "preview": preview(draft) if draft.names else None,
        "shown": shown_texts(form),
        "large": is_large(draft),
    }
    page = "desk/new_study/texts.html"
    return _page(request, page, context, form, asked, failed=bool(failure))


def _asked(draft: NewStudy, data: Any) -> AskedForm | None:
    """The words of the question, where a draft asks one and a form can word it."""
    blocks = draft.keys.get("blocks") or []
    return AskedForm(blocks[0], data) if len(blocks) == 1 and _is_block(blocks[0]) else None


def _made(request: HttpRequest, draft: NewStudy) -> HttpResponse:
    if is_large(draft):
        return redirect("desk:import", ask_for_import(draft=draft, by=account(request)).pk)
    study, skipped = finish_draft(draft=draft, by=account(request))
    messages.success(request, "A draft study was created. Only you can see it.")
    if skipped.listed:
        n = len(skipped.listed)
        messages.warning(request, f"Rows left out: {n}. The page Set-up lists them.")
    return redirect("desk:set-up", study.slug)


@login_required
@require_POST
@unless_importing
def drop(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Give a draft up."""
    get_draft(request, draft_id).delete()
    messages.success(request, "The draft is removed.")
    return redirect("desk:home")


def _page(
    request: HttpRequest, template: str, context: dict[str, Any], *forms: Any, failed: bool = False
) -> HttpResponse:
    refused = failed or any(form is not None and form.errors for form in forms)
    return render(request, template, context, status=422 if refused else 200)
