"""Columns of machines' answers in tables whose rows name the person who answered: they say the same
of each text in all of its rows."""

from collections.abc import Sequence

from files.columns.names import MACHINE, PERSON, words_of
from files.columns.words import QUALITIES
from files.reading.doubts import Option
from files.reading.layouts.answers.axes import UNIT_KEYS, Rows
from files.reading.layouts.answers.single_answers import rater_name
from files.reading.layouts.keys.key_names import may_answer
from files.reading.layouts.sketch import Sketch, plain_name
from files.reading.model import Axis, Holds
from files.reading.sentence import listed


def machines_columns(sketch: Sketch, names: Sequence[str], rows: Rows) -> list[str]:
    """Those of the columns that are called by machines and say one thing of each text, where
    others hold what the people of the rows answered."""
    keys = [n for n in sketch.of(*UNIT_KEYS, Holds.SYSTEM) if not sketch.holds[n].at]
    if not rows.has_rater or not keys or sketch.sample.comes_again(keys) < 1.3:
        return []
    found = [
        name
        for name in names
        if words_of(plain_name(name)) & MACHINE
        and not words_of(plain_name(name)) & PERSON
        and sketch.sample.determines(keys, name, share=0.999)
    ]
    others = [name for name in names if name not in found]
    return found if any(may_answer(sketch, name) for name in others) else []


def put_machines(sketch: Sketch, names: Sequence[str]) -> None:
    """Decide these columns beside the answers of people, to the same criteria."""
    criteria = {name: _criterion(sketch, name) for name in names}
    fit = [name for name in names if criteria[name] is not None]
    taken = "kept"
    if fit:
        taken = sketch.doubts.decide(
            "machines",
            f"Whose answers are in {listed(fit)}? They are the same in all rows of a text.",
            Option("judges", "those of machines, which answered each text once"),
            Option("kept", "nobody's: they are kept with what they describe"),
        )
    for name in names:
        criterion = criteria[name]
        if taken == "kept" or criterion is None:
            sketch.put(name, Holds.KEPT)
            continue
        at = {Axis.RATER: _machine(name)} | ({Axis.CRITERION: criterion} if criterion else {})
        sketch.put(name, Holds.ANSWER, at, kind="judge")


def _criterion(sketch: Sketch, name: str) -> str | None:
    """The criterion of people's answers that a machine answered to, too; None where it is of
    another one, or of nobody knows which."""
    told = {n: sketch.holds[n].at.get(Axis.CRITERION, "") for n in sketch.of(Holds.ANSWER)}
    own = words_of(plain_name(name)) & QUALITIES
    same = {c for n, c in told.items() if words_of(plain_name(n)) & QUALITIES == own}
    every = same if own else {*told.values()}
    return every.pop() if len(every) == 1 and not sketch.of(Holds.CRITERION) else None


def _machine(name: str) -> str:
    words = rater_name(name).split("_")
    return "_".join(word for word in words if not words_of(word) & QUALITIES) or name
