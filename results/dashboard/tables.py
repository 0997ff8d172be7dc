"""Tables that each facet of a study has: which rows of a report they show, and in which order."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.utils.translation import gettext as _

from estimates.catalogue import Table, metric
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.data.rows import PER_ITEM, SCORE_FACET, Row
from results.dashboard.panels import Page, Panel, Picked, Tab
from results.reading.cautions import cautions
from results.reading.rows import CROWDS, is_pair, with_crowd
from results.reading.titles import key_title, metric_title, party_title
from results.tables.grids import Layout
from tasktypes.facets import Facet
from tasktypes.pages.choices import Text

# A maker of a facet's tables: a FacetTable, or a function where that is not enough.
Tables = Callable[[Page, Facet], list[Panel]]
# Intervals of one metric in a table from which on it says that they are not corrected.
SEVERAL = 3


def all_rows(_page: Page, rows: Sequence[Row]) -> list[Row]:
    """Every row, in the order of the report."""
    return list(rows)


def of_crowds(page: Page, rows: Sequence[Row]) -> list[Row]:
    """People together, and simulated raters."""
    return page.in_order(rows, CROWDS)


def of_raters(page: Page, rows: Sequence[Row]) -> list[Row]:
    """Every person by name, then every judge."""
    single = [row for row in rows if row.raters not in CROWDS]
    return sorted(single, key=lambda row: (row.raters in page.parties, row.raters))


def of_parties(page: Page, rows: Sequence[Row]) -> list[Row]:
    """People together, simulated raters and judges."""
    return page.in_order(rows, page.parties)


def means_of_parties(page: Page, rows: Sequence[Row]) -> list[Row]:
    """The same, of means over items alone."""
    return page.in_order([row for row in rows if row.aggregation == PER_ITEM], page.parties)


def with_crowds(_page: Page, rows: Sequence[Row]) -> list[Row]:
    """Judges beside people together, then beside simulated raters."""
    return sorted(filter(with_crowd, rows), key=humans_first)


def named_pairs(page: Page, rows: Sequence[Row]) -> list[Row]:
    """Every two named raters of whom one is a judge."""
    pairs = (row for row in rows if is_pair(row) and not with_crowd(row))
    return sorted((row for row in pairs if page.has_judge(row)), key=humans_first)


def people_pairs(page: Page, rows: Sequence[Row]) -> list[Row]:
    """Every two people by name."""
    pairs = (row for row in rows if is_pair(row) and not with_crowd(row))
    return sorted((row for row in pairs if not page.has_judge(row)), key=humans_first)


def system_and_party(row: Row) -> str:
    """The system that a row is about, and whose answers."""
    return f"{row.group[SYSTEM]}, {party_title(row.raters)}"


def by_system_and_party(_page: Page) -> Layout:
    """A row per system and party, a column per metric."""
    return Layout(line=system_and_party, corner=key_title(SYSTEM))


def humans_first(row: Row) -> tuple[bool, str]:
    """Sorts pairs."""
    return not row.raters.startswith(HUMANS), row.raters


def notes(_page: Page, rows: Sequence[Row]) -> list[str]:
    """Notes on the metrics in the table, and how its intervals are to be read."""
    present = dict.fromkeys(row.metric for row in rows)
    words = dict.fromkeys(str(metric(name).note) for name in present if metric(name).note)
    return [*words, *_not_simultaneous(rows)]


def _not_simultaneous(rows: Sequence[Row]) -> list[str]:
    """That several intervals of one metric are not corrected for being several."""
    bounded = Counter(row.metric for row in rows if row.estimate.low is not None)
    most = max(bounded.values(), default=0)
    if most < SEVERAL:
        return []
    return [
        _(
            "Each interval is for its own figure: of the %(number)d in a column, one in twenty is "
            "expected to miss the truth."
        )
        % {"number": most}
    ]


def with_cautions(page: Page, rows: Sequence[Row]) -> list[str]:
    """The same, and what to bear in mind."""
    return [*notes(page, rows), *cautions(rows)]


@dataclass(frozen=True)
class FacetTable:
    """One table of a facet, with the metrics that the catalogue puts there.

    rows: which rows of these metrics, in their order. by: what the rows are grouped by. whole: of
    the whole study, whatever part is chosen. across: with the rows that compare judges' numbers in
    other facets. words: sentences below it. key: begins its address where the table's own does not.
    tab, verdict, warning: as of a Panel.
    """

    table: Table
    title: Text
    rows: Callable[[Page, Sequence[Row]], Sequence[Row]] = all_rows
    layout: Callable[[Page], Layout] = Page.by_party
    words: Callable[[Page, Sequence[Row]], Sequence[str]] = notes
    by: Sequence[str] = ()
    whole: bool = False
    across: bool = False
    key: str = ""
    tab: Tab | None = None
    verdict: bool = False
    warning: bool = False

    def __call__(self, page: Page, facet: Facet) -> list[Panel]:
        """The table; none where it has no rows."""
        metrics = page.metrics(facet.name, self.table)
        pick = page.pick_whole if self.whole else page.pick
        picked = pick(facet.name, metrics, self.by)
        others = pick(facet.name, metrics, [*self.by, SCORE_FACET]).rows if self.across else []
        both = sorted([*picked.rows, *others], key=lambda row: metrics.index(row.metric))
        rows = self.rows(page, both)
        panels = page.panel(
            f"{self.key or self.table}-{facet.name}",
            str(self.title),
            Picked(rows, picked.whole),
            self._layout(page, facet, metrics),
            self.words(page, rows),
        )
        return [
            replace(panel, tab=self.tab, verdict=self.verdict, warning=self.warning)
            for panel in panels
        ]

    def _layout(self, page: Page, facet: Facet, metrics: Sequence[str]) -> Layout:
        """With the columns in the order of the catalogue, called as the facet has them."""
        layout = replace(self.layout(page), columns=metrics)
        if layout.column_title is metric_title:
            layout = replace(layout, column_title=partial(metric_title, facet=facet))
        return layout


def panels_of(tables: Iterable[Tables], page: Page, facet: Facet) -> list[Panel]:
    """All of these tables of a facet, as far as there are rows for them."""
    title = page.title_of(facet)
    return [replace(panel, facet=title) for table in tables for panel in table(page, facet)]
