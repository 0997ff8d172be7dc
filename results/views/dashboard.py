"""The dashboard of a study, its figures and tables as files, and exports."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from annotation.access import Role, get_role, get_study
from annotation.models import Study
from judges.models import JudgeRun
from results.dashboard import drawings_of, find_panel, page_of, sections_of, with_figures
from results.dashboard.panels import Page
from results.exporting.files import FORMATS, stream_archive
from results.figures.captions import described
from results.figures.files import FORMATS as FIGURES
from results.figures.files import THEMES, draw
from results.figures.kept import figures_for
from results.figures.requests import Easel
from results.report.cache import Report
from results.report.newest import is_there_newer, newest_report
from results.tables.choice import Choice, Choices, choices_for, chosen_report, has_figures
from results.tables.files import as_csv, as_latex
from results.tables.origin import origin_of

# What a figure can be kept as.
FILES = {"svg": "SVG", "png": "PNG", "pdf": "PDF", "csv": "CSV", "tex": "LaTeX"}.items()
TABLES = {
    "csv": ("text/csv; charset=utf-8", as_csv),
    "tex": ("text/x-tex; charset=utf-8", as_latex),
}


@login_required
@require_GET
def dashboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Every figure of a study, by the questions they answer."""
    study = get_study(request.user, slug)
    newest = newest_report(study)
    if newest is None:
        return still_counting(request, study)
    report, choices, choice = _narrowed(request, newest)
    role = get_role(request.user, study)
    sections = sections_of(_page(report, choice))
    figures = figures_for(report, choice, [one.query for one in drawings_of(sections)])
    page = {
        "study": study,
        "report": report,
        "live": _is_live(study),
        "choices": choices,
        "choice": choice,
        "known": has_figures(report, choice),
        "query": urlencode(choice.asked),
        "figure_files": FILES,
        "counts": report.counts,
        "sections": with_figures(sections, figures),
        "formats": FORMATS if role is not None and role.may(Role.REVIEWER) else {},
    }
    return render(request, "results/dashboard.html", page)


def _is_live(study: Study) -> bool:
    """Whether answers may come in while somebody looks."""
    open_ = study.state == Study.State.OPEN
    return open_ or study.judge_runs.exclude(state__in=JudgeRun.ENDED).exists()


def _narrowed(request: HttpRequest, newest: Report) -> tuple[Report, Choices, Choice]:
    """The report that was asked for, and what may be asked for."""
    choices = choices_for(newest.study, newest)
    choice = choices.pick(request.GET)
    return chosen_report(newest, choice), choices, choice


def _page(report: Report, choice: Choice) -> Page:
    return page_of(report.study, list(report.study.blocks.all()), report, choice)


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


def still_counting(request: HttpRequest, study: Study) -> HttpResponse:
    """A page whose figures nobody has computed yet."""
    return render(request, "results/counting.html", {"study": study}, status=202)


def _counted(request: HttpRequest, slug: str) -> tuple[Report, Choice]:
    """The narrowed report, for what a page only links to."""
    newest = newest_report(get_study(request.user, slug))
    if newest is None:
        raise Http404("Nothing has been counted yet.")
    report, _choices, choice = _narrowed(request, newest)
    return report, choice


@login_required
@require_GET
def figure(request: HttpRequest, slug: str) -> HttpResponse:
    """One figure as SVG, PNG or PDF, or the table of its numbers."""
    report, choice = _counted(request, slug)
    easel, asked = Easel(report, choice), request.GET.dict()
    plot = easel.plot(asked)
    wanted = request.GET.get("format", "svg")
    if plot is None or wanted not in (*FIGURES, *TABLES):
        raise Http404("There is nothing to draw.")
    origin = origin_of(report, choice)
    named = [asked.get(key, "") for key in ("facet", "kind", "judge")]
    name = "-".join([slug, *filter(None, map(slugify, named)), origin.tag])
    if wanted in TABLES:
        kind, write = TABLES[wanted]
        return as_file(write(easel.grid(plot, asked), origin), kind, f"{name}.{wanted}")
    theme = THEMES.get(request.GET.get("theme", ""), THEMES["light"])
    title, text = easel.words(asked)
    text = f"{described(text, plot)} {origin.text}."
    drawn = draw(plot, theme, kind=wanted, title=title, text=text)
    if "format" in request.GET:
        return as_file(drawn, FIGURES[wanted], f"{name}.{wanted}")
    # An address with a revision always means the same figure.
    kept = {"Cache-Control": "private, max-age=86400"} if "r" in request.GET else {}
    return HttpResponse(drawn, content_type=FIGURES[wanted], headers=kept)


@login_required
@require_GET
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """One table of the page as a file."""
    report, choice = _counted(request, slug)
    wanted, key = request.GET.get("format", ""), request.GET.get("panel", "")
    panel = find_panel(_page(report, choice), key)
    if panel is None or wanted not in TABLES:
        raise Http404("No such table.")
    kind, write = TABLES[wanted]
    origin = origin_of(report, choice, whole=panel.whole)
    return as_file(write(panel.grid, origin), kind, f"{slug}-{panel.key}-{origin.tag}.{wanted}")


def as_file(content: str | bytes, kind: str, name: str) -> HttpResponse:
    """Something to be kept, under that name."""
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": disposition})


@login_required
@require_GET
def export(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The study as an archive, for who may take its answers along."""
    study = get_study(request.user, slug, Role.REVIEWER)
    name = request.GET.get("format", "")
    if name not in FORMATS:
        raise Http404("No such format.")
    return StreamingHttpResponse(
        stream_archive(study, name),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{study.slug}-{name}.zip"'},
    )
