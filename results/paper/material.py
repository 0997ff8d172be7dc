"""Everything that the page for a paper offers: paragraphs, references, tables and figures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.models import Study
from estimates.report.cache import Report
from results.dashboard import page_of, sections_of
from results.dashboard.panels import Drawing, Page, Panel
from results.dashboard.tabs import of_facet
from results.paper.bibliography import as_bibtex
from results.paper.citations import of_metrics
from results.paper.findings import results_of
from results.paper.methods import methods_of
from results.paper.paragraphs import Paragraph
from results.tables.choice import PageFilter
from results.tables.commands import command_line
from results.tables.origin import table_command

# The option of the command that prints the paragraphs and their references.
OPTION = "--paper"


@dataclass(frozen=True)
class PaperTable:
    """A table, the works behind its figures, and the command that prints it. facet: its title."""

    panel: Panel
    keys: Sequence[str]
    command: str
    facet: str = ""


@dataclass(frozen=True)
class PaperFigure:
    """A figure of a facet."""

    drawing: Drawing
    facet: str = ""


@dataclass(frozen=True)
class Texts:
    """The paragraphs and the works that they cite. command: prints them."""

    methods: Paragraph
    results: Paragraph
    command: str

    @property
    def keys(self) -> list[str]:
        """The works cited, each once."""
        return [*self.methods.keys, *self.results.keys]

    def bibtex(self, tables: Sequence[PaperTable] = ()) -> str:
        """The references of the paragraphs and of these tables."""
        return as_bibtex([*self.keys, *(key for table in tables for key in table.keys)])

    def as_markdown(self) -> str:
        """Both paragraphs under their headings."""
        parts = {"Methods": self.methods, "Results": self.results}
        return "\n\n".join(f"## {title}\n\n{part.as_markdown}" for title, part in parts.items())

    def as_latex(self) -> str:
        """The same; needs the package natbib."""
        parts = {"Methods": self.methods, "Results": self.results}
        texts = (f"\\section{{{title}}}\n\n{part.as_latex}" for title, part in parts.items())
        return "\n\n".join(["% Needs \\usepackage{natbib}.", *texts])


def texts_of(report: Report) -> Texts:
    """The paragraphs of the whole study."""
    command = command_line(report.study.slug, report.options, OPTION)
    return Texts(methods_of(report), results_of(report), command)


def tables_of(report: Report, choice: PageFilter) -> list[PaperTable]:
    """The tables of all tabs, facet by facet, with the metrics that stand on tabs."""
    tables: dict[str, PaperTable] = {}
    for page, facet in _pages(report, choice):
        for panel in _panels(page):
            command = table_command(report, choice, panel.key, "--latex")
            keys = of_metrics(name for name in panel.grid.metrics if name)
            tables.setdefault(panel.key, PaperTable(panel, keys, command, facet))
    return list(tables.values())


def figures_of(report: Report, choice: PageFilter) -> list[PaperFigure]:
    """The figures of all tabs, facet by facet."""
    figures: dict[str, PaperFigure] = {}
    for page, facet in _pages(report, choice):
        for section in sections_of(page):
            for drawing in (drawing for part in section.parts for drawing in part.drawings):
                figures.setdefault(drawing.query, PaperFigure(drawing, facet))
    return list(figures.values())


def panels_of(report: Report, choice: PageFilter) -> list[Panel]:
    """Every table of the page of everything, as the command prints them."""
    return list(_panels(whole_page(report, choice)))


def whole_page(report: Report, choice: PageFilter) -> Page:
    """The page of everything."""
    study: Study = report.study
    return page_of(study, list(study.blocks.all()), report, choice)


def _pages(report: Report, choice: PageFilter) -> Iterator[tuple[Page, str]]:
    """The page narrowed to each facet, with the facet's title where there are several; as a whole
    where there is none."""
    page = whole_page(report, choice)
    several = len(page.all_facets) > 1
    for facet in page.all_facets:
        yield of_facet(page, facet), facet.title if several else ""
    if not page.all_facets:
        yield page, ""


def _panels(page: Page) -> Iterator[Panel]:
    for section in sections_of(page):
        for part in section.parts:
            yield from part.panels
