"""A further column of a key, such as the number of a turn beside that of its dialogue."""

from files.columns.names import words_of
from files.columns.words import IDENTITIES, ITEMS
from files.reading.doubts import Option
from files.reading.evidence.profiles import Content
from files.reading.layouts.keys.key_names import may_answer
from files.reading.layouts.sketch import INPUT, Sketch, says
from files.reading.model import Axis, Holds

_UNIT = (
    *(Holds.SOURCE, Holds.OUTPUT, Holds.TEXT, Holds.DOCUMENT, Holds.CLAIM, Holds.QUERY),
    *(Holds.SYSTEM, Holds.PART),
)
# A few people answer twice by mistake, or to see how steady they are.
_MOST_REPEATED = 1.15
_MOST_CRITERIA = 20


def put_further_key(sketch: Sketch) -> None:
    """Decide the column without which a rater would have answered most questions several times."""
    answers = sketch.of(Holds.ANSWER)
    by_row = [n for n in sketch.of(Holds.RATER, Holds.CRITERION) if not sketch.holds[n].at]
    # Outputs may be shown in another order to each person.
    unit = [n for n in sketch.of(*_UNIT) if sketch.pairs or not sketch.holds[n].at]
    told = sketch.of(Holds.RATER) or any(Axis.RATER in sketch.holds[n].at for n in answers)
    keys = [n for n in sketch.of(Holds.SOURCE, Holds.OUTPUT) if not sketch.holds[n].at]
    if not told and len(keys) == 1:
        _put_task_key(sketch, unit)
    if not told or not keys or _once(sketch, [*unit, *by_row]) > 1 / _MOST_REPEATED:
        return
    fit = [n for n in (*sketch.free, *sketch.of(Holds.KEPT)) if _completes(sketch, n, unit, by_row)]
    if not fit:
        return
    name = next((n for n in fit if says(n, IDENTITIES | ITEMS)), fit[0])
    if says(name, IDENTITIES | ITEMS) or _is_part_of_key(sketch, keys, name):
        sketch.put(name, Holds.SOURCE)
        return
    taken = sketch.doubts.decide(
        "further-key",
        f"The same people answer again where `{name}` differs. Is it part of the key?",
        Option("key", f"`{name}` and `{keys[0]}` together are the key"),
        *([Option("criterion", "no: it says what was asked")] if _may_ask(sketch, name) else []),
        Option("again", "no: the first answer of each counts"),
    )
    if taken != "again":
        sketch.put(name, Holds.SOURCE if taken == "key" else Holds.CRITERION)


def _put_task_key(sketch: Sketch, unit: list[str]) -> None:
    """Where a platform counts more tasks than units: the column that tells these apart."""
    task = task_column(sketch)
    every = len({*sketch.sample.cells(task)}) if task else 0
    if len({*sketch.sample.keys(unit)}) >= every:
        return
    for name in (*sketch.free, *sketch.of(Holds.KEPT)):
        if name.startswith(INPUT) and len({*sketch.sample.keys([*unit, name])}) == every:
            sketch.put(name, Holds.SOURCE)
            return


def task_column(sketch: Sketch) -> str:
    """The column of a batch that numbers its tasks, and not their types; empty where none does."""
    words = {n: words_of(n) for n in sketch.sample.names}
    named = [n for n, each in words.items() if each >= {"hit", "id"} and "type" not in each]
    return named[0] if named and sketch.is_of_turk else ""


def _completes(sketch: Sketch, name: str, unit: list[str], by_row: list[str]) -> bool:
    profile = sketch.profile(name)
    kinds = (Content.LABELS, Content.CODES, Content.NUMBERS)
    if (name in sketch.holds and sketch.holds[name].at) or profile.content not in kinds:
        return False
    if may_answer(sketch, name):
        return False
    if profile.is_constant or profile.is_unique or profile.share_filled < 0.95:
        return False
    is_whole = _once(sketch, [*unit, *by_row, name]) >= 0.99
    # What several people say of one unit stays the same there; a time or a count does not.
    return is_whole and (not by_row or _once(sketch, [*unit, name]) < 0.8)


def _once(sketch: Sketch, names: list[str]) -> float:
    """The share of rows that are the first of their file to say this in these columns."""
    rows = {*zip(sketch.sample.files, sketch.sample.keys(names), strict=True)}
    return len(rows) / max(1, len(sketch.sample))


def _may_ask(sketch: Sketch, name: str) -> bool:
    """Whether its cells may be criteria: a few words, where no other column has some."""
    profile = sketch.profile(name)
    told = sketch.of(Holds.CRITERION) or any(
        Axis.CRITERION in sketch.holds[n].at for n in sketch.of(Holds.ANSWER)
    )
    return not told and profile.numeric < 0.5 and len(profile.values) <= _MOST_CRITERIA


def _is_part_of_key(sketch: Sketch, keys: list[str], name: str) -> bool:
    """Whether its values are small whole numbers that begin anew with each key."""
    values = sketch.profile(name).values
    return all(value.isdecimal() for value in values) and len(values) <= 60 and "1" in values
