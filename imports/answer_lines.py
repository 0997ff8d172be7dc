"""Answers as files have them: one line for each, with its place."""

from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from annotation.rater_names import refuse_reserved
from files.errors import ImportFailure
from imports.material.fields import JsonObject, UnitKey
from imports.material.metadata import NONE, Metadata, RecordedMetadata
from tasktypes.texts.material import Material


class RecordedAnswer(Material):
    """One line of a file of answers."""

    unit: UnitKey
    block: str = ""
    rater: Annotated[str, Field(min_length=1, max_length=200)]
    kind: Literal["human", "judge", "simulated"]
    # Of a judge's model. All lines of a rater that have it must agree.
    family: Annotated[str, Field(max_length=200)] = ""
    replicate: Annotated[int, Field(ge=0, le=10_000)] = 0
    answer: JsonObject
    # Why the rater answered so, in the rater's words.
    reasons: tuple[str, ...] = ()
    # Own columns of the answer, and of the person who gave it.
    metadata: RecordedMetadata = {}
    rater_metadata: RecordedMetadata = {}

    @field_validator("rater")
    @classmethod
    def _can_be_reported(cls, name: str) -> str:
        refuse_reserved(name)
        return name

    @model_validator(mode="after")
    def _family_of_a_machine(self) -> Self:
        if self.family and self.kind == "human":
            raise ValueError("family: a person has no model family")
        return self


class AnswerLine(NamedTuple):
    """An answer as a file has it, and where it stands there."""

    where: str
    unit: str
    rater: str
    kind: str
    answer: dict[str, Any]
    block: str = ""
    family: str = ""
    replicate: int = 0
    reasons: tuple[str, ...] = ()
    metadata: Metadata = NONE
    rater_metadata: Metadata = NONE

    @classmethod
    def of(cls, where: str, **fields: Any) -> Self:
        """The line of these fields; ImportFailure where they make no answer. A format whose
        fields were looked at before makes the tuple itself, at a tenth of the time."""
        try:
            return cls.read(where, RecordedAnswer.model_validate(fields))
        except ValidationError as error:
            raise ImportFailure.of(where, error) from error

    @classmethod
    def read(cls, where: str, recorded: RecordedAnswer) -> Self:
        """The line of a record."""
        return cls(
            where,
            recorded.unit,
            recorded.rater,
            recorded.kind,
            recorded.answer,
            recorded.block,
            recorded.family,
            recorded.replicate,
            recorded.reasons,
            recorded.metadata,
            recorded.rater_metadata,
        )
