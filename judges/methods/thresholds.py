"""What the methods share that decide about single texts by a score and a threshold.

A question comes apart into pairs: a document, and a text that it may support. What is decided of
each text makes the answer: the sentences to cite a passage, or a yes or no by a criterion.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic import Field

from judges.backends.local.batches import Scored
from judges.methods.contract import Ask
from judges.methods.local_model import ModelMethod, ModelParameters, Verdict
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.citations import without_markers
from tasktypes.contract import Schema
from tasktypes.scores import InScores, Score, Scoring

Pair = tuple[str, str]


class Fit(Schema):
    """How a threshold was fitted, and what it brought on sources that it was not fitted on.

    fitted_on: whose answers are right (`humans`, by `consensus`, or `references`). share and
    seed: of the split of the sources. candidates: how many thresholds were tried. Scores are
    means within an item, then over items, in [0, 1]; None where no test source was left. before:
    the same test sources by the threshold of the judge that was fitted.
    """

    study: str
    judge: str
    fitted_on: Literal["humans", "references"]
    consensus: str = ""
    raters: int = Field(default=0, ge=0)
    measure: str
    share: float = Field(gt=0, lt=1)
    seed: int
    candidates: int = Field(ge=1)
    train_sources: int = Field(ge=1)
    train_questions: int = Field(ge=1)
    test_sources: int = Field(ge=0)
    test_questions: int = Field(ge=0)
    train: float
    test: Mapping[str, float] | None = None
    before: Mapping[str, float] | None = None


class DecidingParameters(ModelParameters):
    """When a text is decided to be supported.

    threshold: from which score on. yes: what the label is called that means yes. fit: where the
    threshold comes from, if it was fitted.
    """

    threshold: float | None = Field(default=None, ge=-1, le=1, allow_inf_nan=False)
    yes: tuple[str, ...] = Field(default=("yes",), min_length=1)
    fit: Fit | None = None


D = TypeVar("D", bound=DecidingParameters)


@dataclass(frozen=True)
class Part:
    """A text of a question that is decided about by itself, and what it is held against."""

    key: str
    document: str
    text: str

    @property
    def pair(self) -> Pair:
        return self.document, self.text


class DecidingMethod(ModelMethod[D, Pair]):
    """A method that compares a score with a threshold; it can be calibrated."""

    @abstractmethod
    def score(self, scored: Scored) -> float:
        """What of the model's numbers is compared with the threshold."""

    @abstractmethod
    def point(self, scoring: Scoring, score: float, *, decided: bool) -> Score:
        """The point of a scale that follows; ValueError where the scale has none for it."""

    def is_decided(self, scored: Scored) -> bool:
        """Whether the judge as it is set decides for the text."""
        threshold = self.parameters.threshold
        return threshold is not None and self.score(scored) >= threshold

    def parts(self, ask: Ask) -> list[Part]:
        """The texts of a question, without citation markers. A sentence of citations alone says
        nothing, and is not asked about."""
        found = _parts(ask)
        if not all(part.document for part in found):
            raise ValueError("The question shows no document to hold the text against.")
        return [part for part in found if part.text.strip()]

    def inputs(self, ask: Ask) -> list[Pair]:
        parts = self.parts(ask)
        # A scale that has no point for it is found before the model is asked.
        self.answer_by(ask, {part.key: 0.0 for part in parts}, frozenset())
        return [part.pair for part in parts]

    def request(self, ask: Ask, inputs: Sequence[Pair]) -> Mapping[str, Any]:
        documents = list(dict.fromkeys(document for document, _ in inputs))
        return {"documents": documents, "texts": [text for _, text in inputs]}

    def concluded(self, ask: Ask, scored: Sequence[Scored]) -> Verdict:
        keys = [part.key for part in self.parts(ask)]
        scores = {key: self.score(one) for key, one in zip(keys, scored, strict=True)}
        chosen = [key for key, one in zip(keys, scored, strict=True) if self.is_decided(one)]
        answer = self.answer_by(ask, scores, frozenset(chosen))
        text = ", ".join(f"{key}: {score:.4f}" for key, score in scores.items())
        return Verdict(answer, text, {"scores": scores, "decided": chosen})

    def answer_at(self, ask: Ask, scores: Mapping[str, float], threshold: float) -> Schema:
        """The answer that the scores make by that threshold."""
        chosen = frozenset(key for key, score in scores.items() if score >= threshold)
        return self.answer_by(ask, scores, chosen)

    def answer_by(self, ask: Ask, scores: Mapping[str, float], chosen: frozenset[str]) -> Schema:
        """The answer where the texts of the chosen keys are decided for."""
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
        """The one of two points that says so; ValueError where no two points are yes and no."""
        values = [point.value for point in scoring.points]
        if len(values) == 2 and not scoring.continuous:
            if scoring.ends is not None:
                return scoring.ends[decided]
            yes = [value for value in values if str(value).lower() in self._yes]
            if len(yes) == 1:
                return next(value for value in values if (value == yes[0]) is decided)
        raise ValueError(
            f"{scoring.criterion}: {self.name} says yes or no, and its points are "
            + ", ".join(point.written for point in scoring.points)
        )

    @property
    def _yes(self) -> set[str]:
        return {name.lower() for name in self.parameters.yes}


def _parts(ask: Ask) -> list[Part]:
    kind = ask.task_type
    if isinstance(kind, InScores):
        keys = _scoring_keys(kind.scorings(ask.payload))
        return [Part(key, one.document, without_markers(one.text)) for key, one in keys]
    payload = CITATION_RECOVERY.Payload.model_validate(ask.payload)
    document = payload.passage_in_question.text
    return [Part(str(one.number), document, without_markers(one.text)) for one in payload.sentences]


def _scoring_keys(scorings: Sequence[Scoring]) -> list[tuple[str, Scoring]]:
    """Each score by a name of its own: the criterion, and its place within it."""
    places: dict[str, int] = {}
    keys = []
    for scoring in scorings:
        place = places.get(scoring.criterion, 0)
        places[scoring.criterion] = place + 1
        keys.append((f"{scoring.criterion}/{place}", scoring))
    return keys
