"""How many of the latest controls were answered right, over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from annotation.models import Assignment, Study
from annotation.work.control_answers import Score, controls_met

# The latest batches, and the steps in which their controls are shown.
BATCHES, STEPS = 120, 8
# Controls in a step, at least: a share of fewer jumps.
FEWEST = 5


@dataclass(frozen=True)
class ControlStep:
    """Controls answered one after the other. until: when the last of their batches came in."""

    score: Score
    until: datetime


@dataclass(frozen=True)
class ControlRate:
    """The latest controls together, and in steps of about equally many, the oldest first."""

    score: Score
    steps: Sequence[ControlStep]


def control_rate(study: Study) -> ControlRate | None:
    """Of the latest batches; None where no control was met in them. Three queries."""
    batches = Assignment.objects.filter(
        participation__study=study, state=Assignment.State.SUBMITTED
    ).order_by("-submitted_at")
    at = dict(batches.values_list("pk", "submitted_at")[:BATCHES])
    met = controls_met(study, assignments=list(at)) if at else []
    timed = sorted(
        (when, control.right)
        for control in met
        if control.assignment is not None and (when := at.get(control.assignment)) is not None
    )
    if not timed:
        return None
    right = sum(fits for _, fits in timed)
    return ControlRate(Score(right, len(timed)), _in_steps(timed))


def _in_steps(timed: Sequence[tuple[datetime, bool]]) -> list[ControlStep]:
    n = max(1, min(STEPS, len(timed) // FEWEST))
    bounds = [len(timed) * step // n for step in range(n + 1)]
    parts = [timed[low:high] for low, high in pairwise(bounds)]
    return [
        ControlStep(Score(sum(fits for _, fits in part), len(part)), part[-1][0]) for part in parts
    ]
