"""One page with a study's results: cards and figures of every facet, and nothing that leads
anywhere else, so that it opens offline."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from django.db.models import Count, Min
from django.template.loader import render_to_string

from annotation.models import Study
from estimates.models import KeptRatings
from estimates.report.cache import Report
from judges.runs.provenance import code_version
from results.dashboard import page_of, sections_of
from results.dashboard.panels import Drawing, Tab
from results.dashboard.tabs import of_facet
from results.figures.elements import EMPTY, element_of, figure_element
from results.figures.requests import Plotter
from results.paper.shared.names import new_names, without_names
from results.summary.cards import Card
from results.summary.screen import Screen, screen_of
from results.tables.choice import PageFilter
from tasktypes.facets import Facet
from workbench.cards.offline import style_sheets

STYLES = ("tokens", "base", "badge", "message", "figure", "summary", "shared")
TABS = (Tab.PEOPLE, Tab.JUDGES, Tab.SYSTEMS)
# Characters of figures in one page, which is to stay below two megabytes.
LARGEST = 1_500_000


@dataclass(frozen=True)
class SharedCard:
    """A card with its figure as an element; key: its id on the page."""

    card: Card
    key: str
    svg: str


@dataclass(frozen=True)
class SharedFacet:
    """What is shown of one facet. title: empty where the study has one alone. left_out: figures
    that are not there."""

    key: str
    title: str
    cards: Sequence[SharedCard]
    notes: Sequence[str] = ()
    drawings: Sequence[Drawing] = ()
    left_out: int = 0


def may_be_shared(study: Study) -> bool:
    """Whether nobody answers any more."""
    return study.state == Study.State.CLOSED or study.is_finished_data


def page_of_results(report: Report) -> str:
    """The page as HTML, styles and figures included."""
    names = new_names(report.study)
    report = without_names(report, names)
    plotter = Plotter(report, PageFilter(), names)
    facets = _within(list(_facets(report, plotter)))
    shown = {
        "study": report.study,
        "report": report,
        "facets": facets,
        "left_out": sum(facet.left_out for facet in facets),
        "style": styles(),
        "program": code_version(),
        "counts": [count for count in report.counts if count.answers],
    }
    return render_to_string("results/shared.html", shown)


def page_key(report: Report) -> str:
    """The same for reports that give the same page, and the ratings that its figures are from."""
    study = report.study
    kept = KeptRatings.objects.filter(study=study).aggregate(n=Count("pk"), at=Min("revision"))
    about = [study.title, study.slug, study.state, str(report.revision), report.options.hash]
    about += [f"{kept['n']} {kept['at']}", study.caution]
    return hashlib.sha256("\n".join([*about, code_version(), styles()]).encode()).hexdigest()


@cache
def styles() -> str:
    """The style sheets of the page, without fonts."""
    return style_sheets(*STYLES)


@cache
def style_source() -> str:
    """What a security policy allows this style element by."""
    digest = hashlib.sha256(styles().encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _facets(report: Report, plotter: Plotter) -> Iterator[SharedFacet]:
    study = report.study
    first = screen_of(study, report)
    if first.facet is None:
        yield SharedFacet("all", "", _cards(first, None), first.notes)
        return
    for facet in first.facets:
        screen = screen_of(study, report, facet.name)
        title = facet.title if len(first.facets) > 1 else ""
        drawings = list(_drawings(report, plotter, facet))
        yield SharedFacet(facet.name, title, _cards(screen, facet), screen.notes, drawings)


def _cards(screen: Screen, facet: Facet | None) -> list[SharedCard]:
    cards = []
    for card in screen.cards:
        key = f"{card.key}-{facet.name if facet else 'all'}"
        title = f"{card.question} {facet.title if facet else ''}".strip()
        drawn = card.drawn
        svg = element_of(drawn.figure, key, title, drawn.reading) if drawn.figure else ""
        cards.append(SharedCard(card, key, svg))
    return cards


def _drawings(report: Report, plotter: Plotter, facet: Facet) -> Iterator[Drawing]:
    """The figures of the tabs that say something, each once; empty those that cannot be part of a
    page."""
    page = page_of(report.study, list(report.study.blocks.all()), report, PageFilter())
    seen: set[str] = set()
    for section in sections_of(of_facet(page, facet)):
        for drawing in (drawing for part in section.parts for drawing in part.drawings):
            shown = any(drawing.on(tab, section.tab) for tab in TABS)
            if not shown or drawing.query in seen:
                continue
            seen.add(drawing.query)
            svg = figure_element(plotter, drawing.query)
            if not svg.startswith(EMPTY):
                yield replace(drawing, svg=svg)


def _within(facets: Sequence[SharedFacet]) -> list[SharedFacet]:
    """The facets with as many figures as the page has room for."""
    room, shown = LARGEST, []
    for facet in facets:
        kept = []
        for drawing in facet.drawings:
            if 0 < len(drawing.svg) <= room:
                room -= len(drawing.svg)
                kept.append(drawing)
        left_out = len(facet.drawings) - len(kept)
        shown.append(replace(facet, drawings=kept, left_out=left_out))
    return shown
