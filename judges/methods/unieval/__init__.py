"""UniEval: yes or no to a trained question, as a share of the probability of both."""

from collections.abc import Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import Any

from pydantic import Field

from judges.backends.local.batches import Scored
from judges.backends.local.weights import Weights
from judges.backends.seq2seq import NAME as SEQ2SEQ
from judges.backends.seq2seq import Input, check_words, open_first_word
from judges.methods.contract import Ask
from judges.methods.local_model import ModelMethod, ModelParameters, Verdict
from judges.methods.unieval.dimensions import OF_SENTENCES, Dimension, filled, template
from tasktypes.citations import without_markers
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tasktypes.scores import InScores, Score, Scoring
from tasktypes.sentences import split

WORDS = ("Yes", "No")


class Dimensions(ModelParameters):
    """Which trained question a criterion means.

    dimension: of every criterion that `criteria` does not name. criteria: the dimension of a
    criterion, by its key. max_tokens: the length that the
    published scores were computed with. yes: what the label is called that means yes.
    """

    dimension: Dimension = "consistency"
    criteria: Mapping[str, Dimension] = Field(default_factory=dict)
    max_tokens: int | None = Field(default=1024, ge=16)
    yes: tuple[str, ...] = Field(default=("yes",), min_length=1)


class UniEval(ModelMethod[Dimensions, Input]):
    """The share of Yes; on scales of numbers as far along, of two labels yes from a half on."""

    name = "unieval"
    title = "UniEval"
    description = (
        "Puts the questions that UniEval's models were trained on to such a model on this machine "
        "and takes P(Yes) / (P(Yes) + P(No)) of the first word of the reply: 0 is the low end of "
        "a scale, 1 its high end, linear between; of a yes and a no it is yes from 0.5 on. "
        "Consistency and fluency are asked of each sentence and averaged. Citation markers are "
        "left out, and a document that is too long loses its end."
    )
    serves = tuple(kind for kind in TASK_TYPES if isinstance(kind, InScores))
    backends = (SEQ2SEQ,)
    default_models = {SEQ2SEQ: "MingZhong/unieval-fact"}
    between_points = True
    Parameters = Dimensions

    @classmethod
    def check(cls, weights: Weights, backend: str) -> None:
        check_words(weights, WORDS)

    def prompt_text(self, task_type: TaskType[Any, Any, Any]) -> str:
        used = dict.fromkeys((*self.parameters.criteria.values(), self.parameters.dimension))
        return "\n\n".join(f"{dimension}:\n\n{template(dimension)}" for dimension in used)

    def first_said(self, ask: Ask) -> str:
        return self.inputs(ask)[0].text

    def inputs(self, ask: Ask) -> list[Input]:
        scorings = _scorings(ask)
        for scoring in scorings:
            self._point(scoring, 0.0)  # a scale that has none is found before the model is asked
        return [one for scoring in scorings for one in self._asked(scoring)]

    def scored(self, inputs: Sequence[Input]) -> list[Scored]:
        return open_first_word(self.weights, WORDS, self.setting).scored(inputs)

    def request(self, ask: Ask, inputs: Sequence[Input]) -> Mapping[str, Any]:
        documents = list(dict.fromkeys(one.document for one in inputs if one.document))
        return {"documents": documents, "questions": [one.before for one in inputs]}

    def concluded(self, ask: Ask, scored: Sequence[Scored]) -> Verdict:
        shares = iter([_share_of_yes(one) for one in scored])
        found = [
            (scoring.criterion, list(islice(shares, len(self._asked(scoring)))), scoring)
            for scoring in _scorings(ask)
        ]
        points = [self._point(scoring, fmean(parts)) for _, parts, scoring in found]
        kind = ask.task_type
        assert isinstance(kind, InScores)
        scores = [
            {"criterion": criterion, "score": fmean(parts), "parts": parts}
            for criterion, parts, _ in found
        ]
        text = ", ".join(f"{one['criterion']}: {one['score']:.4f}" for one in scores)
        return Verdict(kind.from_scores(ask.payload, points), text, {"scores": scores})

    def _asked(self, scoring: Scoring) -> list[Input]:
        """The questions behind one score: one per sentence, or one."""
        own = self.parameters
        dimension = own.criteria.get(scoring.criterion, own.dimension)
        texts = _sentences(scoring) if dimension in OF_SENTENCES else [_plain(scoring.text)]
        if not any(texts):
            raise ValueError(f"{scoring.criterion}: there is no text to judge.")
        return [filled(dimension, text, scoring.document) for text in texts if text]

    def _point(self, scoring: Scoring, share: float) -> Score:
        if scoring.ends is not None:
            return scoring.along(share)
        yes = {name.lower() for name in self.parameters.yes}
        values = [point.value for point in scoring.points]
        meant = [value for value in values if str(value).lower() in yes]
        if len(values) != 2 or len(meant) != 1:
            names = ", ".join(point.written for point in scoring.points)
            raise ValueError(f"{scoring.criterion}: its points are {names}, not a yes and a no")
        return next(value for value in values if (value == meant[0]) is (share >= 0.5))


def _scorings(ask: Ask) -> Sequence[Scoring]:
    kind = ask.task_type
    assert isinstance(kind, InScores)
    found: Sequence[Scoring] = kind.scorings(ask.payload)
    return found


def _sentences(scoring: Scoring) -> list[str]:
    """The sentences of the text; one that came in one piece is cut into them."""
    given = scoring.sentences
    return [_plain(one) for one in (split(given[0]) if len(given) == 1 else given)]


def _plain(text: str) -> str:
    return without_markers(text).strip()


def _share_of_yes(scored: Scored) -> float:
    yes, no = scored.values
    if not yes + no:
        raise ValueError("Neither Yes nor No has any probability.")
    return yes / (yes + no)
