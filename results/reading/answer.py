"""The answer to a question about a study: verdict, sentence, caveats, and what to do next."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Tone(StrEnum):
    """How a badge looks: settled well, settled badly, settled with a reserve, or not settled."""

    GOOD = "good"
    BAD = "bad"
    CARE = "warn"
    OPEN = "open"


class Badge(NamedTuple):
    """A verdict in two or three words."""

    tone: Tone
    text: str


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
class NextStep:
    """What to do next. raters: whose units are to be looked at, as rows of a report name them.
    width: of the interval of α that more units are to bring."""

    text: str
    goal: Goal
    raters: str = ""
    width: float | None = None


@dataclass(frozen=True)
class CardAnswer:
    """verdict: the rule that applied, as docs/results.md names it. sentence: the verdict with its
    number, interval and n. caveats: what keeps it from meaning more."""

    verdict: str
    badge: Badge
    sentence: str
    caveats: Sequence[str] = ()
    steps: Sequence[NextStep] = ()
