"""Answers in a table that is joined to another one: whose they are, or that they are none."""

from collections.abc import Sequence

from files.columns.names import words_of
from files.columns.words import ANSWERS
from files.reading.doubts import Option
from files.reading.evidence.choices import choice_words
from files.reading.layouts.answers.single_answers import rater_name
from files.reading.layouts.sketch import Sketch
from files.reading.model import Axis, ColumnReading, Holds


def release_answers(sketch: Sketch) -> None:
    """What looks like answers in a table of texts is its own."""
    for name in sketch.of(Holds.ANSWER):
        sketch.holds[name] = ColumnReading(column=name, holds=Holds.KEPT, of="output")
    sketch.numbered_raters = False


def put_joined(main: Sketch, sketch: Sketch, keys: Sequence[str]) -> None:
    """Change what a joined table holds: it adds to rows, and has no keys of its own."""
    for key in keys:
        sketch.put(key, Holds.LEFT_OUT)
    has = {reading.holds for reading in main.holds.values()}
    _ask_who(main, sketch)
    answers = sketch.of(Holds.ANSWER)
    is_of_judges = bool(answers) and any(Axis.RATER in sketch.holds[n].at for n in answers)
    if answers and not is_of_judges and not sketch.of(Holds.RATER):
        release_answers(sketch)
    for name, reading in [*sketch.holds.items()]:
        if name in keys:
            continue
        repeated = name in main.holds and reading.holds is not Holds.ANSWER
        single = reading.holds in (
            *(Holds.TEXT, Holds.DOCUMENT, Holds.QUERY, Holds.CLAIM, Holds.SYSTEM),
            *(Holds.SOURCE, Holds.OUTPUT, Holds.RATER),
        )
        if repeated or (single and reading.holds in has and not reading.at):
            sketch.put(name, Holds.LEFT_OUT if repeated else Holds.KEPT)
        elif reading.holds is Holds.TEXT and is_of_judges:
            sketch.put(name, Holds.KEPT, of="answer")
    if main.of(Holds.TEXT) and is_of_judges:
        _place_reasons(sketch)
    if main.pairs and is_of_judges:
        _choose(main, sketch)


def _ask_who(main: Sketch, sketch: Sketch) -> None:
    """Ask whose the answers of a second file are, where the first one has columns of raters and
    the name of the column says no more than that it holds answers."""
    if sketch.of(Holds.RATER) or all(
        Axis.RATER not in main.holds[n].at for n in main.of(Holds.ANSWER)
    ):
        return
    for name in sketch.of(Holds.ANSWER):
        rater = rater_name(name)
        if Axis.RATER in sketch.holds[name].at or rater == name or not words_of(name) & ANSWERS:
            continue
        taken = sketch.doubts.decide(
            "second-file",
            f"Whose answers does `{name}` hold?",
            Option("judge", f"those of a machine, `{rater}`"),
            Option("human", f"those of a person, `{rater}`"),
            Option("kept", "nobody's: it is kept with what it describes"),
        )
        if taken == "kept":
            sketch.put(name, Holds.KEPT)
        else:
            at = {Axis.RATER: rater}
            sketch.holds[name] = sketch.holds[name].model_copy(update={"at": at, "kind": taken})
            sketch.numbered_raters = False


def _place_reasons(sketch: Sketch) -> None:
    for name in sketch.of(Holds.KEPT, Holds.REASON):
        if any(word in name.lower() for word in ("reason", "rationale", "explanation", "begründ")):
            answers = sketch.of(Holds.ANSWER)
            sketch.put(name, Holds.REASON, sketch.holds[answers[0]].at)
    for name in sketch.of(Holds.KEPT):
        if not sketch.holds[name].of:
            sketch.put(name, Holds.KEPT, of="answer")


def _choose(main: Sketch, sketch: Sketch) -> None:
    """Read a judge's answers to pairs as the people's are read."""
    systems = {v for n in main.of(Holds.SYSTEM) for v in main.profile(n).values}
    sketch.pairs = True
    for name in sketch.of(Holds.ANSWER):
        words = choice_words(sketch.profile(name).values, systems)
        if words:
            sketch.choices[name] = words
