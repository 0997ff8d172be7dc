"""The parts of what a machine is asked that differ from question to question."""

import json
from typing import Any

from tasktypes.likert.schema import Payload, Point, Scale
from tasktypes.machines.prompts import Slot, entry, in_lines, numbered, one_line, setting
from tasktypes.texts.surroundings import SLOTS as SURROUNDINGS


def texts(payload: Payload) -> str:
    """What is to be judged: one text, its sentences by number, or several texts by letter."""
    if payload.candidates:
        lines = [
            entry(f"Text {candidate.letter}:", candidate.text) for candidate in payload.candidates
        ]
        return "\n".join(["Texts to judge, each by itself:", *lines])
    if payload.per_sentence:
        if any(turn.asked for turn in payload.turns):
            return f"Turns to judge, numbered from 0:\n{numbered(payload.sentences)}"
        return f"Text to judge, its sentences numbered from 0:\n{numbered(payload.sentences)}"
    return f"Text to judge:\n{in_lines(payload.text)}"


def criteria_text(payload: Payload) -> str:
    """Every criterion with its question, definition, example and points."""
    return "\n\n".join(_criterion(scale) for scale in payload.criteria)


def _criterion(scale: Scale) -> str:
    lines = [f"Criterion {scale.key}: {one_line(scale.question)}"]
    lines += [one_line(scale.definition)] if scale.definition else []
    lines += [f"For example: {one_line(scale.example)}"] if scale.example else []
    return "\n".join([*lines, *map(_point, scale.points)])


def _point(point: Point) -> str:
    words = ": ".join(one_line(part) for part in (point.label, point.definition) if part)
    value = json.dumps(point.value) if isinstance(point.value, str) else point.text
    return f"- {value}{f' = {words}' if words else ''}"


def reply_format(payload: Payload) -> str:
    """The shape of the reply, with the points of each criterion in place of its value."""
    values = {scale.key: _place(payload, scale) for scale in payload.criteria}
    shape = json.dumps({"scores": values})
    for scale in payload.criteria:
        shape = shape.replace(json.dumps(f"<{scale.key}>"), scale.key.upper())
    if payload.whole:
        return shape
    what = "letters" if payload.candidates else "numbers"
    return f"{shape}\nEach list holds {payload.size} values, in the order of the {what}."


def _place(payload: Payload, scale: Scale) -> Any:
    hole = f"<{scale.key}>"
    return hole if payload.whole else [hole, "..."]


SLOTS: tuple[Slot, ...] = (
    *SURROUNDINGS,
    Slot("texts", "the text to judge, or several, under a heading", texts),
    Slot(
        "text",
        "the text to judge; empty where there are several",
        lambda payload: in_lines(payload.text),
    ),
    Slot(
        "sentences",
        "its sentences, a line `number: text` each, numbered from 0",
        lambda payload: numbered(payload.sentences),
    ),
    setting("criteria", "every criterion with its question, definition and points", criteria_text),
    setting("format", "the shape of the reply, as JSON", reply_format),
)
