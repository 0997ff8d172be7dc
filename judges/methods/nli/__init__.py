"""The NLI judge: does the passage entail the sentence?

It uses a classifier, or a model in the manner of TRUE (Honovich et al. (2022), "TRUE: Re-evaluating
Factual Consistency Evaluation"), which replies 1 where the premise entails the hypothesis. Only
the probability of "1" counts: in T5's vocabulary "0" takes two tokens.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from string import Template
from typing import Any

from pydantic import Field

from judges.backends.classification import NAME as CLASSIFICATION
from judges.backends.classification import entailment_of, open_classifier
from judges.backends.local.batches import ModelScores
from judges.backends.local.weights import Weights
from judges.backends.seq2seq import NAME as SEQ2SEQ
from judges.backends.seq2seq import DocumentPrompt, check_words, open_first_word
from judges.methods.asks import Ask
from judges.methods.thresholds import TextPair, ThresholdMethod, ThresholdParameters
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.contract import TaskType
from tasktypes.likert import LIKERT
from tasktypes.machines.scores import Score, Scoring

PROMPT = (Path(__file__).parent / "prompt.txt").read_text(encoding="utf-8").rstrip("\n")
ENTAILED = "1"


class NliParameters(ThresholdParameters):
    """"""

    threshold: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    """The smallest probability of entailment at which a text is entailed; left out, a text is
    entailed where that is the model's most probable label."""


class Nli(ThresholdMethod[NliParameters]):
    """Every sentence that the passage entails."""

    name = "nli"
    title = "Entailment"
    description = (
        "Asks a model on this machine whether a premise entails a hypothesis. Citation recovery: "
        "the premise is the passage, the hypothesis each sentence alone, without its citation "
        "markers; the entailed ones are the answer. A criterion with yes and no: whether the "
        "document (or all passages) entails the text. A premise that is too long is cut at its "
        "end, a hypothesis is never cut."
    )
    serves = (CITATION_RECOVERY, LIKERT)
    backends = (CLASSIFICATION, SEQ2SEQ)
    default_models = {
        CLASSIFICATION: "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli",
        SEQ2SEQ: "google/t5_xxl_true_nli_mixture",
    }
    Parameters = NliParameters

    @classmethod
    def check(cls, weights: Weights, backend: str) -> None:
        if backend == SEQ2SEQ:
            check_words(weights, (ENTAILED,))
        else:
            entailment_of(weights)

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        return PROMPT if self.backend == SEQ2SEQ else ""

    def first_prompt(self, ask: Ask) -> str:
        return _filled(*self.inputs(ask)[0]).text if self.backend == SEQ2SEQ else ""

    def scored(self, inputs: Sequence[TextPair]) -> list[ModelScores]:
        if self.backend == SEQ2SEQ:
            model = open_first_word(self.weights, (ENTAILED,), self.model_settings)
            return model.scored([_filled(*pair) for pair in inputs])
        return open_classifier(self.weights, self.model_settings).scored(inputs)

    def score(self, scored: ModelScores) -> float:
        return scored.values[self._entailment]

    def is_decided(self, scored: ModelScores) -> bool:
        if self.parameters.threshold is None:
            return scored.top == self._entailment
        return super().is_decided(scored)

    def point(self, scoring: Scoring, score: float, *, decided: bool) -> Score:
        return self.yes_or_no(scoring, decided=decided)

    @cached_property
    def _entailment(self) -> int:
        return 0 if self.backend == SEQ2SEQ else entailment_of(self.weights)


def _filled(premise: str, hypothesis: str) -> DocumentPrompt:
    before, after = PROMPT.split("${premise}")
    return DocumentPrompt(before, premise, Template(after).substitute(hypothesis=hypothesis))
