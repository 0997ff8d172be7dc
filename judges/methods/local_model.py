"""What the methods share that ask a model on this machine: its choice, and a window of asks.

The questions of a window are taken apart into inputs, all inputs go to the model together, and
what it says is put together again, question by question.
"""

import math
import time
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import Field

from judges.backends.contract import Failure, Reply, Unusable
from judges.backends.local.batches import Scored
from judges.backends.local.models import Device, Dtype, Setting, resolved
from judges.backends.local.weights import Unfit, Weights, pinned
from judges.methods.contract import Ask, BadModel, Cost, Method, Outcome
from tasktypes.contract import Schema


class ModelParameters(Schema):
    """How a model on this machine runs.

    revision: a commit, branch or tag of a hub's repository; filled in when the judge is defined,
    of a folder with a fingerprint of its files. device: auto takes cuda, else mps, else cpu.
    dtype: auto is bfloat16 on cuda, else float32; autocast computes in bfloat16 what bears it.
    max_tokens: the longest input; left out, as the model says. batch_tokens: what a batch holds.
    """

    revision: str = Field(default="", max_length=200)
    device: Device = "auto"
    dtype: Dtype = "auto"
    max_tokens: int | None = Field(default=None, ge=16)
    batch_tokens: int | None = Field(default=None, ge=64)


M = TypeVar("M", bound=ModelParameters)
I = TypeVar("I")  # noqa: E741  (an input of the backend)


# A window that took less is followed by a larger one, one that took more by a smaller.
SHORT_SECONDS, LONG_SECONDS = 4.0, 12.0


@dataclass(frozen=True)
class Verdict:
    """What a method makes of the model's numbers: an answer, how it reads, and the numbers.

    detail is kept with the call; its `scores` are by part of the question.
    """

    answer: Schema
    text: str
    detail: Mapping[str, Any]


class ModelMethod(Method[M], Generic[M, I]):
    """A method that asks a model on this machine."""

    answers_per_chunk = 500
    models_here = ("model",)
    # How many questions go to the model together at first, and at most.
    windows: ClassVar[tuple[int, int]] = (8, 256)

    @classmethod
    @abstractmethod
    def check(cls, weights: Weights, backend: str) -> None:
        """Unfit where the model cannot be used, as far as that is known without loading it."""

    @abstractmethod
    def inputs(self, ask: Ask) -> list[I]:
        """What the model is to be asked for a question; ValueError where it cannot be."""

    @abstractmethod
    def scored(self, inputs: Sequence[I]) -> list[Scored]:
        """What the model says of each input; Unfit where it cannot be used."""

    @abstractmethod
    def concluded(self, ask: Ask, scored: Sequence[Scored]) -> Verdict:
        """What follows from the numbers; ValueError where nothing does."""

    @abstractmethod
    def request(self, ask: Ask, inputs: Sequence[I]) -> Mapping[str, Any]:
        """What was asked, as it is kept with the call."""

    @classmethod
    def settled_with(cls, parameters: M, *, model: str, backend: str) -> tuple[M, str]:
        """With the model pinned: a folder by its files, a repository by its commit."""
        try:
            weights = pinned(model, parameters.revision)
            cls.check(weights, backend)
        except Unfit as error:
            raise BadModel(str(error)) from error
        pins = {"revision": weights.revision}
        return cls.settled(parameters).model_copy(update=pins), weights.name

    @property
    def weights(self) -> Weights:
        return Weights(self.model, self.parameters.revision)

    @property
    def setting(self) -> Setting:
        own = self.parameters
        return Setting(own.device, own.dtype, own.max_tokens, own.batch_tokens)

    def plan(self, ask: Ask) -> Cost:
        """One call without a price; how many tokens only its tokenizer could tell."""
        return Cost(tokens_in=None)

    def answer(self, ask: Ask) -> Outcome:
        return next(iter(self.answers([ask])))

    def answers(self, asks: Iterable[Ask]) -> Iterator[Outcome]:
        """Outcomes, one window after another. Unusable where the model cannot be used."""
        waiting, (size, most) = iter(asks), self.windows
        while window := list(islice(waiting, size)):
            started = time.monotonic()
            outcomes = self._answered(window)
            size = _next_size(size, time.monotonic() - started, most)
            yield from outcomes

    def _answered(self, window: Sequence[Ask]) -> list[Outcome]:
        started = time.monotonic()
        taken = [self._taken_apart(ask) for ask in window]
        try:
            results = iter(self.scored([one for found in taken for one in found.inputs]))
            run = dict(zip(("device", "dtype"), resolved(self.setting), strict=True))
        except Unfit as error:
            raise Unusable(str(error)) from error
        shares = [list(islice(results, len(found.inputs))) for found in taken]
        each = round(1000 * (time.monotonic() - started) / len(window))
        return [
            self._outcome(found, share, run, each)
            for found, share in zip(taken, shares, strict=True)
        ]

    def _taken_apart(self, ask: Ask) -> "_Asked[I]":
        try:
            return _Asked(ask, self.inputs(ask))
        except ValueError as error:
            return _Asked(ask, [], str(error))

    def _outcome(
        self,
        asked: "_Asked[I]",
        scored: Sequence[Scored],
        run: Mapping[str, str],
        latency_ms: int,
    ) -> Outcome:
        model = {"model": self.model, "revision": self.parameters.revision}
        reply = Reply(
            request={**self.request(asked.ask, asked.inputs), **model, **run},
            tokens_in=sum(one.tokens for one in scored),
            tokens_out=0,
            latency_ms=latency_ms,
        )
        if asked.refused:
            return Outcome(asked.ask, (reply.failed(Failure.ERROR, asked.refused),))
        try:
            verdict = self.concluded(asked.ask, _sound(scored))
        except ValueError as error:
            return Outcome(asked.ask, (reply.failed(Failure.ERROR, str(error)),))
        kept = Reply(
            **{
                **vars(reply),
                "text": verdict.text,
                "detail": {**verdict.detail, **_cuts(scored)},
            }
        )
        return Outcome(asked.ask, (kept,), verdict.answer)


def _next_size(size: int, took: float, most: int) -> int:
    """A window that takes a while: many questions leave little filling in the batches, few let a
    run that is paused soon stand still, however slow the model is."""
    if took > LONG_SECONDS:
        return max(1, size // 2)
    return min(most, 2 * size) if took < SHORT_SECONDS else size


@dataclass(frozen=True)
class _Asked(Generic[I]):
    """A question taken apart; `refused` says why it could not be."""

    ask: Ask
    inputs: list[I]
    refused: str = ""


def _sound(scored: Sequence[Scored]) -> Sequence[Scored]:
    """The numbers; ValueError where one is none, or the model was not asked."""
    for one in scored:
        if one.refused:
            raise ValueError(one.refused)
        if not all(math.isfinite(value) for value in one.values):
            raise ValueError("The model's reply is not a number.")
    return scored


def _cuts(scored: Sequence[Scored]) -> dict[str, int]:
    """How many inputs there were, how many were cut to the model's length, and by how much."""
    return {
        "inputs": len(scored),
        "inputs_cut": sum(one.cut > 0 for one in scored),
        "tokens_cut": sum(one.cut for one in scored),
    }
