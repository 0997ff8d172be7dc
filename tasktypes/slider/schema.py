"""What a slider question and its answer consist of."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from tasktypes.facets import FacetName
from tasktypes.schemas import Schema
from tasktypes.texts.material import Passage, is_known
from tasktypes.texts.surroundings import ShownTurns
from tasktypes.texts.written import InSentences

Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]


class Scale(Schema):
    """A question with the two ends of its scale."""

    question: str = Field(
        default="How helpful is this explanation in making clear whether the claim is true?",
        min_length=1,
    )
    """What is asked."""
    low: Finite = 0.0
    """The ends of the scale."""
    high: Finite = 100.0
    """The ends of the scale."""
    low_label: str = Field(default="Not helpful at all", min_length=1)
    """What the ends mean."""
    high_label: str = Field(default="Extremely helpful", min_length=1)
    """What the ends mean."""
    facet: FacetName = "utility"
    """The name of what is measured, in small letters, digits and underscores."""
    step: Annotated[Finite, Field(gt=0)] = 1.0
    """How far one key press moves."""

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        if self.low >= self.high:
            raise ValueError("low: not below high")
        if self.step > self.high - self.low:
            raise ValueError("step: longer than the whole scale")
        return self


class Options(Scale):
    """What a study may set: the question, its scale, and the name of what it measures."""

    compared_with: tuple[FacetName, ...] = ()
    """Facets of other blocks that these numbers are correlated with, where a machine scores on a
    scale of its own what people judged on theirs."""
    ends_observed: bool = False
    """The ends are those of imported numbers, whose scale is not known."""


class Payload(InSentences, Scale):
    """The whole text, with its citations, and the question about it."""

    claim: str
    verdict: str
    query: str
    document: str
    passages: tuple[Passage, ...]
    sentences: Annotated[tuple[str, ...], Field(min_length=1)]
    turns: ShownTurns = ()

    @property
    def has_document(self) -> bool:
        """Whether there is a document to be shown."""
        return is_known(self.document)


class Answer(Schema):
    """A point on the scale."""

    value: Finite
