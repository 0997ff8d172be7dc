"""The base of what a task type stores: options, payloads and answers."""

from typing import TypeVar

from django.conf import settings
from pydantic import BaseModel, ConfigDict

# Reading the texts under fields from the source takes a tenth of the time of `jurybox check`, which
# shows none.
DESCRIBED: bool = not settings.configured or getattr(settings, "FIELDS_DESCRIBED", True)


class Schema(BaseModel):
    """Base of payloads, answers and options: frozen, strict about unknown fields.

    A text under a field describes it: forms, documentation and schemas show it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=DESCRIBED)


def sentence(text: str) -> str:
    """The description of a field in one line, with a capital and without a full stop."""
    text = " ".join(text.split()).rstrip(".;,").replace("``", "`")
    return text[:1].upper() + text[1:]


O = TypeVar("O", bound=Schema)  # noqa: E741  (options, payload, answer)
P = TypeVar("P", bound=Schema)
A = TypeVar("A", bound=Schema)
