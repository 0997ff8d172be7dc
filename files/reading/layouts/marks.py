"""Marks on outputs, a row for each: an error with its category and how grave it is."""

import re
from collections.abc import Mapping

from files.columns.names import words_of
from files.columns.words import NO_ANSWERS
from files.reading.doubts import Option
from files.reading.evidence.profiles import Content
from files.reading.layouts.sketch import Sketch, says
from files.reading.model import Axis, Holds

_GRAVITY = ("severity", "schweregrad", "gravity")
_KINDS = ("category", "type", "subcategory", "error", "kategorie", "typ", "fehler")
# As MQM weighs them (Lommel, Uszkoreit and Burchardt 2014; Freitag et al. 2021).
_WEIGHTS = {"critical": 25.0, "major": 5.0, "minor": 1.0, "neutral": 0.0, "trivial": 0.0}
_NO_ERROR = frozenset(("no", "none", "kein", "keine", "without", "ohne"))
_TAG = re.compile(r"</?[a-z]{1,10}>")


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
    for text in [n for n in sketch.free if _has_marks(sketch, n)]:
        sketch.put(text, Holds.KEPT)
        said = f"`{text}` has the marks in it and differs from one to the next: it is kept beside"
        sketch.remarks.append(("marked-texts", f"{said} the answers, and is no text to be shown."))


def _weight(value: str) -> float:
    """What an error counts; 1 where its word is not known."""
    words = words_of(value)
    if words & _NO_ERROR or value.casefold() in NO_ANSWERS:
        return 0.0
    return next((weight for word, weight in _WEIGHTS.items() if word in words), 1.0)


def _has_marks(sketch: Sketch, name: str) -> bool:
    """Whether texts differ in tags alone, which tell where an error stands."""
    profile = sketch.profile(name)
    if profile.content is not Content.TEXTS or not any(map(_TAG.search, profile.values)):
        return False
    plain = {" ".join(_TAG.sub(" ", value).split()) for value in profile.values}
    return len(plain) < len(profile.values)


def marked(sketch: Sketch, columns: list[str]) -> Mapping[str, float] | None:
    """What the cells of columns weigh; None where they are no marks."""
    return sketch.marks if sketch.marks and any(says(n, _GRAVITY) for n in columns) else None
