"""What the prompts can show: in the format of the model, or in a researcher's own."""

from dataclasses import dataclass
from typing import Any

from tasktypes.machines.pairs import Pairing
from tasktypes.machines.prompts import Slot, in_lines, one_line, setting
from tasktypes.machines.scores import Scoring


@dataclass(frozen=True)
class Graded:
    """A text, or a pair of texts, to be judged by one criterion."""

    payload: Any
    judged: Any
    rubric: str


def _instruction(judged: Scoring | Pairing) -> str:
    """The material that the texts were written about; without any, the question."""
    return judged.material or one_line(judged.question)


_SHARED: tuple[Slot, ...] = (
    Slot(
        "instruction",
        "what the text was written about; without any of it, the question",
        lambda graded: _instruction(graded.judged),
    ),
    Slot(
        "reference",
        "the document, or the passages",
        lambda graded: in_lines(graded.judged.document),
    ),
    setting("rubric", "the rubric", lambda graded: graded.rubric),
)
GRADED: tuple[Slot, ...] = (
    *_SHARED,
    Slot("response", "the text to judge", lambda graded: in_lines(graded.judged.written)),
)
COMPARED: tuple[Slot, ...] = (
    *_SHARED,
    Slot("a", "the text shown first", lambda graded: in_lines(graded.judged.a)),
    Slot("b", "the text shown second", lambda graded: in_lines(graded.judged.b)),
)
