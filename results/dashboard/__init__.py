"""What the results page shows: the rows of a report as tables that answer three questions."""

from collections.abc import Sequence

from annotation.models import Block, Rater, Study
from results.caching import Report
from results.choosing import Choice
from results.dashboard import findings, replacement, trust
from results.dashboard.panels import Page, Panel, Section


def page_of(study: Study, blocks: Sequence[Block], report: Report, choice: Choice) -> Page:
    """What every table of the page is made from."""
    kind = Rater.Kind.SIMULATED
    simulated = frozenset(study.raters.filter(kind=kind).values_list("name", flat=True))
    facets = tuple(facet for block in blocks for facet in block.facets)
    return Page(study, report, facets, choice, simulated)


def sections_of(page: Page) -> list[Section]:
    """The three questions in their order, each with its tables and figures."""
    return [trust.section(page), replacement.section(page), findings.section(page)]


def find_panel(page: Page, key: str) -> Panel | None:
    """The table of that key; None where the page has none."""
    for section in sections_of(page):
        for part in section.parts:
            for panel in part.panels:
                if panel.key == key:
                    return panel
    return None
