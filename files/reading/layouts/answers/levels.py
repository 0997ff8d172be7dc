"""What a scale is when judges answer beside people, and when its points may be codes."""

from collections import Counter
from collections.abc import Sequence

from files.columns.cells import is_number
from files.columns.names import words_of
from files.columns.words import QUALITIES
from files.reading.doubts import Option
from files.reading.layouts.people import judged_columns
from files.reading.layouts.sketch import Sketch
from files.reading.model import AnswersReading


def with_judges(sketch: Sketch, answers: AnswersReading) -> AnswersReading:
    """The same with the labels that judges alone give; scores are no labels, and stay numbers."""
    if not answers.words or answers.level != "nominal":
        return answers
    said = {value for name in judged_columns(sketch) for value in sketch.profile(name).said}
    if any(map(is_number, said)):
        return answers.model_copy(update={"words": {}})
    return answers.model_copy(update={"words": {**{v: v for v in said}, **answers.words}})


def with_level(
    sketch: Sketch, answers: AnswersReading, columns: Sequence[str], values: Counter[str]
) -> AnswersReading:
    """The same, asked whether 0, 1 and 2 are points or codes, where no name says a criterion."""
    numbers = {value for value in values if value and answers.words.get(value, 0) is not None}
    named = words_of(" ".join((answers.criterion, answers.title, *columns))) & QUALITIES
    if numbers != {"0", "1", "2"} or named or answers.level == "nominal":
        return answers
    taken = sketch.doubts.decide(
        "level",
        "Are 0, 1 and 2 points of a scale?",
        Option("ordinal", "points, in this order"),
        Option("nominal", "codes, such as 0 for a tie"),
        Option("interval", "points at equal distances"),
    )
    return answers.model_copy(update={"level": taken})
