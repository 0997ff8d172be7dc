"""The embedding judge: it compares two texts by the cosine of their vectors."""

from collections.abc import Sequence

from pydantic import Field

from judges.backends.embedding import MINILM, open_embedder
from judges.backends.embedding import NAME as BACKEND
from judges.backends.local.batches import ModelScores
from judges.backends.local.weights import Weights, config_of
from judges.methods.thresholds import TextPair, ThresholdMethod, ThresholdParameters
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.machines.scores import InScores, Score, Scoring
from tasktypes.registry import TASK_TYPES


class EmbeddingParameters(ThresholdParameters):
    """"""

    threshold: float = Field(default=0.5, ge=-1, le=1, allow_inf_nan=False)
    """The smallest cosine, in [-1, 1], at which a text counts as supported."""


class Embedding(ThresholdMethod[EmbeddingParameters]):
    """Every sentence whose cosine reaches the threshold; on a scale of numbers, the cosine."""

    name = "embedding"
    title = "Embedding similarity"
    description = (
        "Embeds texts with a model on this machine and takes the cosine of two of them. "
        "Citation recovery: every sentence whose cosine with the passage reaches the threshold. "
        "A criterion with two named points: yes from the threshold on. A scale of numbers: a "
        "cosine of 0 or less is its low end, 1 its high end, linear between. Texts are compared "
        "with the document or, without one, with all passages, without citation markers."
    )
    serves = (
        CITATION_RECOVERY,
        *(kind for kind in TASK_TYPES if isinstance(kind, InScores)),
    )
    backends = (BACKEND,)
    default_models = {BACKEND: MINILM}
    between_points = True
    Parameters = EmbeddingParameters

    @classmethod
    def check(cls, weights: Weights, backend: str) -> None:
        config_of(weights)

    def scored(self, inputs: Sequence[TextPair]) -> list[ModelScores]:
        return open_embedder(self.weights, self.model_settings).scored(inputs)

    def score(self, scored: ModelScores) -> float:
        return scored.values[0]

    def point(self, scoring: Scoring, score: float, *, decided: bool) -> Score:
        if scoring.ends is None:
            return self.yes_or_no(scoring, decided=decided)
        return scoring.along(max(0.0, score))
