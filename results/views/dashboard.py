"""The dashboard of a study, its figures and tables as files, and exports."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from annotation.access import Role, account, get_study
from annotation.models import Rater, Study, log_change
from annotation.views.downloads import as_download
from annotation.views.htmx import HtmxRequest
from estimates.report.cache import Report, report_of
from estimates.report.live import as_shown
from estimates.report.main_facet import main_facet
from estimates.report.newest import is_quick, is_small, is_there_newer, newest_report
from exports.choice import choice_in, unknown_in
from exports.files import stream_archive
from exports.formats import FORMATS
from exports.tables.answers import imported_names
from judges.models import JudgeRun
from results.dashboard import (
    drawings_of,
    drawn,
    everything,
    find_panel,
    metrics_of,
    page_of,
    sections_of,
    with_figures,
)
from results.dashboard.panels import Drawing, Page, Tab
from results.dashboard.tabs import LEADS, MISSING_REASONS, TITLES, of_facet, parts_of
from results.figures.captions import described
from results.figures.elements import figure_element, figures_for
from results.figures.files import FORMATS as FIGURES
from results.figures.files import THEMES, draw
from results.figures.plots import Plot
from results.figures.requests import Plotter
from results.reading.answer import CardAnswer
from results.reading.cautions import intervals_text, standing_text
from results.reading.people_sentences import answer_about_people
from results.reading.rows import FacetRows
from results.reading.system_sentences import answer_about_systems
from results.tables.choice import PageFilter, PageFilters, choices_for, chosen_report, has_figures
from results.tables.formats import TABLES
from results.tables.origin import origin_of
from results.views.rater_groups import may_group, may_see_people, ungrouped, with_rater_groups
from tasktypes.facets import Facet

SIMULATED = Rater.Kind.SIMULATED
# Those of judges stand beside their tables.
ANSWERS = {Tab.PEOPLE: answer_about_people, Tab.SYSTEMS: answer_about_systems}
# The file formats of figures.
FILES = {"svg": "SVG", "png": "PNG", "pdf": "PDF", "csv": "CSV", "tex": "LaTeX"}.items()


@login_required
@require_GET
def dashboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Every figure of a study, by the questions they answer."""
    study = get_study(request.user, slug)
    newest = newest_report(study)
    if newest is None:
        return still_counting(request, study)
    report, choices, choice = narrowed(request, with_rater_groups(request, newest))
    sections = everything(sections_of(_page(report, choice)))
    figures = figures_now(report, choice, drawings_of(sections))
    parts = [part for section in sections for part in section.parts]
    page = {
        **frame_of(request, report, choices, choice),
        "ungrouped": ungrouped(request, report),
        "sections": with_figures(sections, figures),
        "helps": metrics_of(parts),
    }
    return render(request, "results/dashboard.html", page)


@login_required
@require_GET
def tab(request: HttpRequest, slug: str, tab: Tab) -> HttpResponse:
    """The tables and figures of one facet that stand on a tab."""
    study = get_study(request.user, slug)
    newest = newest_report(study)
    if newest is None:
        return still_counting(request, study)
    report, choices, choice = narrowed(request, with_rater_groups(request, newest))
    page = _page(report, choice)
    facet = main_facet(page.all_facets, study, report.rows, request.GET.get("facet", ""))
    narrow = of_facet(page, facet)
    parts = parts_of(narrow, sections_of(narrow), tab)
    drawings = [drawing for part in parts for drawing in part.drawings]
    shown = {
        **frame_of(request, report, choices, choice),
        "ungrouped": ungrouped(request, report),
        "here": tab,
        "title": TITLES[tab],
        "answer": answer_of(tab, report, facet, choice),
        "lead": LEADS[tab],
        "missing_reason": MISSING_REASONS.get(tab, _("There are no answers yet.")),
        "facets": page.all_facets if len(page.all_facets) > 1 else (),
        "facet": facet,
        "parts": drawn(parts, figures_now(report, choice, drawings)),
        "helps": metrics_of(parts),
    }
    return render(request, "results/tab.html", shown)


def answer_of(
    tab: Tab, report: Report, facet: Facet | None, choice: PageFilter
) -> CardAnswer | None:
    """What the first screen answers to the question of a tab; None for a part of the study."""
    if facet is None or tab not in ANSWERS or choice.asked:
        return None
    return ANSWERS[tab](FacetRows(facet, report.rows, report.versions))


def figures_now(report: Report, choice: PageFilter, drawings: Sequence[Drawing]) -> dict[str, str]:
    """The figures of a study that is counted quickly, by their query. Those of others are loaded
    one by one, when they come into view."""
    if not is_quick(report.study, report):
        return {}
    return figures_for(Plotter(report, choice), [drawing.query for drawing in drawings])


def formats_for(request: HttpRequest, study: Study) -> Mapping[str, object]:
    """The formats that the reader may export the study in."""
    return FORMATS if may_see_people(request, study) else {}


def frame_of(
    request: HttpRequest, report: Report, choices: PageFilters, choice: PageFilter
) -> dict[str, object]:
    """What every page of results has around its tables: filters, counts, and the ways to export."""
    study = report.study
    return {
        "study": study,
        "report": report,
        "live": is_live(study),
        "choices": choices,
        "choice": choice,
        "intervals": " ".join([standing_text(report.standing), intervals_text(report.options)]),
        "known": has_figures(report, choice),
        "query": urlencode(choice.asked),
        "figure_files": FILES,
        "counts": [count for count in report.counts if count.answers or count.kind != SIMULATED],
        "formats": formats_for(request, study),
        "imported_names": imported_names(study),
        "may_group": may_group(request, study),
    }


