"""Sections, parts and panels of the page, and how the rows of a report are found for them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from annotation.models import Rater, Study
from annotation.rater_names import BETWEEN
from estimates.catalogue import Table, alpha_of, metric, place_of, stands_apart
from estimates.data.parties import MOST_SINGLE
from estimates.data.rows import SCORE_FACET, Row
from estimates.metrics.systems.differences import OTHER
from estimates.report.cache import Report
from results.dashboard.addresses import units_url
from results.figures.captions import figure_text, figure_title
from results.figures.elements import EMPTY
from results.reading.rows import RowIndex
from results.reading.titles import key_title, party_title
from results.tables.choice import PageFilter, shown_parties
from results.tables.grids import Grid, Layout
from tasktypes.facets import Facet

# The most columns of a table that fits beside another one.
NARROW, LETTERS = 3, 40


class Tab(StrEnum):
    """A page with some of the tables and figures. The value ends its address, and names it."""

    PEOPLE = "people"
    JUDGES = "judges"
    SYSTEMS = "systems"
    QUALITY = "quality"


@dataclass(frozen=True)
class Panel:
    """One table with its summary in words.

    facet: whose figures it has, where the study has several. whole: it covers the whole study
    although the page is narrowed to a part. tab: where it stands, if not with its section. verdict,
    warning: its words answer the section's question, or are to be borne in mind, and stand above
    all tables of a tab.
    """

    key: str
    grid: Grid
    words: Sequence[str] = ()
    whole: bool = False
    tab: Tab | None = None
    verdict: bool = False
    warning: bool = False
    facet: str = ""

    @property
    def alone(self) -> Grid:
        """The table as it leaves the page: its title names the facet as well."""
        title = ": ".join(filter(None, [self.facet, self.grid.title]))
        return replace(self.grid, title=title)

    @property
    def wide(self) -> bool:
        """Whether the table needs the whole width of a page."""
        heads = self.grid.heads
        return len(heads) + 2 * self.grid.counted > NARROW or sum(map(len, heads)) > LETTERS


@dataclass(frozen=True)
class Drawing:
    """One figure; query: the parameters of its address. alt: its description in words. svg:
    the figure itself, which holds the same description; without it the page links an image. tabs:
    where it stands, if not with its section. everywhere: on the page of everything as well."""

    kind: str
    title: str
    alt: str
    query: str
    svg: str = ""
    tabs: Sequence[Tab] | None = None
    everywhere: bool = True

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw, and so no file to download."""
        return self.svg.startswith(EMPTY)

    def on(self, tab: Tab, section: Tab) -> bool:
        """Whether it stands on a tab, as a figure of a section."""
        return tab in ((section,) if self.tabs is None else self.tabs)


@dataclass(frozen=True)
class SectionPart:
    """The tables and figures on a question for one facet or the whole study, or why there are none.
    crowded: there are too many people for figures of each of them. reasons: why some numbers are
    not there."""

    key: str
    title: str
    panels: Sequence[Panel] = ()
    drawings: Sequence[Drawing] = ()
    missing_reason: str = ""
    crowded: int = 0
    reasons: Sequence[str] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.panels or self.drawings or self.missing_reason or self.reasons)

    @property
    def verdicts(self) -> list[str]:
        """What answers the question in words."""
        return [sentence for panel in self.panels if panel.verdict for sentence in panel.words]

    @property
    def warnings(self) -> list[str]:
        """What makes the numbers doubtful."""
        return [sentence for panel in self.panels if panel.warning for sentence in panel.words]


@dataclass(frozen=True)
class Section:
    """One question and the parts that answer it."""

    key: str
    title: str
    lead: str
    parts: Sequence[SectionPart]
    tab: Tab = Tab.PEOPLE


@dataclass(frozen=True)
class Picked:
    """Rows of a report. whole: they are of the whole study, since the chosen part has none."""

    rows: Sequence[Row]
    whole: bool = False

    def where(self, wanted: Callable[[Row], bool]) -> "Picked":
        """The wanted ones among them."""
        return replace(self, rows=[row for row in self.rows if wanted(row)])


