"""G-Eval: one criterion at a time, by evaluation steps and many samples or token probabilities.

Following Liu, Iter, Xu, Wang, Xu and Zhu (2023), "G-Eval: NLG Evaluation using GPT-4 with Better
Human Alignment"; the prompts are our own.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from judges.methods.asks import Ask, Cost
from judges.methods.conversation import (
    ChatMethod,
    ChatParameters,
    Conversation,
    NoAnswer,
    PlannedStep,
    Step,
    with_slots_of_payload,
)
from judges.methods.conversation.messages import Message
from judges.methods.conversation.parameters import MOST_TOKENS
from judges.methods.geval.replies import Unreadable, read_score, weigh
from judges.methods.geval.slots import ABOUT, JUDGED, JudgedText, about, first_judged, score_turns
from judges.methods.refusals import is_refusal
from tasktypes.contract import TaskType
from tasktypes.facets import Facet
from tasktypes.machines.scores import InScores, Score, Scoring
from tasktypes.registry import TASK_TYPES
from tasktypes.schemas import Schema

STEPS, SCORE, REASONED = (
    (Path(__file__).parent / name).read_text(encoding="utf-8")
    for name in ("prompt_steps.txt", "prompt_score.txt", "prompt_reasoned.txt")
)
# Replies with a reason before the score are at most so long, where the judge does not say.
REASONED_TOKENS = 512
TOP_LOGPROBS = 20


class GEvalParameters(ChatParameters):
    """How scores are drawn."""

    scoring: Literal["samples", "logprobs"] = "samples"
    """`samples` averages `samples` replies at `temperature`; `logprobs` weighs the points by the
    probability of their tokens, in one call."""
    samples: int = Field(default=20, ge=1, le=100)
    """How many."""
    min_samples: int | None = Field(default=None, ge=1, le=100)
    """Fewer readable ones are no answer; null is half of them, rounded up."""
    temperature: float | None = Field(default=1.0, ge=0, le=2)
    """Null leaves it to the endpoint."""
    max_tokens: int | None = Field(default=16, ge=1, le=MOST_TOKENS)
    """Null leaves it to the endpoint."""
    steps: Mapping[str, str] = Field(default_factory=dict)
    """Evaluation steps by criterion; the model writes its own for a criterion without them."""
    steps_max_tokens: int = Field(default=1024, ge=1, le=MOST_TOKENS)
    """How long those may be."""


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
        if parameters.asks_reason and "max_tokens" not in parameters.model_fields_set:
            parameters = parameters.model_copy(update={"max_tokens": REASONED_TOKENS})
        return super().resolve_parameters(parameters.model_copy(update={"min_samples": fewest}))

    @classmethod
    def steps(
        cls, parameters: GEvalParameters, task_type: TaskType[Any, Any, Any]
    ) -> tuple[Step, ...]:
        slots = with_slots_of_payload(JUDGED, task_type.slots)
        score = Step(
            "score",
            SCORE,
            slots,
            reply="line",
            reasoned=REASONED,
            turns=score_turns(task_type),
            shown=first_judged(task_type, parameters.steps),
        )
        return Step("steps", STEPS, ABOUT, reply="text"), score

    def objection(
        self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet], block: str = ""
    ) -> str:
        problem = super().objection(task_type, facets, block)
        if problem or self.parameters.scoring != "logprobs":
            return problem
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

    def plan(self, ask: Ask) -> Cost:
        kind = ask.task_type
        assert isinstance(kind, InScores)
        by_logprobs = self.parameters.scoring == "logprobs"
        template = self.template(ask, "score")
        return self.expected(
            *(
                PlannedStep(
                    "\n".join((template, about(scoring), scoring.material, scoring.text)),
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
            messages = self.messages(ask, "score", JudgedText(ask.payload, scoring, steps))
            scores.append(await self._score(conversation, scoring, messages, f"score {number}"))
        answer: Schema = kind.from_scores(ask.payload, scores)
        return answer

    async def _steps(self, conversation: Conversation, scoring: Scoring) -> str:
        name = scoring.criterion
        if name in self.parameters.steps:
            return self.parameters.steps[name]
        return await conversation.once(
            about(scoring), lambda: self._written_steps(conversation, scoring)
        )

    async def _written_steps(self, conversation: Conversation, scoring: Scoring) -> str:
        """The model's own steps. The request is the same for every unit, so that later chunks of
        the run find the reply in the cache."""
        reply = await conversation.send(
            self.messages(conversation.ask, "steps", scoring),
            step=f"steps {scoring.criterion}",
            temperature=self._coldest,
            max_tokens=self.parameters.steps_max_tokens,
            seed=0,
        )
        if not reply.text.strip() or is_refusal(reply.text):
            raise conversation.mark_unreadable(reply, "the reply holds no steps")
        return reply.text.strip()

    async def _score(
        self,
        conversation: Conversation,
        scoring: Scoring,
        messages: tuple[Message, ...],
        step: str,
    ) -> Score:
        if self.parameters.scoring == "logprobs":
            return await self._weighed(conversation, scoring, messages, step)
        return await self._sampled(conversation, scoring, messages, step)

    async def _weighed(
        self,
        conversation: Conversation,
        scoring: Scoring,
        messages: tuple[Message, ...],
        step: str,
    ) -> Score:
        reply = await conversation.send(
            messages, step=step, temperature=self._coldest, top_logprobs=TOP_LOGPROBS
        )
        text = conversation.answer_text(reply)
        try:
            return weigh(text, reply.reply.detail.get("logprobs", ()), scoring)
        except Unreadable as error:
            raise conversation.mark_unreadable(reply, str(error)) from error

    async def _sampled(
        self,
        conversation: Conversation,
        scoring: Scoring,
        messages: tuple[Message, ...],
        step: str,
    ) -> Score:
        samples = await conversation.samples(messages, self.parameters.samples, step=step)
        scores = []
        for reply in samples:
            if reply is None:
                continue
            try:
                text = conversation.answer_text(reply)
                scores.append(read_score(text, scoring))
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