def is_live(study: Study) -> bool:
    """Whether answers may come in while the page is open."""
    open_ = study.state == Study.State.OPEN
    runs = study.judge_runs.filter(probe_set=None).exclude(state__in=JudgeRun.ENDED)
    return open_ or runs.exists()


def narrowed(request: HttpRequest, newest: Report) -> tuple[Report, PageFilters, PageFilter]:
    """The report that was asked for, and what may be asked for."""
    choices = choices_for(newest.study, newest)
    choice = choices.pick(request.GET)
    return chosen_report(newest, choice), choices, choice


def _page(report: Report, choice: PageFilter) -> Page:
    return page_of(report.study, list(report.study.blocks.all()), report, choice)


@login_required
@require_GET
def as_of(request: HttpRequest, slug: str) -> HttpResponse:
    """Polled by a page that waits for its figures or for newer ones: reloads the page
    when they are there."""
    study = get_study(request.user, slug)
    revision = request.GET.get("revision", "")
    shown = int(revision) if revision.isdecimal() else None
    if is_there_newer(study, shown):
        return HttpResponse(headers={"HX-Refresh": "true"})
    return HttpResponse(status=204)  # htmx then leaves the page as it is


def still_counting(request: HttpRequest, study: Study) -> HttpResponse:
    """A page whose figures have not been computed yet."""
    return render(request, "results/counting.html", {"study": study}, status=202)


def _counted(request: HttpRequest, slug: str) -> tuple[Report, PageFilter]:
    """The narrowed report, for what a page only links to. A file of a small study is waited for."""
    study = get_study(request.user, slug)
    newest = newest_report(study)
    if newest is None and is_small(study):
        newest = as_shown(report_of(study))
    if newest is None:
        raise Http404("Nothing has been counted yet.")
    report, _choices, choice = narrowed(request, with_rater_groups(request, newest))
    return report, choice


@login_required
@require_GET
@vary_on_headers("HX-Request")
def figure(request: HtmxRequest, slug: str) -> HttpResponse:
    """One figure as SVG, PNG or PDF, or the table of its numbers; htmx gets a part of a page."""
    report, choice = _counted(request, slug)
    plotter, parameters = Plotter(report, choice), request.GET.dict()
    plot = plotter.plot(parameters)
    wanted = request.GET.get("format", "svg")
    if plot is None or wanted not in (*FIGURES, *TABLES):
        raise Http404("There is nothing to draw.")
    if "format" not in parameters:
        return _shown_figure(request, plotter, plot, parameters)
    origin = origin_of(report, choice)
    named = [parameters.get(key, "") for key in ("facet", "kind", "judge")]
    name = "-".join([slug, *filter(None, map(slugify, named)), origin.tag])
    if wanted in TABLES:
        form = TABLES[wanted]
        text = form.write(plotter.grid(plot, parameters), origin)
        table = HttpResponse(text, content_type=form.kind)
        return as_download(table, f"{name}.{wanted}")
    drawn = _drawn(plotter, plot, parameters, wanted)
    return as_download(HttpResponse(drawn, content_type=FIGURES[wanted]), f"{name}.{wanted}")


def _shown_figure(
    request: HtmxRequest, plotter: Plotter, plot: Plot, parameters: dict[str, str]
) -> HttpResponse:
    """The figure as a page shows it: loaded into it by htmx, or as an image of its own."""
    if request.htmx:
        parameters = {key: name for key, name in parameters.items() if key != "r"}
        alt = described(plotter.words(parameters)[1], plot)
        query = urlencode(parameters)
        shown = {"element": figure_element(plotter, query), "query": query, "alt": alt}
        answer = render(request, "results/_figure.html", {**shown, "study": plotter.report.study})
    else:
        answer = HttpResponse(_drawn(plotter, plot, parameters, "svg"), content_type=FIGURES["svg"])
    if "r" in request.GET:  # an address with a revision always means the same figure
        answer["Cache-Control"] = "private, max-age=86400"
    return answer


def _drawn(plotter: Plotter, plot: Plot, parameters: dict[str, str], kind: str) -> bytes:
    theme = THEMES.get(parameters.get("theme", ""), THEMES["light"])
    title, text = plotter.words(parameters)
    text = f"{described(text, plot)} {origin_of(plotter.report, plotter.choice).text}."
    return draw(plot, theme, kind=kind, title=title, text=text)


@login_required
@require_GET
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """One table of the page as a file."""
    report, choice = _counted(request, slug)
    wanted, key = request.GET.get("format", ""), request.GET.get("panel", "")
    panel = find_panel(_page(report, choice), key)
    if panel is None or wanted not in TABLES:
        raise Http404("No such table.")
    form = TABLES[wanted]
    origin = origin_of(report, choice, whole=panel.whole, key=panel.key, form=form.option)
    answer = HttpResponse(form.write(panel.alone, origin), content_type=form.kind)
    return as_download(answer, f"{slug}-{panel.key}-{origin.tag}.{wanted}")


@login_required
@require_GET
def export(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The study as an archive, for those who may export its answers."""
    study = get_study(request.user, slug, Role.REVIEWER)
    name = request.GET.get("format", "")
    choice = choice_in(request.GET.dict())
    if name not in FORMATS or unknown_in(choice, study):
        raise Http404("No such format, or no such part of the study.")
    log_change(study=study, by=account(request), action="export.downloaded", subject=name)
    pieces = stream_archive(study, name, choice=choice)
    archive = StreamingHttpResponse(pieces, content_type="application/zip")
    return as_download(archive, f"{study.slug}-{name}.zip")
