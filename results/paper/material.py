"""Everything that the page for a paper offers: paragraphs, references, tables and figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation.models import Study
from estimates.report.cache import Report
from results.dashboard import page_of, sections_of
from results.dashboard.panels import Drawing, Page, Panel, Tab
from results.dashboard.tabs import TITLES, of_facet
from results.paper.bibliography import as_bibtex
from results.paper.citations import of_metrics
from results.paper.findings import results_of
from results.paper.methods import methods_of
from results.paper.paragraphs import Paragraph
from results.tables.choice import PageFilter
from results.tables.commands import command_line
from results.tables.formats import TABLES
from results.tables.origin import origin_of

# The option of the command that prints the paragraphs and their references.
OPTION = "--paper"
# The formats in which a table is copied.
COPIED = ("tex", "md")


# What most papers print of each question: the first of its tables whose key begins so.
FIRST = {
    Tab.PEOPLE: ("trust", "among-"),
    Tab.SYSTEMS: ("all-systems", "systems-"),
    Tab.JUDGES: ("all-judges", "between-", "correlation-"),
}


@dataclass(frozen=True)
class PaperTable:
    """A table and the works behind its figures."""

    tab: Tab
    panel: Panel
    keys: Sequence[str]


@dataclass(frozen=True)
class PaperFigure:
    """A figure of a facet. facet: its title, where the study has several."""

    tab: Tab
    drawing: Drawing
    facet: str = ""


@dataclass(frozen=True)
class Copy:
    """A table to be copied at once."""

    table: PaperTable
    latex: str
    markdown: str


@dataclass(frozen=True)
class Question:
    """The tables and figures on one question, those of one title together: one of each facet."""

    title: str
    tables: Mapping[str, Sequence[PaperTable]]
    figures: Mapping[str, Sequence[PaperFigure]]


@dataclass(frozen=True)
class Texts:
    """The paragraphs and the works that they cite. command: prints them. year: of the figures."""

    methods: Paragraph
    results: Paragraph
    command: str
    year: int

    @property
    def keys(self) -> list[str]:
        """The works cited, each once."""
        return [*self.methods.keys, *self.results.keys]

    def bibtex(self, tables: Sequence[PaperTable] = ()) -> str:
        """The references of the paragraphs and of these tables."""
        keys = [*self.keys, *(key for table in tables for key in table.keys)]
        return as_bibtex(keys, year=self.year)

    def as_markdown(self) -> str:
        """Both paragraphs under their headings."""
        parts = {"Methods": self.methods, "Results": self.results}
        return "\n\n".join(f"## {title}\n\n{part.as_markdown}" for title, part in parts.items())

    def as_latex(self) -> str:
        """The same; needs the package natbib."""
        parts = {"Methods": self.methods, "Results": self.results}
        texts = (f"\\section{{{title}}}\n\n{part.as_latex}" for title, part in parts.items())
        return "\n\n".join(["% Needs \\usepackage{natbib,url}.", *texts])


def texts_of(report: Report) -> Texts:
    """The paragraphs of the whole study."""
    command = command_line(report.study.slug, report.options, OPTION)
    return Texts(methods_of(report), results_of(report), command, report.computed_at.year)


def tables_of(report: Report, choice: PageFilter) -> list[PaperTable]:
    """The tables of all tabs, facet by facet, with the metrics that stand on tabs."""
    tables: dict[str, PaperTable] = {}
    for page, _facet in _pages(report, choice):
        for tab, panel in _panels(page):
            keys = of_metrics(name for name in panel.grid.metrics if name)
            tables.setdefault(panel.key, PaperTable(tab, panel, keys))
    return list(tables.values())


def figures_of(report: Report, choice: PageFilter) -> list[PaperFigure]:
    """The figures of all tabs, facet by facet."""
    figures: dict[str, PaperFigure] = {}
    for page, facet in _pages(report, choice):
        for section in sections_of(page):
            for drawing in (drawing for part in section.parts for drawing in part.drawings):
                tab = next((tab for tab in Tab if drawing.on(tab, section.tab)), None)
                if tab is not None:
                    figures.setdefault(drawing.query, PaperFigure(tab, drawing, facet))
    return list(figures.values())


def first_tables(
    report: Report, choice: PageFilter, tables: Sequence[PaperTable]
) -> Iterator[Copy]:
    """What most papers print: of each question one table."""
    for tab, beginnings in FIRST.items():
        own = [table for table in tables if table.tab is tab and _compares(table)]
        found = (table for key in beginnings for table in own if table.panel.key.startswith(key))
        table = next(found, None)
        if table is not None:
            yield Copy(table, *(_written(report, choice, table.panel, name) for name in COPIED))


def _compares(table: PaperTable) -> bool:
    """Whether it is more than one system by itself."""
    return table.tab is not Tab.SYSTEMS or len(table.panel.grid.lines) > 1


def _written(report: Report, choice: PageFilter, panel: Panel, name: str) -> str:
    form = TABLES[name]
    origin = origin_of(report, choice, whole=panel.whole, key=panel.key, form=form.option)
    return form.write(panel.alone, origin)


def questions_of(
    tables: Sequence[PaperTable], figures: Sequence[PaperFigure]
) -> Iterator[Question]:
    """All of them, by the tab on which they stand."""
    for tab in Tab:
        by_title: dict[str, list[PaperTable]] = {}
        for table in tables:
            if table.tab is tab:
                by_title.setdefault(table.panel.grid.title, []).append(table)
        drawn: dict[str, list[PaperFigure]] = {}
        for figure in figures:
            if figure.tab is tab:
                drawn.setdefault(figure.drawing.title, []).append(figure)
        if by_title or drawn:
            yield Question(str(TITLES[tab]), by_title, drawn)


def panels_of(report: Report, choice: PageFilter) -> list[Panel]:
    """Every table of the page of everything, as the command prints them."""
    return [panel for _tab, panel in _panels(whole_page(report, choice))]


def whole_page(report: Report, choice: PageFilter) -> Page:
    """The page of everything."""
    study: Study = report.study
    return page_of(study, list(study.blocks.all()), report, choice)


def _pages(report: Report, choice: PageFilter) -> Iterator[tuple[Page, str]]:
    """The page narrowed to each facet, with the facet's title where there are several; as a whole
    where there is none."""
    page = whole_page(report, choice)
    for facet in page.all_facets:
        yield of_facet(page, facet), page.title_of(facet)
    if not page.all_facets:
        yield page, ""


def _panels(page: Page) -> Iterator[tuple[Tab, Panel]]:
    for section in sections_of(page):
        for part in section.parts:
            for panel in part.panels:
                yield panel.tab or section.tab, panel
