"""G-Eval: one criterion at a time, by evaluation steps and many samples or token probabilities.

Following Liu, Iter, Xu, Wang, Xu and Zhu (2023), "G-Eval: NLG Evaluation using GPT-4 with Better
Human Alignment"; the prompts are our own.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, Literal

from pydantic import Field

from judges.methods.contract import Ask, Cost
from judges.methods.conversation import (
    ChatMethod,
    ChatParameters,
    Conversation,
    NoAnswer,
    PlannedStep,
)
from judges.methods.geval.replies import Unreadable, read_score, weigh
from judges.methods.refusals import is_refusal
from tasktypes.contract import Facet, Schema, TaskType
from tasktypes.prompts import one_line
from tasktypes.registry import TASK_TYPES
from tasktypes.scores import InScores, Score, Scoring

STEPS, SCORE = (
    (Path(__file__).parent / name).read_text(encoding="utf-8")
    for name in ("prompt_steps.txt", "prompt_score.txt")
)
TOP_LOGPROBS = 20


class GEvalParameters(ChatParameters):
    """How scores are drawn.

    scoring: `samples` averages `samples` replies at `temperature`; `logprobs` weighs the points by
    the probability of their tokens, in one call. samples: how many. min_samples: fewer readable
    ones are no answer; null is half of them, rounded up. steps: evaluation steps by criterion; the
    model writes its own for a criterion without them. steps_max_tokens: how long those may be.
    """

    scoring: Literal["samples", "logprobs"] = "samples"
    samples: int = Field(default=20, ge=1, le=100)
    min_samples: int | None = Field(default=None, ge=1)
    temperature: float | None = Field(default=1.0, ge=0, le=2)
    max_tokens: int | None = Field(default=16, ge=1)
    steps: Mapping[str, str] = Field(default_factory=dict)
    steps_max_tokens: int = Field(default=1024, ge=1)


class GEval(ChatMethod[GEvalParameters]):
    """One score at a time: the mean of samples, or of the points weighted by probability."""

    name = "geval"
    version = 3
    title = "G-Eval"
    description = (
        "Judges one criterion at a time by evaluation steps, which are set or which the model "
        "first writes itself. The score is the mean of many samples, or of the points of the "
        "scale weighted by the probability of their tokens, where the endpoint reports it. "
        "A sample that cannot be read is counted as such and enters no mean; a score that rests "
        "on fewer samples than were made is marked."
    )
    serves = tuple(kind for kind in TASK_TYPES if isinstance(kind, InScores))
    between_points = True
    Parameters = GEvalParameters

    @classmethod
    def resolve_parameters(cls, parameters: GEvalParameters) -> GEvalParameters:
        fewest = parameters.min_samples or (parameters.samples + 1) // 2
        if fewest > parameters.samples:
            raise ValueError("min_samples: more than there are samples")
        return super().resolve_parameters(parameters.model_copy(update={"min_samples": fewest}))

    def objection(self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet]) -> str:
        if self.parameters.scoring != "logprobs":
            return ""
        if not (isinstance(task_type, InScores) and task_type.has_points):
            return "its scale is continuous and has no points to weight"
        labels = [facet.name for facet in facets if facet.kind == "label"]
        if labels:
            return f"the points of {', '.join(labels)} are names and have no weighted mean"
        return ""

    @property
    def _coldest(self) -> float | None:
        """0, unless the temperature is left to the endpoint: some models reject one."""
        return None if self.parameters.temperature is None else 0.0

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        return f"Steps:\n\n{STEPS}\nScore:\n\n{SCORE}"

    def plan(self, ask: Ask) -> Cost:
        kind = ask.task_type
        assert isinstance(kind, InScores)
        by_logprobs = self.parameters.scoring == "logprobs"
        return self.expected(
            *(
                PlannedStep(
                    "\n".join((SCORE, *_about(scoring).values(), scoring.material, scoring.text)),
                    calls=1 if by_logprobs else self.parameters.samples,
                    reply_tokens=4,
                )
                for scoring in kind.scorings(ask.payload)
            )
        )

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        kind = ask.task_type
        assert isinstance(kind, InScores)
        scores = []
        for number, scoring in enumerate(kind.scorings(ask.payload)):
            steps = await self._steps(conversation, scoring)
            scores.append(await self._score(conversation, scoring, steps, f"score {number}"))
        answer: Schema = kind.from_scores(ask.payload, scores)
        return answer

    async def _steps(self, conversation: Conversation, scoring: Scoring) -> str:
        name = scoring.criterion
        if name in self.parameters.steps:
            return self.parameters.steps[name]
        key = "\n".join(_about(scoring).values())
        return await conversation.once(key, lambda: self._written_steps(conversation, scoring))

    async def _written_steps(self, conversation: Conversation, scoring: Scoring) -> str:
        """The model's own steps. The request is the same for every unit, so that later chunks of
        the run find the reply in the cache."""
        reply = await conversation.send(
            Template(STEPS).substitute(_about(scoring)),
            step=f"steps {scoring.criterion}",
            temperature=self._coldest,
            max_tokens=self.parameters.steps_max_tokens,
            seed=0,
        )
        if not reply.text.strip() or is_refusal(reply.text):
            raise conversation.mark_unreadable(reply, "the reply holds no steps")
        return reply.text.strip()

    async def _score(
        self, conversation: Conversation, scoring: Scoring, steps: str, step: str
    ) -> Score:
        prompt = Template(SCORE).substitute(
            _about(scoring),
            steps=steps,
            material=scoring.material,
            text=one_line(scoring.text),
            choice=_choice(scoring),
        )
        if self.parameters.scoring == "logprobs":
            return await self._weighed(conversation, scoring, prompt, step)
        return await self._sampled(conversation, scoring, prompt, step)

    async def _weighed(
        self, conversation: Conversation, scoring: Scoring, prompt: str, step: str
    ) -> Score:
        reply = await conversation.send(
            prompt, step=step, temperature=self._coldest, top_logprobs=TOP_LOGPROBS
        )
        try:
            return weigh(reply.text, reply.reply.detail.get("logprobs", ()), scoring).mean
        except Unreadable as error:
            raise conversation.mark_unreadable(reply, str(error)) from error

    async def _sampled(
        self, conversation: Conversation, scoring: Scoring, prompt: str, step: str
    ) -> Score:
        samples = await conversation.samples(prompt, self.parameters.samples, step=step)
        scores = []
        for reply in samples:
            if reply is None:
                continue
            try:
                scores.append(read_score(reply.text, scoring))
            except Unreadable as error:
                conversation.mark_unreadable(reply, str(error))
        if len(scores) < (self.parameters.min_samples or 1):
            raise NoAnswer(f"{len(scores)} of {len(samples)} samples could be read")
        if len(scores) < len(samples):
            # The page of the run, of the judge and of the unit show it beside the answer.
            conversation.add_detail({"samples_read": len(scores), "samples_made": len(samples)})
        return _combined(scores)


def _combined(scores: list[Score]) -> Score:
    """The mean of numbers; of names the most frequent, the first of several."""
    numbers = [score for score in scores if not isinstance(score, str)]
    return sum(numbers) / len(numbers) if numbers else max(scores, key=scores.count)


def _about(scoring: Scoring) -> dict[str, str]:
    points = (
        f"{point.written}{f' = {one_line(point.meaning)}' if point.meaning else ''}"
        for point in scoring.points
    )
    return {
        "criterion": scoring.criterion,
        "question": one_line(scoring.question),
        "definition": one_line(scoring.definition),
        "points": "\n".join(points),
    }


def _choice(scoring: Scoring) -> str:
    first, last = scoring.points[0].written, scoring.points[-1].written
    if scoring.continuous:
        return f"a number from {first} to {last}"
    return "one of " + ", ".join(point.written for point in scoring.points)
