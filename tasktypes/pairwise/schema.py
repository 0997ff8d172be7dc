"""What a pairwise question and its answer consist of."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from tasktypes.pages.candidates import Candidate, Seed, check_candidates
from tasktypes.pages.criteria import Criterion, CriterionKey, check_distinct
from tasktypes.schemas import Schema
from tasktypes.texts.surroundings import EVERYTHING, Parts, Surroundings

Preferred = Literal["first", "second", "tie"]
Criteria = Annotated[tuple[Criterion, ...], Field(min_length=1)]

PREFERENCE = Criterion(key="preference", question="Which of the two texts is better?")


class Options(Schema):
    """What a study may set."""

    criteria: Criteria = (PREFERENCE,)
    """One, `preference`, or the study's own."""
    ties: bool = True
    """Whether "about the same" is an answer."""
    shows: Parts = EVERYTHING
    """The parts of the source to show."""
    seed: Seed = 0
    """Of the sides where a unit stores none."""

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        check_distinct(self.criteria)
        return self


class Payload(Surroundings):
    """Two texts on the sides where they are shown, A and B."""

    criteria: Criteria
    ties: bool
    candidates: Annotated[tuple[Candidate, ...], Field(min_length=2, max_length=2)]

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        check_distinct(self.criteria)
        check_candidates(self.candidates)
        return self

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(criterion.key for criterion in self.criteria)

    def shown_as(self, letter: str) -> Preferred:
        """The item behind a letter, as answers name it; KeyError for another letter."""
        names: dict[int, Preferred] = {0: "first", 1: "second"}
        return {candidate.letter: names[candidate.item] for candidate in self.candidates}[letter]

    def letter_of(self, preferred: Preferred) -> str:
        """The letter of the preferred item, or `tie`."""
        letters = {self.shown_as(shown.letter): shown.letter for shown in self.candidates}
        return letters.get(preferred, "tie")


class Answer(Schema):
    """Per criterion the better one of the unit's items, first or second as stored, or a tie."""

    preferred: dict[CriterionKey, Preferred]


class Reply(Schema):
    """Preferences as a machine gives them: by the letters under which it was shown the texts."""

    preferred: dict[CriterionKey, Literal["A", "B", "tie"]]
