"""What generators share: a text is made by a talk, as an answer is."""

from typing import Generic, TypeVar

from judges.methods.conversation import ChatMethod, ChatParameters
from tasktypes.contract import Schema


class Generation(ChatParameters):
    """What every generator can be told."""


class Written(Schema):
    """A text as a model wrote it.

    given: the passages that it was to be based on. justification: why these, where a model chose
    them. statement: what was left out or falsified, of a variant.
    """

    text: str
    given: tuple[int, ...] = ()
    justification: str = ""
    statement: str = ""


G = TypeVar("G", bound=Generation)


class Generating(ChatMethod[G], Generic[G]):
    """A talk about a source rather than a question; its answer is a `Written`.

    An ask's payload is the material that the text is made from, as plain JSON. No task type is
    served, and none is looked at.
    """

    serves = ()
