"""The base of generators: a conversation makes a text in the way it makes an answer."""

from typing import Generic, TypeVar

from judges.methods.conversation import ChatMethod, ChatParameters
from tasktypes.schemas import Schema


class GeneratorParameters(ChatParameters):
    """Parameters of every generator."""


class GeneratedText(Schema):
    """A text that a model wrote.

    given: the passages to base it on. justification: why these, where a model chose them.
    statement: what a variant leaves out or falsifies.
    """

    text: str
    given: tuple[int, ...] = ()
    justification: str = ""
    statement: str = ""


G = TypeVar("G", bound=GeneratorParameters)


class Generator(ChatMethod[G], Generic[G]):
    """A conversation that makes a part of a study instead of an answer.

    The payload of an ask is the material for it, as plain JSON.
    """

    serves = ()


class TextGenerator(Generator[G], Generic[G]):
    """Its result is a `GeneratedText`. Task types do not matter."""
