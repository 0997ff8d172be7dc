"""Everything that the first screen of a study says."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models import Study
from estimates.report.cache import Report
from estimates.report.main_facet import facets_of, main_facet
from results.reading.answer import NextStep
from results.reading.quality import concerns
from results.reading.rows import FacetRows, RowIndex
from results.summary.cards import Card, judge_card, people_card, system_card
from results.summary.published import published_cards
from tasktypes.facets import Facet

OPEN = (
    "The study is open, so these figures will change. Intervals are made for one look: looking "
    "often, you will see chance more than 1 time in 20."
)
# Letters that a line of facets has room for beside the time, and the room around each in letters.
LINE, SPARE = 100, 4
LIVE = (
    "The study is open, so these figures will change. Intervals of headline numbers are wider, so "
    "that you may look often. Close the study for the final ones."
)
UNASKED = "This study has no question yet."


@dataclass(frozen=True)
class Screen:
    """The three cards of one facet (None: of published figures), and the facets that there are.
    notes: what limits all three."""

    facets: Sequence[Facet]
    facet: Facet | None
    cards: Sequence[Card]
    notes: Sequence[str] = ()

    @property
    def is_long(self) -> bool:
        """Whether the facets need more than a line: then they are a list to choose from."""
        return sum(len(facet.title) + SPARE for facet in self.facets) > LINE


def screen_of(study: Study, report: Report, name: str = "") -> Screen:
    """The screen of the facet of that name, or of the study's main one."""
    facets = facets_of(study)
    facet = main_facet(facets, study, report.rows, name)
    if facet is None:
        cards = published_cards(RowIndex(report.rows)) if study.has_published_figures else []
        return Screen(facets, None, cards, () if cards else (UNASKED,))
    rows = FacetRows(facet, report.rows, report.versions)
    cards = [people_card(rows), judge_card(rows, report.epsilon), system_card(rows)]
    return Screen(facets, facet, cards, notes_of(report, study, rows))


def notes_of(report: Report, study: Study, rows: FacetRows) -> list[str]:
    """What limits every answer."""
    return [*concerns(report), *_while_open(report, study, rows)]


def _while_open(report: Report, study: Study, rows: FacetRows) -> list[str]:
    if study.state != Study.State.OPEN or not rows.people:
        return []
    return [LIVE if report.live else OPEN]


def first_planned(screen: Screen) -> NextStep | None:
    """The step whose number of units is still to be planned."""
    steps = (step for card in screen.cards for step in card.answer.steps)
    return next((step for step in steps if step.width is not None), None)
