"""G-Eval: a quality, steps to judge by, and many samples or the model's own probabilities.

Following Liu, Iter, Xu, Wang, Xu and Zhu (2023), "G-Eval: NLG Evaluation using GPT-4 with Better
Human Alignment"; the prompts are our own.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, Literal

from pydantic import Field

from judges.methods.contract import Ask, Cost
from judges.methods.conversation import ChatMethod, ChatParameters, NoAnswer, Step, Talk
from judges.methods.geval.replies import Unreadable, read_score, weigh
from tasktypes.contract import Facet, Schema, TaskType
from tasktypes.prompts import one_line
from tasktypes.registry import TASK_TYPES
from tasktypes.scores import InScores, Score, Scoring

STEPS, SCORE = (
    (Path(__file__).parent / name).read_text(encoding="utf-8")
    for name in ("prompt_steps.txt", "prompt_score.txt")
)
TOP_LOGPROBS = 20


class Scorer(ChatParameters):
    """How scores are drawn.

    scoring: `samples` averages `samples` replies at `temperature`; `logprobs` weighs the points by
    the probability of their tokens, in one call. samples: how many. min_samples: fewer readable
    ones are no answer. steps: evaluation steps by criterion; the model writes its own for a
    criterion without them. steps_max_tokens: how long those may be.
    """

    scoring: Literal["samples", "logprobs"] = "samples"
    samples: int = Field(default=20, ge=1, le=100)
    min_samples: int = Field(default=1, ge=1)
    temperature: float | None = Field(default=1.0, ge=0, le=2)
    max_tokens: int | None = Field(default=16, ge=1)
    steps: Mapping[str, str] = Field(default_factory=dict)
    steps_max_tokens: int = Field(default=1024, ge=1)


class GEval(ChatMethod[Scorer]):
    """One score at a time, each the mean of samples or of the points by their probability."""

    name = "geval"
    version = 2
    title = "G-Eval"
    description = (
        "Judges one quality at a time by evaluation steps, which are given or which the model "
        "first writes itself. The score is the mean of many samples, or of the points of the "
        "scale weighted by the probability of the token that writes each, where the endpoint "
        "tells it. A sample that cannot be read is counted as such and enters no mean."
    )
    serves = tuple(kind for kind in TASK_TYPES if isinstance(kind, InScores))
    between_points = True
    Parameters = Scorer

    @classmethod
    def settled(cls, parameters: Scorer) -> Scorer:
        if parameters.min_samples > parameters.samples:
            raise ValueError("min_samples: more than there are samples")
        return super().settled(parameters)

    def objection(self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet]) -> str:
        if self.parameters.scoring != "logprobs":
            return ""
        if not (isinstance(task_type, InScores) and task_type.has_points):
            return "its scale is continuous, and has no points to weigh"
        named = [facet.name for facet in facets if facet.kind == "label"]
        if named:
            return f"the points of {', '.join(named)} are names, and have no weighted mean"
        return ""

    @property
    def _coldest(self) -> float | None:
        """0, unless the temperature is left to the endpoint: some models take none."""
        return None if self.parameters.temperature is None else 0.0

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        return f"Steps:\n\n{STEPS}\nScore:\n\n{SCORE}"

    def plan(self, ask: Ask) -> Cost:
        kind = ask.task_type
        assert isinstance(kind, InScores)
        once = self.parameters.scoring == "logprobs"
        return self.expected(
            *(
                Step(
                    "\n".join((SCORE, *_about(one).values(), one.material, one.text)),
                    calls=1 if once else self.parameters.samples,
                    reply_tokens=4,
                )
                for one in kind.scorings(ask.payload)
            )
        )

    async def judge(self, ask: Ask, talk: Talk) -> Schema:
        kind = ask.task_type
        assert isinstance(kind, InScores)
        scores = []
        for number, scoring in enumerate(kind.scorings(ask.payload)):
            steps = await self._steps(talk, scoring)
            scores.append(await self._score(talk, scoring, steps, f"score {number}"))
        answer: Schema = kind.from_scores(ask.payload, scores)
        return answer

    async def _steps(self, talk: Talk, scoring: Scoring) -> str:
        name = scoring.criterion
        if name in self.parameters.steps:
            return self.parameters.steps[name]
        asked = "\n".join(_about(scoring).values())
        return await talk.once(asked, lambda: self._written_steps(talk, scoring))

    async def _written_steps(self, talk: Talk, scoring: Scoring) -> str:
        """The model's own steps. The request is the same for every unit: a later chunk of the run
        finds the reply in the cache."""
        said = await talk.say(
            Template(STEPS).substitute(_about(scoring)),
            step=f"steps {scoring.criterion}",
            temperature=self._coldest,
            max_tokens=self.parameters.steps_max_tokens,
            seed=0,
        )
        if not said.text.strip():
            raise talk.unreadable(said, "the reply is empty")
        return said.text.strip()

    async def _score(self, talk: Talk, scoring: Scoring, steps: str, step: str) -> Score:
        asked = Template(SCORE).substitute(
            _about(scoring),
            steps=steps,
            material=scoring.material,
            text=one_line(scoring.text),
            choice=_choice(scoring),
        )
        if self.parameters.scoring == "logprobs":
            return await self._weighed(talk, scoring, asked, step)
        return await self._sampled(talk, scoring, asked, step)

    async def _weighed(self, talk: Talk, scoring: Scoring, asked: str, step: str) -> Score:
        said = await talk.say(
            asked, step=step, temperature=self._coldest, top_logprobs=TOP_LOGPROBS
        )
        try:
            return weigh(said.text, said.reply.detail.get("logprobs", ()), scoring).mean
        except Unreadable as error:
            raise talk.unreadable(said, str(error)) from error

    async def _sampled(self, talk: Talk, scoring: Scoring, asked: str, step: str) -> Score:
        samples = await talk.samples(asked, self.parameters.samples, step=step)
        scores = []
        for said in samples:
            if said is None:
                continue
            try:
                scores.append(read_score(said.text, scoring))
            except Unreadable as error:
                talk.unreadable(said, str(error))
        if len(scores) < self.parameters.min_samples:
            raise NoAnswer(f"{len(scores)} of {len(samples)} samples could be read")
        return _together(scores)


def _together(scores: list[Score]) -> Score:
    """The mean of numbers; of names the most frequent, the first among equals."""
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
