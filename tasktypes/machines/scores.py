"""Questions whose answer is scores: the optional part of the contract for methods that score.

Some judges do not read a whole page: they put a number on one text by one quality. A type whose
answers are made of such numbers, or of points with a name, derives from `InScores`, too.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from tasktypes.machines.parts import InParts, Part
from tasktypes.schemas import Schema
from tasktypes.texts.surroundings import Surroundings
from tasktypes.texts.written import Spaces, as_written

P = TypeVar("P", bound=Schema)
A = TypeVar("A", bound=Schema)
Score = float | str


@dataclass(frozen=True)
class ScorePoint:
    """One point of a scale with what it means; `meaning` is empty where nobody wrote it."""

    value: Score
    meaning: str = ""

    @property
    def written(self) -> str:
        """The value as it stands in a prompt."""
        return self.value if isinstance(self.value, str) else f"{self.value:g}"


@dataclass(frozen=True)
class Scoring:
    """One score that an answer holds, as a question of its own.

    criterion: the name of what is judged. points: what to choose from, ascending where they are
    numbers; on a continuous scale its two ends. sentences: the text to judge, with its spaces.
    material: what is known around it, as lines of a prompt. document: what the text is to be held
    against, as running text; empty where there is nothing. surroundings: what is known around it,
    part by part.
    """

    criterion: str
    question: str
    definition: str
    points: tuple[ScorePoint, ...]
    continuous: bool
    material: str
    document: str
    sentences: tuple[str, ...]
    surroundings: Surroundings
    spaces: Spaces = ()

    @property
    def text(self) -> str:
        """The text as running text, which methods without a prompt read."""
        return " ".join(self.sentences)

    @property
    def written(self) -> str:
        """The text with its lines, for prompts."""
        return as_written(self.sentences, self.spaces)

    @property
    def ends(self) -> tuple[float, float] | None:
        """The lowest and the highest number; None where the points are names."""
        low, high = self.points[0].value, self.points[-1].value
        if isinstance(low, str) or isinstance(high, str):
            return None
        return low, high

    def along(self, share: float) -> float:
        """The number that lies that share, 0 to 1, of the way from the lowest to the highest.

        ValueError where the points are names.
        """
        if self.ends is None:
            raise ValueError(f"{self.criterion}: its points are names, not numbers")
        low, high = self.ends
        return low + share * (high - low)


class InScores(InParts[P, A]):
    """What a type does besides, so that methods that score can answer it.

    has_points: False where its scales are continuous.
    """

    has_points: ClassVar[bool] = True

    @abstractmethod
    def scorings(self, payload: P) -> tuple[Scoring, ...]:
        """Every score that an answer takes, in an order that is always the same."""

    @abstractmethod
    def from_scores(self, payload: P, scores: Sequence[Score]) -> A:
        """The answer that these scores make, in the order of `scorings`."""

    @abstractmethod
    def to_scores(self, payload: P, answer: A) -> Sequence[Score]:
        """The scores that an answer holds, in the order of `scorings`: the reverse."""

    def parts(self, payload: P) -> tuple[Part, ...]:
        return tuple(_as_part(scoring) for scoring in self.scorings(payload))

    def to_parts(self, payload: P, answer: A) -> Sequence[Score]:
        return self.to_scores(payload, answer)

    def from_parts(self, payload: P, values: Sequence[Score]) -> A:
        return self.from_scores(payload, values)


def _as_part(scoring: Scoring) -> Part:
    low, high = scoring.ends or (0.0, 1.0)
    return Part(
        facet=scoring.criterion,
        text=scoring.text,
        source=scoring.document or scoring.material,
        options=() if scoring.continuous else tuple(point.value for point in scoring.points),
        low=low,
        high=high,
    )


def against(document: str, passages: Sequence[str]) -> str:
    """What a text is held against: the document, or the passages of evidence one after another."""
    return document or "\n".join(passages)
