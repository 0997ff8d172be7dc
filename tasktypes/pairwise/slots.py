"""What prompts can show of a question."""

from tasktypes.machines.prompts import Slot, criteria_text, in_lines, setting
from tasktypes.pairwise.schema import Payload
from tasktypes.texts.surroundings import SLOTS as SURROUNDINGS


def _choices(payload: Payload) -> str:
    return '"A", "B" or "tie", if they are about the same' if payload.ties else '"A" or "B"'


def _reply_format(payload: Payload) -> str:
    return f"""{{"preferred": {{{", ".join(f'"{key}": CHOICE' for key in payload.keys)}}}}}"""


SLOTS: tuple[Slot, ...] = (
    *SURROUNDINGS,
    Slot("a", "the text shown first", lambda payload: in_lines(payload.candidates[0].text)),
    Slot("b", "the text shown second", lambda payload: in_lines(payload.candidates[1].text)),
    setting(
        "criteria",
        "every criterion with its question and definition",
        lambda payload: criteria_text(payload.criteria),
    ),
    setting("choices", "what may be chosen", _choices),
    setting("format", "the shape of the reply, as JSON", _reply_format),
)
