"""UniEval: the probability of Yes, relative to Yes and No, in reply to trained questions."""

from collections.abc import Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import Any

from pydantic import Field

from judges.backends.local.batches import ModelScores
from judges.backends.local.weights import Weights
from judges.backends.seq2seq import NAME as SEQ2SEQ
from judges.backends.seq2seq import DocumentPrompt, check_words, open_first_word
from judges.methods.asks import Ask
from judges.methods.local_model import (
    LONGEST_INPUT,
    ModelMethod,
    ModelParameters,
    ScoredAnswer,
)
from judges.methods.unieval.dimensions import (
    OF_SENTENCES,
    Dimension,
    filled,
    needs_document,
    template,
)
from tasktypes.contract import TaskType
from tasktypes.machines.needs import EVIDENCE, Need
from tasktypes.machines.scores import InScores, Score, Scoring
from tasktypes.registry import TASK_TYPES
from tasktypes.texts.citations import without_markers
from tasktypes.texts.sentences import split

WORDS = ("Yes", "No")


class UniEvalParameters(ModelParameters):
    """Which trained question a criterion means."""

    dimension: Dimension = "consistency"
    """Of every criterion that `criteria` does not name."""
    criteria: Mapping[str, Dimension] = Field(default_factory=dict)
    """The dimension of a criterion, by its key."""
    max_tokens: int | None = Field(default=1024, ge=16, le=LONGEST_INPUT)
    """The length that the published scores were computed with."""
    yes: tuple[str, ...] = Field(default=("yes",), min_length=1)
    """The names of the label that means yes."""


class UniEval(ModelMethod[UniEvalParameters, DocumentPrompt]):
    """The share of Yes, mapped linearly to a scale of numbers; of two labels yes from 0.5 on."""

    name = "unieval"
    title = "UniEval"
    description = (
        "Asks a UniEval model on this machine the questions that it was trained on and takes "
        "P(Yes) / (P(Yes) + P(No)) of the first word of the reply: 0 is the low end of "
        "a scale, 1 its high end, linear between; of a yes and a no it is yes from 0.5 on. "
        "Consistency and fluency are asked of each sentence and averaged. Citation markers are "
        "left out, and a document that is too long is cut at its end."
    )
    serves = tuple(kind for kind in TASK_TYPES if isinstance(kind, InScores))
    backends = (SEQ2SEQ,)
    default_models = {SEQ2SEQ: "MingZhong/unieval-fact"}
    between_points = True
    Parameters = UniEvalParameters

    @classmethod
    def check(cls, weights: Weights, backend: str) -> None:
        check_words(weights, WORDS)

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        used = dict.fromkeys((*self.parameters.criteria.values(), self.parameters.dimension))
        return "\n\n".join(f"{dimension}:\n\n{template(dimension)}" for dimension in used)

    def first_prompt(self, ask: Ask) -> str:
        return self.inputs(ask)[0].text

    def needs(self, ask: Ask) -> frozenset[Need]:
        asked = {self._dimension(scoring) for scoring in _scorings(ask)}
        return super().needs(ask) | (EVIDENCE if any(map(needs_document, asked)) else frozenset())

    def inputs(self, ask: Ask) -> list[DocumentPrompt]:
        self.check_shown(ask)
        scorings = _scorings(ask)
        for scoring in scorings:
            self._point(scoring, 0.0)  # fail before the model runs where the scale has no points
        return [prompt for scoring in scorings for prompt in self._prompts(scoring)]

    def scored(self, inputs: Sequence[DocumentPrompt]) -> list[ModelScores]:
        return open_first_word(self.weights, WORDS, self.model_settings).scored(inputs)

    def request(self, ask: Ask, inputs: Sequence[DocumentPrompt]) -> Mapping[str, Any]:
        documents = list(dict.fromkeys(prompt.document for prompt in inputs if prompt.document))
        return {"documents": documents, "questions": [prompt.before for prompt in inputs]}

    def answer_from_scores(self, ask: Ask, scored: Sequence[ModelScores]) -> ScoredAnswer:
        shares = iter([_share_of_yes(scores) for scores in scored])
        kind = ask.task_type
        assert isinstance(kind, InScores)
        points, scores = [], []
        for scoring in _scorings(ask):
            parts = list(islice(shares, len(self._prompts(scoring))))
            score = fmean(parts)
            points.append(self._point(scoring, score))
            scores.append({"criterion": scoring.criterion, "score": score, "parts": parts})
        text = ", ".join(f"{entry['criterion']}: {entry['score']:.4f}" for entry in scores)
        return ScoredAnswer(kind.from_scores(ask.payload, points), text, {"scores": scores})

    def _prompts(self, scoring: Scoring) -> list[DocumentPrompt]:
        """The questions behind one score: one for each sentence, or one for the text."""
        dimension = self._dimension(scoring)
        texts = _sentences(scoring) if dimension in OF_SENTENCES else [_plain(scoring.text)]
        if not any(texts):
            raise ValueError(f"{scoring.criterion}: there is no text to judge.")
        return [filled(dimension, text, scoring.document) for text in texts if text]

    def _dimension(self, scoring: Scoring) -> Dimension:
        return self.parameters.criteria.get(scoring.criterion, self.parameters.dimension)

    def _point(self, scoring: Scoring, share: float) -> Score:
        if scoring.ends is not None:
            return scoring.along(share)
        names_of_yes = {name.lower() for name in self.parameters.yes}
        values = [point.value for point in scoring.points]
        yes = [value for value in values if str(value).lower() in names_of_yes]
        if len(values) != 2 or len(yes) != 1:
            names = ", ".join(point.written for point in scoring.points)
            raise ValueError(f"{scoring.criterion}: its points are {names}, not a yes and a no")
        return next(value for value in values if (value == yes[0]) is (share >= 0.5))


def _scorings(ask: Ask) -> Sequence[Scoring]:
    kind = ask.task_type
    assert isinstance(kind, InScores)
    scorings: Sequence[Scoring] = kind.scorings(ask.payload)
    return scorings


def _sentences(scoring: Scoring) -> list[str]:
    """The sentences of the text; a text that is not divided yet is split into sentences."""
    sentences = scoring.sentences
    if len(sentences) == 1:
        sentences = tuple(split(sentences[0]))
    return [_plain(sentence) for sentence in sentences]


def _plain(text: str) -> str:
    return without_markers(text).strip()


def _share_of_yes(scored: ModelScores) -> float:
    yes, no = scored.values
    if not yes + no:
        raise ValueError("Neither Yes nor No has any probability.")
    return yes / (yes + no)
