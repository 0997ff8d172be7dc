"""Prometheus: a model that is trained to write feedback by a rubric, with a verdict at its end.

Kim et al. (2024), "Prometheus 2: An Open Source Language Model Specialized in Evaluating Other
Language Models". The texts in this folder are exactly the format that the model was trained on,
including the blank at the end.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Annotated, Any, Literal

from pydantic import Field

from judges.methods.contract import Ask, Cost
from judges.methods.conversation import ChatMethod, ChatParameters, Conversation, PlannedStep
from judges.methods.prometheus.replies import Unreadable, read_verdict
from tasktypes.contract import Facet, Schema, TaskType
from tasktypes.pairs import InPairs, Letter, Pairing
from tasktypes.prompts import one_line
from tasktypes.registry import TASK_TYPES
from tasktypes.scores import InScores, Scoring

LEVELS = 5
Description = Annotated[str, Field(min_length=1)]
Rubric = Annotated[tuple[Description, ...], Field(min_length=LEVELS, max_length=LEVELS)]


def _text(name: str) -> str:
    return (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")


class PrometheusParameters(ChatParameters):
    """The rubric and the reference that the model gets besides the question.

    rubrics: five descriptions by criterion, for the scores 1 to 5, where the points of the scale
    have no descriptions or are not five. reference: `document` shows the question's document
    as the answer that gets a 5. Temperature and length are those of the model's publication.
    """

    rubrics: Mapping[str, Rubric] = Field(default_factory=dict)
    reference: Literal["none", "document"] = "none"
    temperature: float | None = Field(default=1.0, ge=0, le=2)
    max_tokens: int | None = Field(default=1024, ge=1)
    structured: Literal["auto", "never"] = "never"


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

    def objection(self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet]) -> str:
        labels = [facet.name for facet in facets if facet.kind == "label"]
        if labels and not isinstance(task_type, InPairs):
            return f"the points of {', '.join(labels)} are names, but the model gives numbers"
        return ""

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        way = "relative" if isinstance(task_type, InPairs) else "absolute"
        return f"{_text(f'{way}_system')}\n\n{self._template(way)}"

    def plan(self, ask: Ask) -> Cost:
        """ValueError where a criterion cannot be made into a rubric."""
        return self.expected(*(PlannedStep(text, reply_tokens=300) for text in self._prompts(ask)))

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        kind, verdicts = ask.task_type, []
        way, offered = ("relative", "AB") if isinstance(kind, InPairs) else ("absolute", "12345")
        for number, text in enumerate(self._prompts(ask)):
            messages = (
                {"role": "system", "content": _text(f"{way}_system")},
                {"role": "user", "content": text},
            )
            reply = await conversation.send(messages, step=f"grade {number}")
            try:
                verdicts.append(read_verdict(reply.text, offered, text)[1])
            except Unreadable as error:
                raise conversation.mark_unreadable(reply, str(error)) from error
        return _answer(kind, ask.payload, verdicts)

    def _prompts(self, ask: Ask) -> list[str]:
        kind = ask.task_type
        if isinstance(kind, InPairs):
            return [self._relative(pairing) for pairing in kind.pairings(ask.payload)]
        assert isinstance(kind, InScores)
        return [self._absolute(scoring) for scoring in kind.scorings(ask.payload)]

    def _template(self, way: str) -> str:
        return _text(way if self.parameters.reference == "none" else f"{way}_with_reference")

    def _absolute(self, scoring: Scoring) -> str:
        levels = self.parameters.rubrics.get(scoring.criterion) or _levels(scoring)
        lines = [f"Score {number}: {one_line(text)}" for number, text in enumerate(levels, 1)]
        return Template(self._template("absolute")).substitute(
            instruction=_instruction(scoring),
            response=one_line(scoring.text),
            reference=scoring.document,
            rubric="\n".join([f"[{_quality(scoring)}]", *lines]),
        )

    def _relative(self, pairing: Pairing) -> str:
        return Template(self._template("relative")).substitute(
            instruction=_instruction(pairing),
            a=one_line(pairing.a),
            b=one_line(pairing.b),
            reference=pairing.document,
            rubric=f"[{_quality(pairing)}]",
        )


def _instruction(question: Scoring | Pairing) -> str:
    """The material that the texts were written about; without any, the question."""
    return question.material or one_line(question.question)


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
