"""Methods that decide about single texts by a score and a threshold.

A question is split into pairs of a document and a text that it may support. The decisions about the
texts make the answer: the sentences that cite a passage, or a yes or no by a criterion.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from judges.backends.local.batches import ModelScores
from judges.methods.asks import Ask
from judges.methods.local_model import ModelMethod, ModelParameters, ScoredAnswer
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.machines.needs import EVIDENCE, Need
from tasktypes.machines.scores import InScores, Score, Scoring
from tasktypes.schemas import Schema
from tasktypes.texts.citations import without_markers

TextPair = tuple[str, str]


Share = Annotated[float, Field(ge=0, le=1)]


class Fit(Schema):
    """How a threshold was fitted, and how it does on sources that it was not fitted on.

    fitted_on: which answers are taken as right (`humans`, by `consensus`, or `references`). share
    and seed: of the split of the sources. candidates: how many thresholds were tried. Scores are
    means within an item, then over items, in [0, 1]; None where no test source was left. before:
    the scores on the same test sources before, by the threshold of the judge that was fitted.
    """

    study: str
    judge: str
    fitted_on: Literal["humans", "references"]
    consensus: str = ""
    raters: int = Field(default=0, ge=0, lt=2**31)
    measure: str
    share: float = Field(gt=0, lt=1)
    seed: int = Field(ge=0, lt=2**63)
    candidates: int = Field(ge=1, lt=2**31)
    train_sources: int = Field(ge=1, lt=2**31)
    train_questions: int = Field(ge=1, lt=2**31)
    test_sources: int = Field(ge=0, lt=2**31)
    test_questions: int = Field(ge=0, lt=2**31)
    train: Share
    test: Mapping[str, Share] | None = None
    before: Mapping[str, Share] | None = None


class ThresholdParameters(ModelParameters):
    """When a text counts as supported."""

    threshold: float | None = Field(default=None, ge=-1, le=1, allow_inf_nan=False)
    """The smallest score."""
    yes: tuple[str, ...] = Field(default=("yes",), min_length=1)
    """The names of the label that means yes."""
    fit: Fit | None = None
    """Where the threshold comes from, if it was fitted."""


D = TypeVar("D", bound=ThresholdParameters)


@dataclass(frozen=True)
class JudgedText:
    """A text that is decided about by itself, and the document that it is compared with."""

    key: str
    document: str
    text: str

    @property
    def pair(self) -> TextPair:
        return self.document, self.text


class ThresholdMethod(ModelMethod[D, TextPair]):
    """A method that compares a score with a threshold; it can be calibrated."""

    def needs(self, ask: Ask) -> frozenset[Need]:
        return super().needs(ask) | EVIDENCE

    @abstractmethod
    def score(self, scored: ModelScores) -> float:
        """The number that is compared with the threshold."""

    @abstractmethod
    def point(self, scoring: Scoring, score: float, *, decided: bool) -> Score:
        """The point of a scale for a decision; ValueError where the scale has none."""

    def is_decided(self, scored: ModelScores) -> bool:
        """Whether the text counts as supported by the judge's own threshold."""
        threshold = self.parameters.threshold
        return threshold is not None and self.score(scored) >= threshold

    def texts(self, ask: Ask) -> list[JudgedText]:
        """The texts of a question, without citation markers. A sentence that consists of citations
        alone is left out."""
        self.check_shown(ask)
        return [text for text in _texts(ask) if text.text.strip()]

    def inputs(self, ask: Ask) -> list[TextPair]:
        texts = self.texts(ask)
        # Fail here, before the model runs, where the scale has no points for the decisions.
        self.answer_by(ask, {text.key: 0.0 for text in texts}, frozenset())
        return [text.pair for text in texts]

    def request(self, ask: Ask, inputs: Sequence[TextPair]) -> Mapping[str, Any]:
        documents = list(dict.fromkeys(document for document, _ in inputs))
        return {"documents": documents, "texts": [text for _, text in inputs]}

    def answer_from_scores(self, ask: Ask, scored: Sequence[ModelScores]) -> ScoredAnswer:
        by_key = {text.key: values for text, values in zip(self.texts(ask), scored, strict=True)}
        scores = {key: self.score(values) for key, values in by_key.items()}
        chosen = [key for key, values in by_key.items() if self.is_decided(values)]
        answer = self.answer_by(ask, scores, frozenset(chosen))
        text = ", ".join(f"{key}: {score:.4f}" for key, score in scores.items())
        return ScoredAnswer(answer, text, {"scores": scores, "decided": chosen})

    def answer_at(self, ask: Ask, scores: Mapping[str, float], threshold: float) -> Schema:
        """The answer by the scores and that threshold."""
        chosen = frozenset(key for key, score in scores.items() if score >= threshold)
        return self.answer_by(ask, scores, chosen)

    def answer_by(self, ask: Ask, scores: Mapping[str, float], chosen: frozenset[str]) -> Schema:
        """The answer in which the texts with the chosen keys are supported."""
        kind = ask.task_type
        if isinstance(kind, InScores):
            keys = _scoring_keys(kind.scorings(ask.payload))
            missing = [key for key, _ in keys if key not in scores]
            if missing:
                raise ValueError(f"{missing[0]}: there is no text to judge.")
            points = [
                self.point(scoring, scores[key], decided=key in chosen) for key, scoring in keys
            ]
            answer: Schema = kind.from_scores(ask.payload, points)
            return answer
        return CITATION_RECOVERY.Answer(sentences=tuple(int(key) for key in chosen))

    def yes_or_no(self, scoring: Scoring, *, decided: bool) -> Score:
        """The point for yes or for no; ValueError where the points are not a yes and a no."""
        values = [point.value for point in scoring.points]
        if len(values) == 2 and not scoring.continuous:
            if scoring.ends is not None:
                return scoring.ends[decided]
            yes = [value for value in values if str(value).lower() in self._yes]
            if len(yes) == 1:
                return next(value for value in values if (value == yes[0]) is decided)
        raise ValueError(
            f"{scoring.criterion}: {self.name} needs a yes and a no, but the points are "
            + ", ".join(point.written for point in scoring.points)
        )

    @property
    def _yes(self) -> set[str]:
        return {name.lower() for name in self.parameters.yes}


def _texts(ask: Ask) -> list[JudgedText]:
    kind = ask.task_type
    if isinstance(kind, InScores):
        keys = _scoring_keys(kind.scorings(ask.payload))
        return [
            JudgedText(key, scoring.document, without_markers(scoring.text))
            for key, scoring in keys
        ]
    payload = CITATION_RECOVERY.Payload.model_validate(ask.payload)
    document = payload.passage_in_question.text
    return [
        JudgedText(str(sentence.number), document, without_markers(sentence.text))
        for sentence in payload.sentences
    ]


def _scoring_keys(scorings: Sequence[Scoring]) -> list[tuple[str, Scoring]]:
    """Each scoring with a key: its criterion, and its number among those of the criterion."""
    counts: Counter[str] = Counter()
    keys = []
    for scoring in scorings:
        keys.append((f"{scoring.criterion}/{counts[scoring.criterion]}", scoring))
        counts[scoring.criterion] += 1
    return keys
