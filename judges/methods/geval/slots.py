"""What the prompts of the two steps can show."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from judges.methods.conversation.steps import Turn
from tasktypes.contract import TaskType
from tasktypes.machines.prompts import Slot, in_lines, one_line, setting
from tasktypes.machines.scores import InScores, Scoring


@dataclass(frozen=True)
class JudgedText:
    """A text to judge by a criterion. steps: the evaluation steps to follow."""

    payload: Any
    scoring: Scoring
    steps: str


def _points(scoring: Scoring) -> str:
    return "\n".join(
        f"{point.written}{f' = {one_line(point.meaning)}' if point.meaning else ''}"
        for point in scoring.points
    )


def _choice(scoring: Scoring) -> str:
    first, last = scoring.points[0].written, scoring.points[-1].written
    if scoring.continuous:
        return f"a number from {first} to {last}"
    return "one of " + ", ".join(point.written for point in scoring.points)


# Of a criterion alone: the evaluation steps are written before any text is seen.
ABOUT: tuple[Slot, ...] = (
    setting("criterion", "the name of the criterion", lambda scoring: scoring.criterion),
    setting("question", "its question", lambda scoring: one_line(scoring.question)),
    setting("definition", "its definition", lambda scoring: one_line(scoring.definition)),
    setting("points", "the points of its scale, a line each", _points),
    setting("choice", "what the reply may be", _choice),
)
JUDGED: tuple[Slot, ...] = (
    *(slot.of(lambda judged: judged.scoring) for slot in ABOUT),
    setting("steps", "the evaluation steps", lambda judged: judged.steps),
    Slot("text", "the text to judge", lambda judged: in_lines(judged.scoring.written)),
)


def about(scoring: Scoring) -> str:
    """All that a prompt can show of a criterion."""
    return "\n".join(slot.fill(scoring) for slot in ABOUT)


def score_turns(kind: TaskType[Any, Any, Any]) -> Callable[[Any, Any, JudgedText], Iterator[Turn]]:
    """The examples of a step that asks for one score: those with the same criterion."""

    def turns(payload: Any, answer: Any, judged: JudgedText) -> Iterator[Turn]:
        assert isinstance(kind, InScores)
        scores = kind.to_scores(payload, answer)
        for scoring, score in zip(kind.scorings(payload), scores, strict=True):
            if scoring.criterion == judged.scoring.criterion:
                written = score if isinstance(score, str) else f"{score:g}"
                yield replace(judged, payload=payload, scoring=scoring), written

    return turns


def first_judged(
    kind: TaskType[Any, Any, Any], steps: Mapping[str, str]
) -> Callable[[Any], JudgedText]:
    """What the first call for a score is about; without steps, these are still to be written."""

    def judged(payload: Any) -> JudgedText:
        assert isinstance(kind, InScores)
        scoring = kind.scorings(payload)[0]
        return JudgedText(
            payload, scoring, steps.get(scoring.criterion, "(as the model writes them)")
        )

    return judged
