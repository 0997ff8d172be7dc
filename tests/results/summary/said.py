"""What the first screen of a study says, as plain text."""

import re

from annotation.models import Study
from estimates.report.cache import report_of
from results.summary.cards import Card
from results.summary.screen import Screen, screen_of
from tests.results.reading.made import plain

# What stands for a number that is none.
NO_NUMBER = re.compile(r"\b(nan|inf|None)\b|0\.000|\b0\.00\b")


def screen(study: Study, facet: str = "") -> Screen:
    return screen_of(study, report_of(study), facet)


def words(card: Card) -> str:
    drawn, steps = card.drawn, [step.text for step in card.answer.steps]
    said = [card.answer.sentence, drawn.missing_reason, drawn.reading, *card.caveats, *steps]
    return plain(" | ".join(said))


def cards(study: Study) -> list[str]:
    return [words(card) for card in screen(study).cards]
