"""The question whether an unlikely design is read rightly, with the readings that are likelier."""

import shlex
from collections.abc import Callable, Iterator, Mapping

from files.reading.evidence.profiles import Content
from files.reading.finding import Finding
from files.reading.layouts.sketch import Sketch
from files.reading.model import Axis, ColumnReading, Holds, Reading, Repeated
from files.reading.objections.designs import again, objection
from files.reading.proposal_parts import Choice, Question

DESIGN, AS_READ, OTHERWISE = "design", "as-read", "otherwise"
# Which of a rater's answers to one question counts, by the choice that says so.
AGAIN: Mapping[str, Repeated] = {AS_READ: "first", "last-counts": "last", "none-counts": "none"}
# So many other readings are tried, of so many rows together, and offered.
_MOST_TRIED, _MOST_ROWS, _MOST_OFFERED = 6, 10_000, 2
_MAY_HOLD = {
    Holds.SOURCE: "which source was judged",
    Holds.RATER: "who answered",
    Holds.CRITERION: "the criterion",
    Holds.SYSTEM: "the system",
    Holds.OUTPUT: "which output was judged",
}
_TELLING = (Content.LABELS, Content.CODES, Content.NUMBERS)
Others = Callable[[str, Holds], Finding | None]


def design_question(reason: str, found: Finding, others: Others) -> Question:
    """Whether files are read rightly although something speaks against it."""
    offered = [*_offered(found, others)]
    only_again = reason == again(found) and not offered
    choices = [
        *(_repeated(found.reading) if only_again else [_as_read(found.reading)]),
        *offered,
        Choice(
            key=OTHERWISE,
            label="No, I will say what the columns hold",
            flags="--column NAME=rater|source|system|criterion|answer|kept",
            reading=without_answers(found.reading),
        ),
    ]
    return Question(key=DESIGN, text=f"{reason} Is that right?", choices=tuple(choices))


def _as_read(reading: Reading, label: str = "Yes, read the files this way") -> Choice:
    return Choice(key=AS_READ, label=label, flags=f"--decide {DESIGN}={AS_READ}", reading=reading)


def _repeated(reading: Reading) -> Iterator[Choice]:
    """Which of the answers counts that a rater gave to one question."""
    yield _as_read(reading, "Yes, and the first answer counts")
    for key in [*AGAIN][1:]:
        counts = AGAIN[key]
        yield Choice(
            key=key,
            label=f"Yes, and {'the last answer' if counts == 'last' else 'none of them'} counts",
            flags=f"--decide {DESIGN}={key}",
            reading=reading.model_copy(update={"repeated": counts}),
        )


def without_answers(reading: Reading) -> Reading:
    """The same with the columns of answers as own ones."""
    tables = [
        table.model_copy(
            update={"columns": tuple(map(_kept, table.columns)), "numbered_raters": False}
        )
        for table in reading.tables
    ]
    return reading.model_copy(update={"tables": tuple(tables), "answers": ()})


def _kept(column: ColumnReading) -> ColumnReading:
    if column.holds is not Holds.ANSWER:
        return column
    at = {axis: place for axis, place in column.at.items() if axis is Axis.POSITION}
    return column.model_copy(update={"holds": Holds.KEPT, "at": at, "kind": ""})


def column_of(choice: str) -> tuple[str, Holds | None]:
    """The column of a choice that says what it holds."""
    column, _, holds = choice.rpartition("=")
    return (column, Holds(holds)) if column and holds in {*Holds} else ("", None)


def _offered(found: Finding, others: Others) -> Iterator[Choice]:
    tried = offered = 0
    rows = sum(len(sketch.sample) for sketch in found.sketches)
    most = min(_MOST_TRIED, _MOST_ROWS // max(1, rows))
    for column, holds in _candidates(found):
        if tried >= most or offered == _MOST_OFFERED:
            return
        tried += 1
        other = others(column, holds)
        if other is None or other.counts.answers < 0.9 * found.counts.answers or objection(other):
            continue
        offered += 1
        said = f"{column}={holds.value}"
        yield Choice(
            key=said,
            label=f"`{column}` says {_MAY_HOLD[holds]}",
            flags=f"--column {shlex.quote(said)}",
            reading=other.reading,
        )


def _candidates(found: Finding) -> Iterator[tuple[str, Holds]]:
    """Own columns and what they may say, the likeliest first."""
    for sketch in found.answering:
        told = {holds for holds in _MAY_HOLD if sketch.of(holds)}
        names = [name for name in sketch.of(Holds.KEPT) if _may_tell(sketch, name)]
        for holds in _MAY_HOLD:
            if holds not in told or holds is Holds.SOURCE:
                yield from ((name, holds) for name in names)


def _may_tell(sketch: Sketch, name: str) -> bool:
    profile = sketch.profile(name)
    comes_again = 1 < len(profile.values) < profile.filled
    return profile.content in _TELLING and comes_again and not sketch.holds[name].at
