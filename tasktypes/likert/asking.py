"""The parts of what a machine is asked that differ from question to question."""

import json
from typing import Any

from tasktypes.likert.schema import Payload, Point, Scale
from tasktypes.prompts import one_line


def texts(payload: Payload) -> str:
    """What is to be judged: one text, its sentences by number, or several texts by letter."""
    if payload.candidates:
        lines = [
            f"Text {candidate.letter}: {one_line(candidate.text)}"
            for candidate in payload.candidates
        ]
        return "\n".join(["Texts to judge, each by itself:", *lines])
    if payload.per_sentence:
        lines = [f"{i}: {one_line(text)}" for i, text in enumerate(payload.sentences)]
        return "\n".join(["Text to judge, its sentences numbered from 0:", *lines])
    return f"Text to judge:\n{one_line(' '.join(payload.sentences))}"


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
