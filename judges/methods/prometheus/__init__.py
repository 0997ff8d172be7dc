"""Prometheus: a model trained to give feedback by a rubric, and a verdict at its end.

Kim et al. (2024), "Prometheus 2: An Open Source Language Model Specialized in Evaluating Other
Language Models". The texts in this folder are the format that the model was trained on, to the
letter, the blank at the end included.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Annotated, Any, Literal

from pydantic import Field

from judges.methods.contract import Ask, Cost
from judges.methods.conversation import ChatMethod, ChatParameters, Step, Talk
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


class Grading(ChatParameters):
    """What the model is told besides the question.

    rubrics: five descriptions by criterion, for the scores 1 to 5, where the points of the scale
    have none of their own or are not five. reference: `document` shows what the text is held
    against as the answer that gets a 5. Temperature and length as the model is published with.
    """

    rubrics: Mapping[str, Rubric] = Field(default_factory=dict)
    reference: Literal["none", "document"] = "none"
    temperature: float | None = Field(default=1.0, ge=0, le=2)
    max_tokens: int | None = Field(default=1024, ge=1)
    structured: Literal["auto", "never"] = "never"


class Prometheus(ChatMethod[Grading]):
    """One call per criterion and text, or per criterion and pair."""

    name = "prometheus"
    title = "Prometheus"
    description = (
        "Asks a model of the Prometheus family for feedback by a rubric with a description for "
        "each of five scores, or for the better of two texts. The verdict is what stands after "
        "[RESULT] at the end of the reply and nothing else; the feedback is kept with the call. "
        "A scale of another length than five needs a rubric in the judge's parameters, and the "
        "scores 1 to 5 then spread evenly over it."
    )
    serves = tuple(kind for kind in TASK_TYPES if isinstance(kind, InPairs | InScores))
    between_points = True
    Parameters = Grading

    def objection(self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet]) -> str:
        named = [facet.name for facet in facets if facet.kind == "label"]
        if named and not isinstance(task_type, InPairs):
            return f"the points of {', '.join(named)} are names, and the model gives numbers"
        return ""

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        way = "relative" if isinstance(task_type, InPairs) else "absolute"
        return f"{_text(f'{way}_system')}\n\n{self._template(way)}"

    def plan(self, ask: Ask) -> Cost:
        """ValueError where a criterion cannot be made into a rubric."""
        return self.expected(*(Step(text, reply_tokens=300) for text in self._asked(ask)))

    async def judge(self, ask: Ask, talk: Talk) -> Schema:
        kind, verdicts = ask.task_type, []
        way, offered = ("relative", "AB") if isinstance(kind, InPairs) else ("absolute", "12345")
        for number, text in enumerate(self._asked(ask)):
            messages = (
                {"role": "system", "content": _text(f"{way}_system")},
                {"role": "user", "content": text},
            )
            said = await talk.say(messages, step=f"grade {number}")
            try:
                verdicts.append(read_verdict(said.text, offered)[1])
            except Unreadable as error:
                raise talk.unreadable(said, str(error)) from error
        return _answer(kind, ask.payload, verdicts)

    def _asked(self, ask: Ask) -> list[str]:
        kind = ask.task_type
        if isinstance(kind, InPairs):
            return [self._relative(one) for one in kind.pairings(ask.payload)]
        assert isinstance(kind, InScores)
        return [self._absolute(one) for one in kind.scorings(ask.payload)]

    def _template(self, way: str) -> str:
        return _text(way if self.parameters.reference == "none" else f"{way}_with_reference")

    def _absolute(self, one: Scoring) -> str:
        levels = self.parameters.rubrics.get(one.criterion) or _levels(one)
        lines = [f"Score {number}: {one_line(text)}" for number, text in enumerate(levels, 1)]
        return Template(self._template("absolute")).substitute(
            instruction=_instruction(one),
            response=one_line(one.text),
            reference=one.document,
            rubric="\n".join([f"[{_quality(one)}]", *lines]),
        )

    def _relative(self, one: Pairing) -> str:
        return Template(self._template("relative")).substitute(
            instruction=_instruction(one),
            a=one_line(one.a),
            b=one_line(one.b),
            reference=one.document,
            rubric=f"[{_quality(one)}]",
        )


def _instruction(one: Scoring | Pairing) -> str:
    """What the texts were written about: all that is known around them."""
    return one.material or one_line(one.question)


def _quality(one: Scoring | Pairing) -> str:
    return " ".join(filter(None, (one_line(one.question), one_line(one.definition))))


def _levels(one: Scoring) -> list[str]:
    """The descriptions of a scale's own points; ValueError where they make no rubric."""
    described = [point.meaning for point in one.points]
    if one.continuous or len(described) != LEVELS or not all(described):
        raise ValueError(
            f"{one.criterion}: its scale has no five points with a description each; "
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
        asked = kind.scorings(payload)
        answer = kind.from_scores(
            payload, [one.along(share) for one, share in zip(asked, shares, strict=True)]
        )
    return answer
