"""What 0, 1 and 2 mean in answers that choose one of two."""

import re

from files.reading.doubts import Option
from files.reading.evidence.choices import ChoiceWords
from files.reading.layouts.sketch import Sketch
from files.reading.model import Axis, Holds


def decided(sketch: Sketch, name: str, words: ChoiceWords) -> ChoiceWords:
    """What 0, 1 and 2 mean, which only the authors know where names do not tell."""
    codes = {float(v) for v in words.words if re.fullmatch(r"[+-]?\d(\.0)?", v)}
    if not words.is_coded or _is_told(sketch, codes):
        return words
    if codes == {0.0, 1.0, 2.0}:
        options = (
            Option("0-even", "0 is a tie, 1 the first one, 2 the second one"),
            Option("2-even", "0 is the first one, 1 the second one, 2 a tie"),
        )
    elif codes == {0.0, 1.0}:
        options = (
            Option("0-first", "0 is the first one, 1 the second one"),
            Option("1-first", "1 is the first one, 0 the second one"),
        )
    elif codes <= {-1.0, 0.0, 1.0}:
        options = (
            Option("minus-first", "-1 is the first one, 1 the second one"),
            Option("plus-first", "1 is the first one, -1 the second one"),
        )
    else:
        return words
    taken = sketch.doubts.decide("codes", f"What do the numbers in `{name}` mean?", *options)
    return (
        words
        if taken == options[0].key
        else ChoiceWords({v: _turned(v, taken, m) for v, m in words.words.items()}, words.off)
    )


def _turned(value: str, taken: str, meaning: float | str | None) -> float | str | None:
    if not re.fullmatch(r"[+-]?\d(\.0)?", value):
        return meaning
    number = float(value)
    if taken == "2-even":
        means: dict[float, float | str] = {0.0: 1.0, 1.0: 2.0, 2.0: "tie"}
        return means.get(number, meaning)
    return {1.0: 2.0, 2.0: 1.0}.get(meaning, meaning) if isinstance(meaning, float) else meaning


def _is_told(sketch: Sketch, codes: set[float]) -> bool:
    """Whether columns are numbered as the answers are: `response1`, `response2` and 0 for none."""
    at = [r for r in sketch.holds.values() if r.holds in (Holds.TEXT, Holds.SYSTEM)]
    digits = {d for r in at if Axis.POSITION in r.at for d in re.findall(r"\d+", r.column)[-1:]}
    if digits == {"1", "2"}:
        return codes <= {0.0, 1.0, 2.0} and codes != {0.0, 1.0}
    return digits == {"0", "1"} and codes <= {0.0, 1.0}
