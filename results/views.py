"""The pages on which people and machines meet."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from annotation.access import Role, get_role, get_study
from annotation.models import Study
from results.choosing import choices_of
from results.dashboard import sections_of
from results.drilldown import (
    PAGE,
    Behind,
    Found,
    UnknownParty,
    control_units,
    units_behind,
    with_texts,
)
from results.exporting.files import FORMATS, stream_archive
from results.figures import THEMES, draw
from results.groups import GROUP_KEYS
from results.newest import is_there_newer, newest_report
from results.options import Options
from results.plots import plot_of
from results.unit_page import context_of, unit_of
from results.wording import group_text, metric_title, party_title


@login_required
@require_GET
def dashboard(request: HttpRequest, slug: str) -> HttpResponse:
    study = get_study(request.user, slug)
    report = newest_report(study)
    if report is None:
        return _still_counting(request, study)
    choices = choices_of(report)
    choice = choices.pick(request.GET)
    role = get_role(request.user, study)
    page = {
        "study": study,
        "report": report,
        "choices": choices,
        "choice": choice,
        "counts": report.counts,
        "sections": sections_of(study, study.blocks.all(), report, choice),
        "formats": FORMATS if role is not None and role.may(Role.REVIEWER) else {},
    }
    return render(request, "results/dashboard.html", page)


@login_required
@require_GET
def as_of(request: HttpRequest, slug: str) -> HttpResponse:
    """Asked again and again by a page that waits for its figures or for newer ones: loads it anew
    when they are there."""
    study = get_study(request.user, slug)
    given = request.GET.get("revision", "")
    shown = int(given) if given.isdecimal() else None
    if is_there_newer(study, shown):
        return HttpResponse(headers={"HX-Refresh": "true"})
    return HttpResponse(status=204)  # htmx then leaves the page as it is


def _still_counting(request: HttpRequest, study: Study) -> HttpResponse:
    """A page whose figures nobody has computed yet."""
    return render(request, "results/counting.html", {"study": study}, status=202)


@login_required
@require_GET
def figure(request: HttpRequest, slug: str) -> HttpResponse:
    report = newest_report(get_study(request.user, slug))
    if report is None:
        raise Http404("Nothing has been counted yet.")
    choice = choices_of(report).pick(request.GET)
    plot = plot_of(report, request.GET.get("facet", ""), choice)
    if plot is None:
        raise Http404("There is nothing to draw.")
    theme = THEMES.get(request.GET.get("theme", ""), THEMES["light"])
    return HttpResponse(draw(plot, theme), content_type="image/svg+xml")


@login_required
@require_GET
def units(request: HttpRequest, slug: str) -> HttpResponse:
    study = get_study(request.user, slug)
    behind = _behind(request)
    found = _found(study, behind)
    if found is None:
        return _still_counting(request, study)
    page = Paginator(found.lines, PAGE).get_page(request.GET.get("page"))
    shown = {
        "study": study,
        "behind": behind,
        "who": party_title(behind.raters),
        "part": group_text(behind.group),
        "page": page,
        "lines": with_texts(list(page.object_list)),
        "query": urlencode({n: value for n, value in request.GET.items() if n != "page"}),
        "measured": metric_title("mean" if any(one.mean is not None for one in page) else "f1"),
        "found": found,
        "counted_at": found.counted_at or timezone.now(),
    }
    return render(request, "results/units.html", shown)


def _behind(request: HttpRequest) -> Behind:
    given = request.GET
    return Behind(
        facet=given.get("facet", ""),
        raters=given.get("raters", ""),
        group={key: given[key] for key in GROUP_KEYS if given.get(key)},
        controls="controls" in given,
    )


def _found(study: Study, behind: Behind) -> Found | None:
    find = control_units if behind.controls else units_behind
    try:
        return find(study, behind, Options())
    except KeyError as unknown:
        raise Http404("No such facet in this study.") from unknown
    except UnknownParty as unknown:
        raise Http404(f"No answers of {unknown} in this study.") from unknown


@login_required
@require_GET
def unit(request: HttpRequest, slug: str, unit_id: int) -> HttpResponse:
    study = get_study(request.user, slug)
    found = unit_of(study, unit_id)
    if found is None:
        raise Http404("No such unit in this study.")
    return render(
        request,
        "results/unit.html",
        {"study": study, "now": timezone.now(), **context_of(found)},
    )


@login_required
@require_GET
def export(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = get_study(request.user, slug, Role.REVIEWER)
    name = request.GET.get("format", "")
    if name not in FORMATS:
        raise Http404("No such format.")
    return StreamingHttpResponse(
        stream_archive(study, name),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{study.slug}-{name}.zip"'},
    )