@dataclass(frozen=True)
class Page:
    """The data of every table of the page. facets: those that it shows, of all of the study.
    concise: without the metrics that stand on the page of everything alone."""

    study: Study
    report: Report
    facets: tuple[Facet, ...]
    choice: PageFilter
    simulated: frozenset[str]
    all_facets: tuple[Facet, ...] = ()
    concise: bool = False

    @cached_property
    def _index(self) -> RowIndex:
        return RowIndex(self.report.rows, self.report.versions)

    @cached_property
    def parties(self) -> list[str]:
        """People, simulated raters and judges, in the order of the page."""
        return shown_parties(self.report)

    @property
    def crowded(self) -> int:
        """How many people answered, where they are too many for figures of each; else 0."""
        counts = [count for count in self.report.counts if count.kind != Rater.Kind.JUDGE]
        people = sum(count.raters or 0 for count in counts)
        return people if people > MOST_SINGLE else 0

    @cached_property
    def comes_in(self) -> bool:
        """Whether people answer here: imported answers all come at once."""
        here = self.study.raters.filter(origin=Rater.Origin.HERE)
        return here.exclude(kind=Rater.Kind.JUDGE).exists()

    def title_of(self, facet: Facet) -> str:
        """The facet as a table that stands alone names it; empty where people answered one only,
        and this is it."""
        asked = [each for each in self.all_facets if not each.own_scale]
        return "" if asked == [facet] else facet.title

    @cached_property
    def judges(self) -> list[str]:
        """Judges in the version that their plain name stands for."""
        return sorted(self.report.versions)

    def has_judge(self, row: Row) -> bool:
        """Whether the row is about a judge, alone or beside somebody."""
        return any(map(self._index.is_judge, row.raters.split(BETWEEN)))

    def rows_of(self, facet: str) -> RowIndex:
        """Every row of a facet."""
        return self._index.of(facet)

    def metrics(self, facet: str, table: Table) -> list[str]:
        """The metrics of a facet that stand in a table, in the order of the catalogue; α in the
        facet's own distance first."""
        distance = next((each.distance for each in self.all_facets if each.name == facet), "")
        own = {alpha_of(distance)}
        present = dict.fromkeys(row.metric for row in self.rows_of(facet))
        shown = [name for name in present if table in metric(name).tables]
        if self.concise:
            shown = [name for name in shown if not stands_apart(name, distance)]
        return sorted(shown, key=lambda name: (name not in own, place_of(name)))

    def pick(
        self, facet: str, metrics: Collection[str] | None = None, by: Sequence[str] = ()
    ) -> Picked:
        """Rows of the chosen part, by the names of some keys; where the part has none, those of
        the whole study."""
        chosen = self.choice.group
        rows = self.rows_of(facet).where(metrics, by={*chosen, *by})
        part = [row for row in rows if chosen.items() <= row.group.items()]
        if not chosen or (part and OTHER not in by):
            return Picked(part)
        return self.pick_whole(facet, metrics, by)

    def pick_whole(
        self, facet: str, metrics: Collection[str] | None = None, by: Sequence[str] = ()
    ) -> Picked:
        """The same of the whole study, whatever part is chosen."""
        rows = self.rows_of(facet).where(metrics, by=by)
        return Picked(rows, whole=bool(self.choice.group))

    def panel(
        self,
        key: str,
        title: str,
        picked: Picked,
        layout: Layout,
        words: Sequence[str] = (),
    ) -> list[Panel]:
        """The rows as a panel; none where there are none."""
        if not picked.rows:
            return []
        grid = layout.grid(picked.rows, title, self.url)
        return [Panel(key, grid, words, picked.whole)]

    def url(self, row: Row) -> str:
        """The address of the units behind a number; empty where none are listed for it."""
        names = {facet.name for facet in self.all_facets}
        return units_url(self.study, row, self.choice) if row.facet in names else ""

    def drawing(self, kind: str, facet: Facet, **of: str) -> Drawing:
        """A figure of a facet for the chosen part; of: judge, crowd, the facet of its scores."""
        query = {"kind": kind, "facet": facet.name, **of, **self.choice.asked}
        about = {key: name for key, name in of.items() if key != SCORE_FACET}
        title, alt = (say(kind, facet.title, **about) for say in (figure_title, figure_text))
        return Drawing(kind, title, alt, urlencode(query))

    def note(self, name: str, rows: Sequence[Row]) -> str:
        """How several people were combined, or which version of a judge this is."""
        consensus = next((row.consensus for row in rows if row.consensus), None)
        version = self.report.versions.get(name)
        return consensus or (f"@{version}" if version else "")

    def by_party(self) -> Layout:
        """A row per party, a column per metric; averages with their standard deviation."""
        return Layout(
            line=raters_of,
            line_title=party_title,
            corner=_("Who"),
            counted=True,
            notes=self.note,
            simulated=self.simulated,
            sd=True,
        )

    def by_key(self, key: str) -> Layout:
        """A row per name of a key, a column per party."""
        return Layout(
            line=lambda row: row.group[key],
            column=lambda row: row.raters,
            column_title=party_title,
            corner=key_title(key),
        )

    def in_order(self, rows: Collection[Row], names: Sequence[str]) -> list[Row]:
        """The rows of these parties or pairs, in their order."""
        at = {name: place for place, name in enumerate(names)}
        return sorted((row for row in rows if row.raters in at), key=lambda row: at[row.raters])


def raters_of(row: Row) -> str:
    """Who a row is about, with the facet of a judge's numbers where that is another one."""
    facet = row.group.get(SCORE_FACET)
    return f"{row.raters} ({facet})" if facet else row.raters
