"""What prompts can show of a question."""

from tasktypes.machines.prompts import Slot, in_lines, one_line, setting
from tasktypes.texts.surroundings import SLOTS as SURROUNDINGS

SLOTS: tuple[Slot, ...] = (
    *SURROUNDINGS,
    Slot("text", "the text to judge", lambda payload: in_lines(payload.text)),
    setting("question", "the question", lambda payload: one_line(payload.question)),
    setting("low", "the low end of the scale", lambda payload: f"{payload.low:g}"),
    setting("high", "the high end of the scale", lambda payload: f"{payload.high:g}"),
    setting("low_label", "what the low end means", lambda payload: one_line(payload.low_label)),
    setting("high_label", "what the high end means", lambda payload: one_line(payload.high_label)),
)
