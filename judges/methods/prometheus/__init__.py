"""Prometheus: a model that is trained to write feedback by a rubric, with a verdict at its end.

Kim et al. (2024), "Prometheus 2: An Open Source Language Model Specialized in Evaluating Other
Language Models". The texts in this folder are exactly the format that the model was trained on,
including the blank at the end.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from judges.methods.asks import Ask, Cost
from judges.methods.conversation import (
    ChatMethod,
    ChatParameters,
    Conversation,
    PlannedStep,
    Step,
    with_slots_of_payload,
)
from judges.methods.conversation.parameters import MOST_TOKENS
from judges.methods.prometheus.replies import Unreadable, read_verdict
from judges.methods.prometheus.slots import COMPARED, GRADED, Graded
from tasktypes.contract import TaskType
from tasktypes.facets import Facet
from tasktypes.machines.needs import EVIDENCE, Need
from tasktypes.machines.pairs import InPairs, Letter, Pairing
from tasktypes.machines.prompts import one_line
from tasktypes.machines.scores import InScores, Scoring
from tasktypes.registry import TASK_TYPES
from tasktypes.schemas import Schema

LEVELS = 5
Description = Annotated[str, Field(min_length=1)]
Rubric = Annotated[tuple[Description, ...], Field(min_length=LEVELS, max_length=LEVELS)]


def _text(name: str) -> str:
    return (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")


class PrometheusParameters(ChatParameters):
    """The rubric and the reference that the model gets besides the question."""

    rubrics: Mapping[str, Rubric] = Field(default_factory=dict)
    """Five descriptions by criterion, for the scores 1 to 5, where the points of the scale have no
    descriptions or are not five."""
    reference: Literal["none", "document"] = "none"
    """`document` shows the question's document as the answer that gets a 5. Temperature and length
    are those of the model's publication."""
    temperature: float | None = Field(default=1.0, ge=0, le=2)
    """Null leaves it to the endpoint."""
    max_tokens: int | None = Field(default=1024, ge=1, le=MOST_TOKENS)
    """Null leaves it to the endpoint."""
    structured: Literal["auto", "never"] = "never"
    """Hold the reply to a JSON schema; `auto` does without where the endpoint rejects it."""


class Prometheus(ChatMethod[PrometheusParameters]):
    """One call per criterion and text, or per criterion and pair."""

    name = "prometheus"
    title = "Prometheus"
    version = 2
    description = (
        "Asks a model of the Prometheus family for feedback by a rubric with a description for "
        "each of five scores, or for the better of two texts. The verdict is what stands after "
        "[RESULT] at the end of the reply, also as 4/5 or 4.0, or after Score: where there is no "
        "[RESULT]; the feedback is kept with the call. "
        "A scale without five points needs a rubric in the judge's parameters; the scores 1 to 5 "
        "are then spread evenly over the scale."
    )
    serves = tuple(kind for kind in TASK_TYPES if isinstance(kind, InPairs | InScores))
    between_points = True
    Parameters = PrometheusParameters

    @classmethod
    def steps(
        cls, parameters: PrometheusParameters, task_type: TaskType[Any, Any, Any]
    ) -> tuple[Step, ...]:
        """One, in the format of the model, whose feedback is the reason."""
        is_pair = isinstance(task_type, InPairs)
        text = _text(_file("relative" if is_pair else "absolute", parameters.reference))
        slots = with_slots_of_payload(COMPARED if is_pair else GRADED, task_type.slots)
        return (Step("grade", text, slots, reply="text"),)

    def objection(
        self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet], block: str = ""
    ) -> str:
        labels = [facet.name for facet in facets if facet.kind == "label"]
        if labels and not isinstance(task_type, InPairs):
            return f"the points of {', '.join(labels)} are names, but the model gives numbers"
        return super().objection(task_type, facets, block)

    def needs(self, ask: Ask) -> frozenset[Need]:
        """With a reference also the document that the model gets as one."""
        shown_reference = self.parameters.reference == "document"
        return super().needs(ask) | (EVIDENCE if shown_reference else frozenset())

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        text = super().prompt_text(task_type)
        way = "relative" if isinstance(task_type, InPairs) else "absolute"
        return text if self.parameters.system else f"{_text(f'{way}_system')}\n\n{text}"

    def plan(self, ask: Ask) -> Cost:
        """ValueError where a criterion cannot be made into a rubric."""
        return self.expected(
            *(
                PlannedStep(self.prompts(ask.task_type).user_message("grade", graded),
                            reply_tokens=300)
                for graded in self._graded(ask)
            )
        )  # fmt: skip

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        kind, verdicts = ask.task_type, []
        way, offered = ("relative", "AB") if isinstance(kind, InPairs) else ("absolute", "12345")
        system = {"role": "system", "content": _text(f"{way}_system")}
        for number, graded in enumerate(self._graded(ask)):
            messages = self.messages(ask, "grade", graded)
            if not self.parameters.system:
                messages = (system, *messages)
            reply = await conversation.send(messages, step=f"grade {number}")
            try:
                feedback, verdict = read_verdict(reply.text, offered, messages[-1]["content"])
            except Unreadable as error:
                raise conversation.mark_unreadable(reply, str(error)) from error
            conversation.add_reason(reply, feedback)
            verdicts.append(verdict)
        return _answer(kind, ask.payload, verdicts)

    def _graded(self, ask: Ask) -> list[Graded]:
        kind, payload = ask.task_type, ask.payload
        if isinstance(kind, InPairs):
            return [
                Graded(payload, pairing, f"[{_quality(pairing)}]")
                for pairing in kind.pairings(payload)
            ]
        assert isinstance(kind, InScores)
        return [Graded(payload, s, self._rubric(s)) for s in kind.scorings(payload)]

    def _rubric(self, scoring: Scoring) -> str:
        levels = self.parameters.rubrics.get(scoring.criterion) or _levels(scoring)
        lines = [f"Score {number}: {one_line(text)}" for number, text in enumerate(levels, 1)]
        return "\n".join([f"[{_quality(scoring)}]", *lines])


def _file(way: str, reference: str) -> str:
    return way if reference == "none" else f"{way}_with_reference"


def _quality(question: Scoring | Pairing) -> str:
    return " ".join(filter(None, (one_line(question.question), one_line(question.definition))))


def _levels(scoring: Scoring) -> list[str]:
    """The descriptions of a scale's own points; ValueError where they make no rubric."""
    described = [point.meaning for point in scoring.points]
    if scoring.continuous or len(described) != LEVELS or not all(described):
        raise ValueError(
            f"{scoring.criterion}: its scale does not have five points with descriptions; "
            "give them in the judge's parameters (rubrics)"
        )
    return described


def _answer(kind: TaskType[Any, Any, Any], payload: Any, verdicts: list[str]) -> Schema:
    answer: Schema
    if isinstance(kind, InPairs):
        letters: list[Letter] = ["A" if verdict == "A" else "B" for verdict in verdicts]
        answer = kind.from_choices(payload, letters)
    else:
        assert isinstance(kind, InScores)
        shares = [(int(verdict) - 1) / (LEVELS - 1) for verdict in verdicts]
        scorings = kind.scorings(payload)
        scores = [scoring.along(share) for scoring, share in zip(scorings, shares, strict=True)]
        answer = kind.from_scores(payload, scores)
    return answer
