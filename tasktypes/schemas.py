"""The base of what a task type stores: options, payloads and answers."""

from typing import TypeVar

from pydantic import BaseModel, ConfigDict


class Schema(BaseModel):
    """Base of payloads, answers and options: frozen, strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


O = TypeVar("O", bound=Schema)  # noqa: E741  (options, payload, answer)
P = TypeVar("P", bound=Schema)
A = TypeVar("A", bound=Schema)
