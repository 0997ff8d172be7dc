"""Baselines: judges that do not read, fitted on people's answers: the floor for other judges."""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from judges.backends.contract import Failure, Reply
from judges.backends.embedding import MINILM
from judges.backends.local.weights import UnusableModel, Weights, pinned
from judges.methods.asks import Ask, AskOutcome
from judges.methods.baseline.features import PLAIN, Measure, seen, similarity
from judges.methods.contract import Method
from judges.methods.server_names import LocalModel, Revision
from tasktypes.contract import TaskType
from tasktypes.facets import Facet
from tasktypes.machines.fitted_parts import By, Fit, Fitted, half_of, value_of
from tasktypes.machines.needs import Need
from tasktypes.machines.parts import InParts, Part
from tasktypes.registry import TASK_TYPES
from tasktypes.schemas import Schema

# Questions whose texts are measured together.
WINDOW = 64
REMEDY = "add and run the baselines on the page Judges, or by `judge STUDY --baselines`"


class BaselineParameters(Schema):
    """What it goes by, and its fit."""

    by: By = "commonest"
    """`commonest`: always people's commonest answer; where any number will do, their mean; of texts
    to rank and sentences to cite, what people gave on average to the place where each is shown, so
    that it ranks places and not texts; `random`: drawn as often as people gave each answer;
    `length`: the number of words; `overlap`: the words shared with the source; `embedding`: the
    cosine with the source, by a model on this machine."""
    embedding: LocalModel = MINILM
    """The model for `embedding`; the revision is filled in when the judge is defined."""
    embedding_revision: Revision = ""
    """The model for `embedding`; the revision is filled in when the judge is defined."""
    fit: Fit | None = None
    """What was fitted on people's answers; filled in when the study's baselines are made."""

    @property
    def reads(self) -> bool:
        """Whether it looks at the texts at all."""
        return self.by not in ("commonest", "random")


class Baseline(Method[BaselineParameters]):
    """People's answers by something that is not in the reading."""

    name = "baseline"
    title = "Baseline"
    description = (
        "Answers without reading: the floor that a judge must beat. What it goes by is mapped to "
        "people's answers by half of the sources, and answers the other half, so that no unit is "
        "answered by labels of its own source. A number or the share of a label follows length, "
        "overlap or similarity by a curve that only rises or only falls; of labels the most "
        "probable one is taken. Its name begins with `baseline:`, and results compare every other "
        "judge with each of them. It asks no model but for `embedding`."
    )
    serves = tuple(kind for kind in TASK_TYPES if isinstance(kind, InParts))
    opens_model = by_hand = False
    answers_per_chunk = 500
    Parameters = BaselineParameters

    @classmethod
    def resolve_parameters(cls, parameters: BaselineParameters) -> BaselineParameters:
        """With the embedding model pinned."""
        if parameters.by != "embedding":
            return parameters
        try:
            weights = pinned(parameters.embedding, parameters.embedding_revision)
        except UnusableModel as error:
            raise ValueError(f"embedding: {error}") from error
        pins = {"embedding": weights.name, "embedding_revision": weights.revision}
        return parameters.model_copy(update=pins)

    def objection(
        self, task_type: TaskType[Any, Any, Any], facets: Sequence[Facet], block: str = ""
    ) -> str:
        """Nothing can be answered without people's answers to calibrate on."""
        fit = self.parameters.fit
        if fit is not None and (not block or block in fit.halves):
            return ""
        return f"it has no people's answers to calibrate on; {REMEDY}"

    def needs(self, ask: Ask) -> frozenset[Need]:
        """Base rates need no text."""
        return super().needs(ask) if self.parameters.reads else frozenset()

    @property
    def measure(self) -> Measure:
        """What it sees of a text beside its source."""
        own = self.parameters
        if own.by == "embedding":
            return similarity(Weights(own.embedding, own.embedding_revision))
        return PLAIN[own.by]

    def answer(self, ask: Ask) -> AskOutcome:
        return next(iter(self.answers([ask])))

    def answers(self, asks: Iterable[Ask]) -> Iterator[AskOutcome]:
        """Outcomes, window by window. Unusable where the embedding model cannot be used."""
        waiting = iter(asks)
        while window := list(islice(waiting, WINDOW)):
            started = time.monotonic()
            questions = [_Question.of(ask) for ask in window]
            parts = [part for question in questions for part in question.parts]
            numbers = iter(self._seen(parts))
            latency_ms = round(1000 * (time.monotonic() - started) / len(window))
            for question in questions:
                own = list(islice(numbers, len(question.parts)))
                yield self._outcome(question, own, latency_ms)

    def _outcome(
        self, question: "_Question", numbers: Sequence[float], latency_ms: int
    ) -> AskOutcome:
        ask, reply = question.ask, Reply(latency_ms=latency_ms)
        if question.refused:
            return AskOutcome(ask, (reply.failed(Failure.ERROR, question.refused),))
        try:
            values = self._values(question, numbers)
            answer = _in_parts(ask).from_parts(ask.payload, values)
            ask.task_type.check(ask.payload, answer)
        except ValueError as error:
            return AskOutcome(ask, (reply.failed(Failure.ERROR, str(error)),))
        text = ", ".join(
            f"{part.slot}: {value}" for part, value in zip(question.parts, values, strict=True)
        )
        detail = {"seen": list(numbers)} if self.parameters.reads else {}
        reply = Reply(text=text, detail=detail, latency_ms=latency_ms)
        return AskOutcome(ask, (reply,), answer)

    def _seen(self, parts: Sequence[Part]) -> Sequence[float]:
        return seen(parts, self.measure) if self.parameters.reads else [0.0] * len(parts)

    def _values(self, question: "_Question", numbers: Sequence[float]) -> list[float | str]:
        by, own = self.parameters.by, self._fitted(question.ask)
        draw = random.Random(question.ask.seed)  # noqa: S311 (stored with the run)
        return [
            value_of(by, part, own, number, draw)
            for part, number in zip(question.parts, numbers, strict=True)
        ]

    def _fitted(self, ask: Ask) -> Fitted:
        """What was fitted on the half in which the question's source is not."""
        fit = self.parameters.fit
        if fit is None or ask.block not in fit.halves:
            raise ValueError(self.objection(ask.task_type, (), ask.block))
        return fit.halves[ask.block][1 - half_of(fit.seed, ask.source)]


@dataclass(frozen=True)
class _Question:
    """An ask with the parts of its answer. refused: why it has none."""

    ask: Ask
    parts: tuple[Part, ...] = ()
    refused: str = ""

    @classmethod
    def of(cls, ask: Ask) -> "_Question":
        try:
            return cls(ask, _in_parts(ask).parts(ask.payload))
        except ValueError as error:
            return cls(ask, refused=str(error))


def _in_parts(ask: Ask) -> InParts[Any, Any]:
    kind = ask.task_type
    assert isinstance(kind, InParts)  # no other is served
    return kind
