"""How much of a card a screen of 1280 by 800 pixels has room for."""

from math import ceil

from results.figures.plots import Ranges
from results.summary.cards import Card

# Pixels of a card's inside that are left below the head of the page, and what a note above the
# cards takes of them.
ROOM, NOTE = 505, 30
HEAD, HEADING, FOLD = 26, 26, 24
# Letters in a line, and the height of a line: of the sentence, of what is small, of steps.
SENTENCE, SMALL, STEP = (45, 21), (50, 18), (50, 24)
# A row of a figure, and its axis.
ROW, AXIS = 18.5, 46


def shown_caveats(card: Card, notes: int = 0) -> int:
    """How many of the caveats are shown at once; the others unfold. notes: above all cards."""
    free = ROOM - NOTE * notes - _height(card) - (HEADING if card.caveats else 0)
    heights = [_lines(caveat, SMALL) for caveat in card.caveats]
    if sum(heights) <= free:
        return len(heights)
    free -= FOLD
    shown = 0
    for height in heights:
        free -= height
        if free < 0:
            break
        shown += 1
    return shown


def _height(card: Card) -> float:
    """Without its caveats."""
    steps = sum(_lines(step.text, STEP) for step in card.answer.steps)
    drawn = card.drawn
    below = f"{drawn.reading} {drawn.more}" if drawn.figure else drawn.missing_reason
    figure = drawn.figure.lines if isinstance(drawn.figure, Ranges) else ()
    allowance = card.allowance
    return (
        HEAD
        + _lines(card.answer.sentence, SENTENCE)
        + (ROW * len(figure) + AXIS if figure else 0)
        + _lines(below, SMALL)
        + (HEADING + steps if steps else 0)
        + (STEP[1] + _lines(allowance.follows, SMALL) if allowance else 0)
    )


def _lines(text: str, kind: tuple[int, int]) -> int:
    letters, height = kind
    return ceil(len(text) / letters) * height
