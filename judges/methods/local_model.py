"""Methods that run a model on this machine, on many questions at a time.

The questions of a window are split into inputs, the model computes all inputs together, and each
question's answer is made from the scores of its inputs.
"""

import math
import time
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import Field

from judges.backends.contract import Failure, Reply, Unusable
from judges.backends.local.batches import ModelScores
from judges.backends.local.models import Device, Dtype, ModelSettings, resolve_device
from judges.backends.local.weights import UnusableModel, Weights, pinned
from judges.methods.asks import Ask, AskOutcome, Cost
from judges.methods.contract import Method
from judges.methods.options import BadModel
from judges.methods.server_names import Revision
from tasktypes.schemas import Schema

# Tokens; more than memory holds at once.
LONGEST_INPUT = 1_000_000


class ModelParameters(Schema):
    """How a model on this machine runs."""

    revision: Revision = ""
    """A commit, branch or tag on the hub; filled in when the judge is defined, for a folder with a
    fingerprint of its files."""
    device: Device = "auto"
    """Auto takes cuda, else mps, else cpu."""
    dtype: Dtype = "auto"
    """Auto is bfloat16 on cuda, else float32; autocast computes in bfloat16 where it is safe."""
    max_tokens: int | None = Field(default=None, ge=16, le=LONGEST_INPUT)
    """The longest input; left out, the model's limit."""
    batch_tokens: int | None = Field(default=None, ge=64, le=LONGEST_INPUT)
    """The size of a batch."""


M = TypeVar("M", bound=ModelParameters)
I = TypeVar("I")  # noqa: E741  (an input of the backend)


# After a window that took less the next one is larger, after one that took more it is smaller.
SHORT_SECONDS, LONG_SECONDS = 4.0, 12.0


@dataclass(frozen=True)
class ScoredAnswer:
    """An answer, and the scores that it was made from.

    text: kept as the reply. detail: kept with the call; its `scores` are by text of the question.
    """

    answer: Schema
    text: str
    detail: Mapping[str, Any]


class ModelMethod(Method[M], Generic[M, I]):
    """A method that runs a model on this machine."""

    answers_per_chunk = 500
    # How many questions go to the model together: at first, and at most.
    windows: ClassVar[tuple[int, int]] = (8, 256)

    @classmethod
    @abstractmethod
    def check(cls, weights: Weights, backend: str) -> None:
        """UnusableModel where the model cannot be used, if that is known without loading it."""

    @abstractmethod
    def inputs(self, ask: Ask) -> list[I]:
        """The model's inputs for a question; ValueError where it has none."""

    @abstractmethod
    def scored(self, inputs: Sequence[I]) -> list[ModelScores]:
        """The model's scores for each input; UnusableModel where it cannot be used."""

    @abstractmethod
    def answer_from_scores(self, ask: Ask, scored: Sequence[ModelScores]) -> ScoredAnswer:
        """The answer from the scores of a question's inputs; ValueError where there is none."""

    @abstractmethod
    def request(self, ask: Ask, inputs: Sequence[I]) -> Mapping[str, Any]:
        """The inputs as they are kept with the call."""

    @classmethod
    def resolve_model(cls, parameters: M, *, model: str, backend: str) -> tuple[M, str]:
        """With the model pinned: a folder by its files, a repository by its commit."""
        try:
            weights = pinned(model, parameters.revision)
            cls.check(weights, backend)
        except UnusableModel as error:
            raise BadModel(str(error)) from error
        pins = {"revision": weights.revision}
        return cls.resolve_parameters(parameters).model_copy(update=pins), weights.name

    @property
    def weights(self) -> Weights:
        return Weights(self.model, self.parameters.revision)

    @property
    def model_settings(self) -> ModelSettings:
        own = self.parameters
        return ModelSettings(own.device, own.dtype, own.max_tokens, own.batch_tokens)

    def plan(self, ask: Ask) -> Cost:
        """One call without a price. The tokens are unknown before the tokenizer is loaded."""
        return Cost(tokens_in=None)

    def answer(self, ask: Ask) -> AskOutcome:
        return next(iter(self.answers([ask])))

    def answers(self, asks: Iterable[Ask]) -> Iterator[AskOutcome]:
        """Outcomes, window by window. Unusable where the model cannot be used."""
        waiting, (size, most) = iter(asks), self.windows
        while window := list(islice(waiting, size)):
            started = time.monotonic()
            outcomes = self._answered(window)
            size = _next_size(size, time.monotonic() - started, most)
            yield from outcomes

    def _answered(self, window: Sequence[Ask]) -> list[AskOutcome]:
        started = time.monotonic()
        questions = [self._with_inputs(ask) for ask in window]
        try:
            all_inputs = [model_input for question in questions for model_input in question.inputs]
            results = iter(self.scored(all_inputs))
            device, dtype = resolve_device(self.model_settings)
        except UnusableModel as error:
            raise Unusable(str(error)) from error
        latency_ms = round(1000 * (time.monotonic() - started) / len(window))
        return [
            self._outcome(
                question,
                list(islice(results, len(question.inputs))),
                {"device": device, "dtype": dtype},
                latency_ms,
            )
            for question in questions
        ]

    def _with_inputs(self, ask: Ask) -> "_Inputs[I]":
        try:
            return _Inputs(ask, self.inputs(ask))
        except ValueError as error:
            return _Inputs(ask, [], str(error))

    def _outcome(
        self,
        question: "_Inputs[I]",
        scored: Sequence[ModelScores],
        device: Mapping[str, str],
        latency_ms: int,
    ) -> AskOutcome:
        model = {"model": self.model, "revision": self.parameters.revision}
        reply = Reply(
            request={**self.request(question.ask, question.inputs), **model, **device},
            tokens_in=sum(scores.tokens for scores in scored),
            tokens_out=0,
            latency_ms=latency_ms,
        )
        if question.refused:
            return AskOutcome(question.ask, (reply.failed(Failure.ERROR, question.refused),))
        try:
            scored_answer = self.answer_from_scores(question.ask, _checked(scored))
        except ValueError as error:
            return AskOutcome(question.ask, (reply.failed(Failure.ERROR, str(error)),))
        detail = {**scored_answer.detail, **_cuts(scored)}
        reply = replace(reply, text=scored_answer.text, detail=detail)
        return AskOutcome(question.ask, (reply,), scored_answer.answer)


def _next_size(size: int, took: float, most: int) -> int:
    """The size of the next window: large windows need less padding, small ones let a run stop
    soon when it is paused, however slow the model is."""
    if took > LONG_SECONDS:
        return max(1, size // 2)
    return min(most, 2 * size) if took < SHORT_SECONDS else size


@dataclass(frozen=True)
class _Inputs(Generic[I]):
    """A question with its inputs. refused: why it has none."""

    ask: Ask
    inputs: list[I]
    refused: str = ""


def _checked(scored: Sequence[ModelScores]) -> Sequence[ModelScores]:
    """The scores; ValueError where the model refused an input or computed NaN or infinity."""
    for scores in scored:
        if scores.refused:
            raise ValueError(scores.refused)
        if not all(math.isfinite(value) for value in scores.values):
            raise ValueError("The model's reply is not a number.")
    return scored


def _cuts(scored: Sequence[ModelScores]) -> dict[str, int]:
    """How many inputs there were, how many were cut to the model's limit, and by how much."""
    return {
        "inputs": len(scored),
        "inputs_cut": sum(scores.cut > 0 for scores in scored),
        "tokens_cut": sum(scores.cut for scores in scored),
    }
