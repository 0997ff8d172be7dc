"""What the results page shows: the rows of a report as tables that answer three questions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from annotation.models import Block, Rater, Study
from estimates.catalogue import Metric, metric, place_of
from estimates.report.cache import Report
from results.dashboard import findings, replacement, trust
from results.dashboard.panels import Drawing, Page, Panel, Section, SectionPart
from results.tables.choice import PageFilter


def page_of(study: Study, blocks: Sequence[Block], report: Report, choice: PageFilter) -> Page:
    """What every table of the page is made from."""
    kind = Rater.Kind.SIMULATED
    simulated = frozenset(study.raters.filter(kind=kind).values_list("name", flat=True))
    # Published figures answer no question of a block.
    asked = [] if study.has_published_figures else blocks
    facets = tuple(facet for block in asked for facet in block.facets)
    return Page(study, report, facets, choice, simulated, all_facets=facets)


def sections_of(page: Page) -> list[Section]:
    """The three questions in their order, each with its tables and figures."""
    sections = [trust.section(page), replacement.section(page), findings.section(page)]
    filled = [replace(section, parts=list(filter(None, section.parts))) for section in sections]
    return [section for section in filled if section.parts or page.facets]


def everything(sections: Sequence[Section]) -> list[Section]:
    """The same without figures that stand on tabs alone."""

    def kept(drawings: Sequence[Drawing]) -> list[Drawing]:
        return [drawing for drawing in drawings if drawing.everywhere]

    return [
        replace(
            section, parts=[replace(part, drawings=kept(part.drawings)) for part in section.parts]
        )
        for section in sections
    ]


def metrics_of(parts: Iterable[SectionPart]) -> list[Metric]:
    """The metrics in these parts' tables, for the help on their columns."""
    names = {name for part in parts for panel in part.panels for name in panel.grid.metrics if name}
    return [metric(name) for name in sorted(names, key=place_of)]


def drawings_of(sections: Sequence[Section]) -> list[Drawing]:
    """Every figure of the page."""
    return [drawing for section in sections for part in section.parts for drawing in part.drawings]


def with_figures(sections: Sequence[Section], svgs: Mapping[str, str]) -> list[Section]:
    """The same with each figure of `svgs` (keyed by the figure's query) put into the page."""
    return [replace(section, parts=drawn(section.parts, svgs)) for section in sections]


def drawn(parts: Sequence[SectionPart], svgs: Mapping[str, str]) -> list[SectionPart]:
    """The parts with their figures likewise."""

    def filled(drawings: Sequence[Drawing]) -> list[Drawing]:
        return [replace(drawing, svg=svgs.get(drawing.query, "")) for drawing in drawings]

    return [replace(part, drawings=filled(part.drawings)) for part in parts]


def find_panel(page: Page, key: str) -> Panel | None:
    """The table of that key; None where the page has none."""
    for section in sections_of(page):
        for part in section.parts:
            for panel in part.panels:
                if panel.key == key:
                    return panel
    return None
