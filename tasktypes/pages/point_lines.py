"""The points of a scale as one text: `1–5, very poor … very good`, or a point after the other."""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

MOST_POINTS = 21
# In the schema of rows that forms show as one text, and that may be given as one.
IN_LINE: dict[str, Any] = {"in_line": True}
_RANGE = re.compile(r"(-?\d{1,6})\s?(?:–|—|-|\.\.|to)\s?(-?\d{1,6})(?:\s?[,:]\s?(.*))?")
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?(?![^\s=:])")
_ENDS = re.compile(r"…|\.\.\.")
# What separates parts of a point; a part that has one of these is written as JSON writes it.
_MARKS = re.compile(r'[=:"\n]|^\s|\s$|^$')
_ODD = re.compile(r'^"|[\n\r]|^\s|\s$')
_DECODER = json.JSONDecoder()


def points_in(text: str) -> list[dict[str, Any]]:
    """The points that a text names: `1–5`, `1–5, low … high`, or one after the other, by commas,
    semicolons or lines, each `value`, `value = label` or `value = label: definition`.
    ValueError('points: reason') where it names none."""
    text = text.strip()
    if found := _RANGE.fullmatch(" ".join(text.split()) if "\n" not in text else text):
        return _from_range(int(found[1]), int(found[2]), (found[3] or "").strip())
    parts = [part for part in re.split(_separator(text), text) if part.strip()]
    if not 2 <= len(parts) <= MOST_POINTS:
        raise ValueError(
            f"points: from 2 to {MOST_POINTS}, such as “1–5, very poor … very good” or “yes, no”"
        )
    return [_point(part.strip()) for part in parts]


def _separator(text: str) -> str:
    return next((mark for mark in ("\n", ";") if mark in text), ",")


def _from_range(low: int, high: int, ends: str) -> list[dict[str, Any]]:
    if not 0 < high - low < MOST_POINTS:
        raise ValueError(
            f"points: {low}–{high} is not ascending or has more than {MOST_POINTS} points"
        )
    labels = [label.strip() for label in _ENDS.split(ends)] if ends else ["", ""]
    if len(labels) != 2:
        raise ValueError("points: name both ends, as in “1–5, very poor … very good”")
    named = {low: labels[0], high: labels[1]}
    return [{"value": n, "label": named.get(n, "")} for n in range(low, high + 1)]


def _point(text: str) -> dict[str, Any]:
    number = _NUMBER.match(text)
    value, rest = (number[0], text[number.end() :]) if number else _part(text, "=:")
    rest = rest.strip()
    is_labelled = rest[:1] == "=" or bool(number and rest and rest[0] != ":")
    label, rest = _part(rest.removeprefix("=").strip(), ":") if is_labelled else ("", rest)
    definition, _rest = _part(rest.strip().removeprefix(":").strip(), "")
    said = {"label": label, "definition": definition}
    return {"value": _plain(value) if number else value} | {k: v for k, v in said.items() if v}


def _part(text: str, ends: str) -> tuple[str, str]:
    """A part of a point up to a mark that ends it, and the rest."""
    if text.startswith('"'):
        try:
            part, length = _DECODER.raw_decode(text)
            return str(part), text[length:]
        except ValueError:
            pass  # a quotation mark like any other
    at = min((place for mark in ends if (place := text.find(mark)) >= 0), default=len(text))
    return text[:at].strip(), text[at:]


def _plain(number: str) -> int | float:
    return float(number) if "." in number else int(number)


def line_of(points: Sequence[Mapping[str, Any]]) -> str:
    """The shortest text that names these points: `points_in` reads it back."""
    values = [point["value"] for point in points]
    labels = [str(point.get("label") or "") for point in points]
    plain = not any(point.get("definition") for point in points)
    if plain and _is_range(values) and not any(labels[1:-1]) and _are_ends(labels[0], labels[-1]):
        ends = f", {labels[0]} … {labels[-1]}" if labels[0] else ""
        return f"{values[0]:g}–{values[-1]:g}{ends}"
    parts = [_written(point) for point in points]
    is_short = plain and len(parts) < 6 and not re.search(r'[,;"\n]', "".join(parts))
    return (", " if is_short else "\n").join(parts)


def _is_range(values: Sequence[Any]) -> bool:
    whole = all(not isinstance(value, str) and float(value).is_integer() for value in values)
    return whole and all(b - a == 1 for a, b in pairwise(values))


def _are_ends(low: str, high: str) -> bool:
    """Whether both ends are named, or neither, in words that a range reads back."""
    odd = any(_ENDS.search(label) or label != " ".join(label.split()) for label in (low, high))
    return bool(low) == bool(high) and not odd


def _written(point: Mapping[str, Any]) -> str:
    value, label = point["value"], _quoted(str(point.get("label") or ""))
    shown = _quoted_name(value) if isinstance(value, str) else f"{value:.15g}"
    words = f" = {label}" if point.get("label") else ""
    definition = str(point.get("definition") or "")
    return shown + words + (f": {_quoted(definition, _ODD)}" if definition else "")


def _quoted(part: str, marks: re.Pattern[str] = _MARKS) -> str:
    return json.dumps(part, ensure_ascii=False) if marks.search(part) else part


def _quoted_name(name: str) -> str:
    return json.dumps(name, ensure_ascii=False) if _NUMBER.match(name) else _quoted(name)
