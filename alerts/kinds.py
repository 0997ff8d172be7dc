"""The kinds of alerts: one entry each."""

from collections.abc import Callable
from dataclasses import dataclass

from alerts.agreement import agreement_low
from alerts.conditions import controls_missed, fast_workers, judge_failures, silence
from alerts.drift import judges_drift
from alerts.money import budget_nearly_spent, budget_spent
from alerts.watched import Watched

BUDGET_SPENT = "budget_spent"


@dataclass(frozen=True)
class Kind:
    """A kind of alert. check: what is the matter with a study, or None. page: the view where
    something can be done about it."""

    name: str
    title: str
    check: Callable[[Watched], str | None]
    page: str


KINDS = (
    Kind("agreement", "Agreement is low", agreement_low, "results:summary"),
    Kind("fast_workers", "People are too fast", fast_workers, "desk:reviews"),
    Kind("controls", "Controls are missed", controls_missed, "desk:controls"),
    Kind("judges", "Judges fail", judge_failures, "judges:runs"),
    Kind("drift", "A judge has drifted", judges_drift, "judges:runs"),
    Kind("budget_near", "The budget is nearly spent", budget_nearly_spent, "desk:pay"),
    Kind(BUDGET_SPENT, "The budget is spent", budget_spent, "desk:pay"),
    Kind("silence", "No answers come in", silence, "desk:study"),
)
BY_NAME = {kind.name: kind for kind in KINDS}


def title_of(name: str) -> str:
    """A kind in words; its name where there is no such kind (any more)."""
    return BY_NAME[name].title if name in BY_NAME else name
