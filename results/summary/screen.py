"""Everything that the first screen of a study says."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models import Study
from estimates.report.cache import Report
from results.summary.card import Card, Step
from results.summary.facets import facets_of, picked_facet
from results.summary.facts import FacetRows
from results.summary.judge_card import judge_card
from results.summary.people_card import people_card
from results.summary.published import published_cards
from results.summary.system_card import system_card
from tasktypes.facets import Facet

OPEN = (
    "The study is open: these figures will still change. Intervals are made for one look; who "
    "looks often sees chance more often than 1 time in 20."
)
# Letters that a line of facets has room for beside the time, and the room around each in letters.
LINE, SPARE = 100, 4
LIVE = (
    "The study is open: these figures will still change. Intervals of headline numbers hold at "
    "every look, and are wider than they will be when it has closed."
)
UNASKED = "This study asks no question yet."


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
    facet = picked_facet(facets, name, report)
    if facet is None:
        cards = published_cards(report.rows) if study.has_published_figures else []
        return Screen(facets, None, cards, () if cards else (UNASKED,))
    rows = FacetRows.of(report, facet)
    epsilon = study.epsilon if report.options.epsilon is None else report.options.epsilon
    cards = [people_card(rows), judge_card(rows, epsilon), system_card(rows)]
    return Screen(facets, facet, cards, notes_of(report, study, rows))


def notes_of(report: Report, study: Study, rows: FacetRows) -> list[str]:
    """What limits every answer."""
    if study.state != Study.State.OPEN or not rows.people:
        return []
    return [LIVE if report.live else OPEN]


def first_planned(screen: Screen) -> Step | None:
    """The step whose number of units is still to be planned."""
    steps = (step for card in screen.cards for step in card.steps)
    return next((step for step in steps if step.width is not None), None)
