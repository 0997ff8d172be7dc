"""Worked examples that a model is shown before the question: written out, or taken from units."""

import json
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field, JsonValue, model_serializer, model_validator

from tasktypes.schemas import Schema


class WorkedExample(Schema):
    """A question and the reply to it, as turns of a conversation."""

    unit: str = ""
    """Takes question and answer from that unit of the study; its reference, or else what people
    agree on."""
    block: str = ""
    """Only for that block, or that step of the method."""
    step: str = ""
    """Only for that block, or that step of the method."""
    question: str = ""
    """The whole turn, written out."""
    slots: Mapping[str, str] = Field(default_factory=dict)
    """The turn is the template, filled with these texts."""
    answer: JsonValue = None
    """The reply, as text or as JSON."""
    reason: str = ""
    """What the reply says before it, where the judge asks for a reason."""
    # Filled in when the judge is defined: where the unit was found and what was taken from it.
    study: str = ""
    payload: Mapping[str, JsonValue] | None = None
    source: Literal["", "reference", "people"] = ""

    @model_validator(mode="after")
    def _is_one_kind(self) -> Self:
        if bool(self.unit) + bool(self.question) + bool(self.slots) != 1:
            raise ValueError("give either a unit, a question or slots")
        if not self.unit and self.answer is None:
            raise ValueError("answer: missing")
        if self.unit and self.answer is not None and not self.source:
            raise ValueError("answer: is taken from the unit; write the question out beside it")
        return self

    @model_serializer(mode="wrap")
    def _without_defaults(self, dump: Any) -> dict[str, Any]:
        return {name: value for name, value in dump(self).items() if value not in ("", {}, None)}

    @property
    def is_open(self) -> bool:
        """Whether it names a unit that nothing was taken from yet."""
        return bool(self.unit) and self.payload is None

    @property
    def written_answer(self) -> str:
        """The answer as text; keys of JSON in an order that is the same in every database."""
        if isinstance(self.answer, str):
            return self.answer
        return json.dumps(self.answer, ensure_ascii=False, sort_keys=True)

    def is_for(self, block: str, step: str) -> bool:
        return self.block in ("", block) and self.step in ("", step)
