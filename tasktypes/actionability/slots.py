"""What prompts can show of a question."""

from collections.abc import Sequence

from tasktypes.actionability.schema import FactualError
from tasktypes.machines.prompts import Slot, in_lines, numbered, one_line
from tasktypes.texts.surroundings import SLOTS as SURROUNDINGS


def errors_text(errors: Sequence[FactualError]) -> str:
    """Every error by its number, with the reason and what is right."""
    return "\n".join(
        f"{number}: {one_line(error.sentence)}\n"
        f"   Why it is false: {one_line(error.reason)}\n"
        f"   What is right: {one_line(error.correction)}"
        for number, error in enumerate(errors)
    )


SLOTS: tuple[Slot, ...] = (
    *SURROUNDINGS,
    Slot(
        "errors",
        "the errors in the claim, numbered from 0, with reason and correction",
        lambda payload: errors_text(payload.errors) or "(none)",
    ),
    Slot("text", "the explanation", lambda payload: in_lines(payload.text)),
    Slot(
        "links",
        "the links that it gives, numbered from 0",
        lambda payload: numbered(payload.links) or "(none)",
    ),
)
