"""What a citation-recovery question and its answer consist of."""

from collections.abc import Collection
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from tasktypes.schemas import Schema
from tasktypes.texts.material import Passage, is_none
from tasktypes.texts.written import Space, as_written, remaining, spaces_of

Number = Annotated[int, Field(strict=True, ge=0)]


class Options(Schema):
    """What a study may set."""

    transparent_from: float = Field(default=0.6, gt=0, le=1)
    """The F1 that every cited passage must reach for a transparent explanation."""
    dangling_citations: Literal["fail", "ignore"] = "fail"
    """Whether a citation outside the passages makes it not transparent."""


class ShownSentence(Schema):
    """A sentence as it is shown: by its number in the explanation, counted from 0."""

    number: Number
    text: str
    before: Annotated[Space | None, Field(exclude_if=is_none)] = None
    """The white space that parts it from the sentence before, where it is not one space."""


class Payload(Schema):
    """One passage, and the explanation from which its citation was taken out.

    A sentence blanked for a control question is missing; the others keep their numbers.
    """

    claim: str
    verdict: str
    passages: tuple[Passage, ...]
    passage: Number
    sentences: Annotated[tuple[ShownSentence, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        if all(passage.index != self.passage for passage in self.passages):
            raise ValueError(f"passage: there is no passage {self.passage}")
        if sorted(set(self.numbers)) != list(self.numbers):
            raise ValueError("sentences: the numbers do not ascend")
        return self

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that an answer may name."""
        return tuple(sentence.number for sentence in self.sentences)

    @property
    def text(self) -> str:
        """The explanation as it was written, as far as it is shown: without these citations."""
        spaces = spaces_of([sentence.before for sentence in self.sentences])
        return as_written([sentence.text for sentence in self.sentences], spaces)

    def without(self, numbers: Collection[int]) -> tuple[ShownSentence, ...]:
        """The sentences but these."""
        before = [sentence.before for sentence in self.sentences]
        return tuple(
            self.sentences[at].model_copy(update={"before": gap})
            for at, gap in remaining(before, lambda at: self.sentences[at].number in numbers)
        )

    @property
    def passage_in_question(self) -> Passage:
        """The passage whose citation was taken out."""
        return next(passage for passage in self.passages if passage.index == self.passage)


class Answer(Schema):
    """The sentences that should cite the passage, ascending; none can: empty."""

    sentences: tuple[Number, ...]

    @field_validator("sentences")
    @classmethod
    def _as_a_set(cls, sentences: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(set(sentences)))
