"""The judge that compares meanings: how near are two texts as vectors?"""

from collections.abc import Sequence

from pydantic import Field

from judges.backends.embedding import MINILM, open_embedder
from judges.backends.embedding import NAME as BACKEND
from judges.backends.local.batches import Scored
from judges.backends.local.weights import Weights, config_of
from judges.methods.thresholds import DecidingMethod, DecidingParameters, Pair
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.registry import TASK_TYPES
from tasktypes.scores import InScores, Score, Scoring


class Nearness(DecidingParameters):
    """threshold: the cosine from which on two texts are near enough, in [-1, 1]."""

    threshold: float = Field(default=0.5, ge=-1, le=1, allow_inf_nan=False)


class Embedding(DecidingMethod[Nearness]):
    """Every sentence that is near enough; on a scale of numbers, nearness itself."""

    name = "embedding"
    title = "Nearness of meaning"
    description = (
        "Turns texts into vectors by a model on this machine and takes the cosine of two of them. "
        "Citation recovery: every sentence whose cosine with the passage reaches the threshold. "
        "A criterion with two named points: yes from the threshold on. A scale of numbers: a "
        "cosine of 0 or less is its low end, 1 its high end, linear between. Texts are held "
        "against the document or, without one, all passages; citation markers are left out."
    )
    serves = (
        CITATION_RECOVERY,
        *(kind for kind in TASK_TYPES if isinstance(kind, InScores)),
    )
    backends = (BACKEND,)
    default_models = {BACKEND: MINILM}
    between_points = True
    Parameters = Nearness

    @classmethod
    def check(cls, weights: Weights, backend: str) -> None:
        config_of(weights)

    def scored(self, inputs: Sequence[Pair]) -> list[Scored]:
        return open_embedder(self.weights, self.setting).scored(inputs)

    def score(self, scored: Scored) -> float:
        return scored.values[0]

    def point(self, scoring: Scoring, score: float, *, decided: bool) -> Score:
        if scoring.ends is None:
            return self.yes_or_no(scoring, decided=decided)
        return scoring.along(max(0.0, score))
