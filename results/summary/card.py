"""A card of the first screen: a question, its answer, what limits it and what to do next."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from results.figures.plots import Plot

# Sentences on what limits an answer, steps, and lines of a figure that a screen has room for.
MOST_LIMITS, MOST_STEPS, MOST_LINES = 5, 2, 6


class Tone(StrEnum):
    """What a verdict's badge looks like: settled well, settled badly, settled with a reserve, or
    not settled."""

    GOOD = "good"
    BAD = "bad"
    CARE = "warn"
    OPEN = "open"


class Goal(StrEnum):
    """The page that a step leads to."""

    PLAN = "plan"
    UNITS = "units"
    PEOPLE = "people"
    JUDGES = "judges"
    SYSTEMS = "systems"
    RUN = "run"
    STUDY = "study"


@dataclass(frozen=True)
class Step:
    """What to do next. raters: whose units are to be looked at, as rows of a report name them.
    width: of the interval of α that more units are to bring."""

    text: str
    goal: Goal
    raters: str = ""
    width: float | None = None


@dataclass(frozen=True)
class Card:
    """One question.

    verdict: the rule that applied, as docs/results.md names it. badge: the same in two or three
    words. sentence: the answer with its number, interval and n. figure: without one, `silence` says
    why. reading: how to read the figure. more: what the card leaves out, with its number.
    """

    key: str
    question: str
    verdict: str
    tone: Tone
    badge: str
    sentence: str
    figure: Plot | None = None
    silence: str = ""
    reading: str = ""
    limits: Sequence[str] = ()
    steps: Sequence[Step] = ()
    more: str = ""
    goal: Goal = Goal.PEOPLE
