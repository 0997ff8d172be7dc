"""What prompts can show of a question."""

from tasktypes.machines.prompts import Slot, one_line, setting
from tasktypes.pages.criteria import Criterion
from tasktypes.pairwise.schema import Payload
from tasktypes.texts.surroundings import SLOTS as SURROUNDINGS


def _criteria(payload: Payload) -> str:
    return "\n".join(map(_criterion, payload.criteria))


def _criterion(criterion: Criterion) -> str:
    parts = [f"- {criterion.key}: {one_line(criterion.question)}"]
    parts += [one_line(criterion.definition)] if criterion.definition else []
    parts += [f"For example: {one_line(criterion.example)}"] if criterion.example else []
    return " ".join(parts)


def _choices(payload: Payload) -> str:
    return '"A", "B" or "tie", if they are about the same' if payload.ties else '"A" or "B"'


def _reply_format(payload: Payload) -> str:
    return f"""{{"preferred": {{{", ".join(f'"{key}": CHOICE' for key in payload.keys)}}}}}"""


SLOTS: tuple[Slot, ...] = (
    *SURROUNDINGS,
    Slot("a", "the text shown first", lambda payload: one_line(payload.candidates[0].text)),
    Slot("b", "the text shown second", lambda payload: one_line(payload.candidates[1].text)),
    setting("criteria", "every criterion with its question and definition", _criteria),
    setting("choices", "what may be chosen", _choices),
    setting("format", "the shape of the reply, as JSON", _reply_format),
)
