"""How the answers to each criterion are read."""

import re
from collections import Counter
from collections.abc import Mapping

from files.reading.doubts import Option
from files.reading.evidence.choices import ChoiceWords, choice_words
from files.reading.layouts.answers.levels import with_judges, with_level
from files.reading.layouts.answers.scales import (
    are_thousands,
    as_labels,
    choice_of,
    others_beside,
    scale_of,
)
from files.reading.layouts.file_names import name_texts
from files.reading.layouts.marks import marked
from files.reading.layouts.people import judged_columns
from files.reading.layouts.sketch import Sketch
from files.reading.model import AnswersReading, Axis, Holds

# Between the question of a matrix and the words of one of its rows.
_ROW_OF_MATRIX = " - "


def criteria_of(sketch: Sketch) -> dict[str, Counter[str]]:
    """Criterion -> how often each value stands in its cells; of people where they have columns."""
    found: dict[str, Counter[str]] = {}
    rows = [n for n in sketch.of(Holds.CRITERION) if not sketch.holds[n].at]
    named = next((n for n in sketch.names if n.says is Axis.CRITERION), None)
    judged = {*judged_columns(sketch)}
    for name in sketch.of(Holds.ANSWER):
        at = sketch.holds[name].at
        if name in judged:
            continue
        if Axis.CRITERION in at:
            found.setdefault(at[Axis.CRITERION], Counter()).update(sketch.profile(name).values)
        elif rows:
            cells = zip(sketch.sample.cells(rows[0]), sketch.sample.cells(name), strict=True)
            for criterion, cell in cells:
                if criterion and cell:
                    found.setdefault(criterion, Counter())[cell] += 1
        elif named:
            parts = _said_by_names(sketch, named.of, named.pattern)
            for number, cell in zip(sketch.sample.files, sketch.sample.cells(name), strict=True):
                if cell:
                    found.setdefault(parts[number], Counter())[cell] += 1
        else:
            found.setdefault("", Counter()).update(sketch.profile(name).values)
    return found


def _said_by_names(sketch: Sketch, of: str, pattern: str) -> list[str]:
    matches = [re.search(pattern, text) for text in name_texts(sketch, of)]
    return [match[1] if match else "" for match in matches]


def answers_of(sketch: Sketch) -> list[AnswersReading]:
    """How the answers to each criterion are read."""
    found = []
    criteria = criteria_of(sketch)
    for criterion, values in criteria.items():
        columns = [
            n
            for n in sketch.of(Holds.ANSWER)
            if sketch.holds[n].at.get(Axis.CRITERION, criterion) == criterion
        ]
        title = _asked(sketch, criterion, columns)
        if (weights := marked(sketch, columns)) is not None:
            found.append(
                AnswersReading(criterion=criterion, title=title, form="marks", words=weights)
            )
        elif sketch.pairs:
            found.append(_choice(sketch, criterion, columns, values, title))
        elif any(name in sketch.set_columns for name in columns):
            mark = next(m for n in columns if (m := sketch.profile(n).separator))
            found.append(
                AnswersReading(criterion=criterion, title=title, form="set", separator=mark)
            )
        else:
            found.append(with_judges(sketch, scale_of(criterion, values, title=title)))
            found[-1] = with_level(sketch, found[-1], columns, values)
    found = _without_thousands(sketch, found, criteria)
    if any(others_beside(each, criteria[each.criterion]) for each in found):
        taken = sketch.doubts.decide(
            "words",
            "Some answers have a number in front, and others have none. Are they points of a "
            "scale?",
            Option("scale", "a scale of the numbers; the others are no answer"),
            Option("labels", "labels without an order, the others too"),
        )
        if taken == "labels":
            found = [as_labels(a, criteria[a.criterion]) for a in found]
    return found


def _asked(sketch: Sketch, criterion: str, columns: list[str]) -> str:
    """The question of a criterion: that of its column, or the end that those of all its columns
    have in common, as the rows of a matrix have it."""
    if asked := sketch.questions.get(criterion, ""):
        return asked[:300]
    ends = {sketch.questions.get(name, "").rpartition(_ROW_OF_MATRIX)[2] for name in columns}
    (end,) = ends if len(ends) == 1 else ("",)
    return end[:300]


def _without_thousands(
    sketch: Sketch, found: list[AnswersReading], criteria: Mapping[str, Counter[str]]
) -> list[AnswersReading]:
    """The same without decimal commas, where these are commas before thousands."""
    values = [v for each in found if each.decimal_comma for v in criteria[each.criterion]]
    with_comma = [value for value in values if "," in value]
    if not with_comma or not are_thousands(with_comma):
        return found
    number = with_comma[0]
    taken = sketch.doubts.decide(
        "commas",
        f"All numbers with a comma have three digits behind it, as `{number}` has. What is it?",
        Option("decimal", f"a decimal comma: {float(number.replace(',', '.')):g}"),
        Option("thousands", "a comma before thousands, which has to be taken out of the file"),
    )
    if taken == "decimal":
        return found
    return [each.model_copy(update={"decimal_comma": False}) for each in found]


def _choice(
    sketch: Sketch, criterion: str, columns: list[str], values: Counter[str], title: str
) -> AnswersReading:
    words: list[ChoiceWords] = [w for n in columns if (w := sketch.choices.get(n))]
    if words:
        return choice_of(criterion, words, title=title)
    systems = {v for n in sketch.of(Holds.SYSTEM) for v in sketch.profile(n).values}
    found = choice_words(values, systems)
    return choice_of(criterion, [found], title=title) if found else scale_of(criterion, values)
