"""Everything that the first screen of a study says."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from annotation.models import Study
from annotation.rounds.collection import Standing
from estimates.report.cache import Report
from estimates.report.main_facet import facets_of, main_facet
from results.reading.answer import Goal, NextStep
from results.reading.cautions import standing_text
from results.reading.quality import concerns
from results.reading.rows import FacetRows, RowIndex
from results.reading.wording import counted
from results.summary.cards import Card, judge_card, people_card, system_card
from results.summary.published import published_cards
from tasktypes.facets import Facet

# Letters that a line of facets has room for beside the time, and the room around each in letters.
LINE, SPARE = 100, 4
COMPLETE = (
    "All planned answers are in, so these are the final intervals; more answers would widen them."
)
CLOSE = NextStep("Close the study: all planned answers are in.", Goal.STUDY)
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


def screen_of(study: Study, report: Report, name: str = "", tried: float | None = None) -> Screen:
    """The screen of the facet of that name, or of the study's main one. tried: an ε to explore."""
    facets = facets_of(study)
    facet = main_facet(facets, study, report.rows, name)
    if facet is None:
        cards = published_cards(RowIndex(report.rows)) if study.has_published_figures else []
        return Screen(facets, None, cards, () if cards else (UNASKED,))
    rows = FacetRows(facet, report.rows, report.versions)
    cards = [people_card(rows), judge_card(rows, report.epsilon, tried), system_card(rows)]
    notes = notes_of(report, study, rows)
    if COMPLETE in notes:
        cards[0] = _with_close(cards[0])
    return Screen(facets, facet, cards, notes)


def notes_of(report: Report, study: Study, rows: FacetRows) -> list[str]:
    """What limits every answer."""
    return [*concerns(report), *_while_open(report, study, rows)]


def _while_open(report: Report, study: Study, rows: FacetRows) -> list[str]:
    """What keeps the figures from being final."""
    if withdrawn := _withdrawn(report):
        verbs = "was withdrawn and is" if withdrawn == 1 else "were withdrawn and are"
        return [f"{counted(withdrawn, 'answer')} {verbs} in no figure."]
    if not rows.answered:
        return []
    done = COMPLETE if _is_done(report, study) else ""
    said = standing_text(report.standing) or done
    return [said] if said else []


def _withdrawn(report: Report) -> int:
    """Answers that had been in at the planned end, and are not any more."""
    study = report.study
    if study.pk is None or report.standing is not Standing.PLANNED:
        return 0
    return study.annotations.exclude(withdrawn_at=None).count()


def _is_done(report: Report, study: Study) -> bool:
    """Whether closing the study is all that is left to do."""
    return study.state == Study.State.OPEN and report.standing is Standing.PLANNED


def _with_close(card: Card) -> Card:
    return replace(card, answer=replace(card.answer, steps=[CLOSE, *card.answer.steps]))


def first_planned(screen: Screen) -> NextStep | None:
    """The step whose number of units is still to be planned."""
    steps = (step for card in screen.cards for step in card.answer.steps)
    return next((step for step in steps if step.width is not None), None)
