"""Marks on outputs, a row for each: an error with its category and how grave it is."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from files.columns.names import words_of
from files.columns.words import NO_ANSWERS
from files.reading.doubts import Option
from files.reading.evidence.profiles import Content
from files.reading.layouts.sketch import Sketch, says
from files.reading.model import Axis, Holds
from files.reading.rows.joined_rows import untagged

_GRAVITY = ("severity", "schweregrad", "gravity")
_KINDS = ("category", "type", "subcategory", "error", "kategorie", "typ", "fehler")
# As MQM weighs them (Lommel, Uszkoreit and Burchardt 2014; Freitag et al. 2021).
_WEIGHTS = {"critical": 25.0, "major": 5.0, "minor": 1.0, "neutral": 0.0, "trivial": 0.0}
_NO_ERROR = frozenset(("no", "none", "kein", "keine", "without", "ohne"))
_TAG = re.compile(r"<([a-z]{1,10})>[^<]*</\1>")


def put_marks(sketch: Sketch) -> None:
    """Decide the column that says how grave each error is that a rater marked: a unit's answer is
    the sum of the weights, or the number, of all rows."""
    labels = (Content.LABELS, Content.CODES)
    found = [n for n in sketch.free if says(n, _GRAVITY) and sketch.profile(n).is_categorical]
    kinds = [n for n in sketch.free if says(n, _KINDS) and sketch.profile(n).content in labels]
    if len(found) != 1 or not kinds:
        return
    (name,) = found
    weights = {value: _weight(value) for value in sketch.profile(name).values}
    told = ", ".join(f"{value} {weight:g}" for value, weight in weights.items())
    taken = sketch.doubts.decide(
        "marks",
        f"`{name}` says how grave each error is. What is a text's score?",
        Option("weighed", f"the sum of the weights of its errors: {told}"),
        Option("counted", "the number of its errors"),
    )
    if taken == "counted":
        weights = {value: min(weight, 1.0) for value, weight in weights.items()}
    sketch.put(name, Holds.ANSWER, {Axis.CRITERION: "errors"})
    sketch.marks = weights
    for kind in kinds:
        sketch.put(kind, Holds.KEPT)
    _take_tags(sketch)


def _weight(value: str) -> float:
    """What an error counts; 1 where its word is not known."""
    words = words_of(value)
    if words & _NO_ERROR or value.casefold() in NO_ANSWERS:
        return 0.0
    return next((weight for word, weight in _WEIGHTS.items() if word in words), 1.0)


def _take_tags(sketch: Sketch) -> None:
    """Take out of texts what shows where an error stands: without it, all rows of one text have
    the same."""
    plain = {}
    for name in sketch.free:
        if tag := _tag(sketch, name):
            sketch.tags[name] = tag
            plain[name] = [untagged(cell, tag) for cell in sketch.sample.cells(name)]
            text = f"`<{tag}>`, which shows in `{name}` where an error stands, is taken out of it."
            sketch.remarks.append(("marked-texts", text))
    if plain:
        sketch.sample = replace(sketch.sample, columns={**sketch.sample.columns, **plain})


def _tag(sketch: Sketch, name: str) -> str:
    """The tag in which alone some texts of a column differ; empty where they do not."""
    profile = sketch.profile(name)
    if profile.content is not Content.TEXTS:
        return ""
    found = Counter(match[1] for value in profile.values for match in _TAG.finditer(value))
    for tag, _ in found.most_common(1):
        if len({untagged(value, tag) for value in profile.values}) < len(profile.values):
            return tag
    return ""


def marked(sketch: Sketch, columns: list[str]) -> Mapping[str, float] | None:
    """What the cells of columns weigh; None where they are no marks."""
    return sketch.marks if sketch.marks and any(says(n, _GRAVITY) for n in columns) else None
