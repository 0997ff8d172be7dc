"""What a paper takes from the results, and results shared with readers who are no members."""

from collections.abc import Mapping, Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_study, may
from annotation.middleware.security_policy import allow_sources
from annotation.models import Study
from annotation.views.downloads import as_download
from estimates.report.cache import Report
from estimates.report.newest import newest_report
from results.dashboard.panels import Drawing
from results.figures.elements import EMPTY
from results.paper.material import (
    PaperFigure,
    figures_of,
    first_tables,
    questions_of,
    tables_of,
    texts_of,
)
from results.paper.shared.links import NotClosed, make_link, page_by, revoke_link, standing_link
from results.paper.shared.page import may_be_shared, page_of_results, style_source
from results.tables.choice import PageFilter
from results.tables.commands import command_line
from results.views.dashboard import figures_now, frame_of, narrowed, still_counting

HTML = "text/html; charset=utf-8"
TABLE_FILES = {"tex": "LaTeX", "md": "Markdown", "csv": "CSV"}.items()
VECTOR_FILES = {"svg": "SVG", "pdf": "PDF"}.items()


@login_required
@require_GET
def paper(request: HttpRequest, slug: str) -> HttpResponse:
    """Paragraphs, references, tables and figures, each to be copied or kept at once."""
    study = get_study(request.user, slug)
    newest = newest_report(study)
    if newest is None:
        return still_counting(request, study)
    report, choices, choice = narrowed(request, newest)
    texts, tables = texts_of(report), tables_of(report, choice)
    first = list(first_tables(report, choice, tables))
    figures = _drawn(report, choice, figures_of(report, choice))
    page = {
        **frame_of(request, report, choices, choice),
        "here": "paper",
        "title": _("Paper"),
        "texts": texts,
        "bibtex": texts.bibtex([each.table for each in first]),
        "first": first,
        "questions": list(questions_of(tables, figures)),
        "table_files": TABLE_FILES,
        "vector_files": VECTOR_FILES,
        **_sharing(request, report),
    }
    return render(request, "results/paper.html", page)


def _drawn(report: Report, choice: PageFilter, figures: Sequence[PaperFigure]) -> list[PaperFigure]:
    """Without those that are known to show nothing."""
    drawings: list[Drawing] = [figure.drawing for figure in figures]
    svgs = figures_now(report, choice, drawings)
    return [
        figure for figure in figures if not svgs.get(figure.drawing.query, "").startswith(EMPTY)
    ]


def _sharing(request: HttpRequest, report: Report) -> Mapping[str, object]:
    """The links of the study, for its owners."""
    study = report.study
    owns = may(request.user, study, Role.OWNER)
    return {
        "owns": owns,
        "may_be_shared": may_be_shared(study),
        "links": study.results_links.filter(revoked_at=None) if owns else (),
        "html_command": command_line(study.slug, report.options, "--html"),
    }


@login_required
@require_GET
def references(request: HttpRequest, slug: str) -> HttpResponse:
    """The works that the paragraphs and tables rest on, as BibTeX."""
    report = _newest(get_study(request.user, slug))
    text = texts_of(report).bibtex(tables_of(report, PageFilter()))
    answer = HttpResponse(text, content_type="application/x-bibtex; charset=utf-8")
    return as_download(answer, f"{slug}.bib")


@login_required
@require_GET
def page_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The results without names as one file."""
    report = _newest(get_study(request.user, slug))
    answer = HttpResponse(page_of_results(report), content_type=HTML)
    return as_download(answer, f"{slug}-results-r{report.revision}.html")


def _newest(study: Study) -> Report:
    report = newest_report(study)
    if report is None:
        raise Http404("Nothing has been counted yet.")
    return report


@login_required
@require_POST
def share(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link to the results of a closed study."""
    study = get_study(request.user, slug, Role.OWNER)
    try:
        make_link(study=study, by=account(request))
    except NotClosed:
        messages.warning(request, _("Close the study first: its figures may still change."))
    else:
        messages.success(request, _("Anyone with the link can read the results."))
    return redirect(f"{reverse('results:paper', args=[slug])}#share")


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str, link_id: int) -> HttpResponse:
    """Let nobody read by this link any more."""
    study = get_study(request.user, slug, Role.OWNER)
    if revoke_link(link=get_object_or_404(study.results_links, pk=link_id), by=account(request)):
        messages.success(request, _("The link no longer works."))
    return redirect(f"{reverse('results:paper', args=[slug])}#share")


@require_GET
@never_cache
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """The results by a link, for anybody who has it. Its styles are part of the page."""
    link = standing_link(token)
    if link is None:
        raise Http404("No such link.")
    report = newest_report(link.study)
    if report is None:
        answer = render(request, "results/shared_counting.html", status=202)
    else:
        answer = HttpResponse(page_by(link, report), content_type=HTML)
        allow_sources(answer, "style-src", (style_source(),))
    answer.headers["X-Robots-Tag"] = "noindex, nofollow"
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer
