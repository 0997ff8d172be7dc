"""The change log of a study: a page, and files of it."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.access import Role, get_study
from annotation.views.downloads import as_download
from desk.monitoring.audit.changes import FORMS, chosen_changes, file_of, lines_of
from desk.monitoring.audit.forms import ChangeFilterForm

PAGE = 50


@login_required
@require_GET
def changes(request: HttpRequest, slug: str) -> HttpResponse:
    """Who changed what, newest first."""
    study = get_study(request.user, slug, Role.EDITOR)
    form = ChangeFilterForm(study, request.GET)
    rows = chosen_changes(study, **form.filters)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "study": study,
        "form": form,
        "page": page,
        "lines": lines_of(page),
        "query": query.urlencode(),
        "filtered": any(form.filters.values()),
    }
    return render(request, "desk/changes.html", context)


@login_required
@require_GET
@never_cache
def change_file(request: HttpRequest, slug: str, form: str) -> StreamingHttpResponse:
    """What the page shows, all of it, as CSV or JSON lines."""
    study = get_study(request.user, slug, Role.EDITOR)
    if form not in FORMS:
        raise Http404("No such format.")
    rows = chosen_changes(study, **ChangeFilterForm(study, request.GET).filters)
    response = StreamingHttpResponse(file_of(rows, form), content_type=FORMS[form])
    return as_download(response, f"{study.slug}-changes.{form}")
