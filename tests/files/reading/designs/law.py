"""What a proposal gives back of a design: the same answers up to the names of things, or others.

Two sets of answers are the same where sources, outputs, systems, raters and criteria can be
renamed so that they are equal. Names are replaced by colours: that of a name is refined by those of
the answers it has part in, as in tests of whether two graphs are equal.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from files.errors import ImportFailure
from files.readers.raw_tables import RawTable
from files.reading.design_questions import DESIGN, OTHERWISE
from files.reading.judgements import ReadTables
from files.reading.model import Axis, Reading
from files.reading.proposal_parts import Proposal
from files.reading.proposals import Stated, proposed
from files.reading.records import ReadAnswer, ReadUnit
from files.skipped import SkippedRecords
from tests.files.reading.designs.design import Judged
from tests.files.reading.designs.grids import CRITERION, RATER, SOURCE, SYSTEM, Written

RIGHT, ASKED, REFUSED, WRONG = "right", "asked", "refused", "WRONG"
_ROUNDS = 4
_MOST_TRIES = 40
# What columns are called that say nobody's name.
_ANSWER_NUMBER = re.compile(r"(scores?|labels?|ratings?|annotations?|Note)?[ _]?\d+")


class Outcome(NamedTuple):
    """What came of it, with what was said or what differs. is_first: whether the first choice of
    each question is right. is_open: whether a person would have to ask, too."""

    kind: str
    told: str
    questions: int = 0
    is_first: bool = False
    is_open: bool = False


class Placed(NamedTuple):
    """An answer in the terms of both sides."""

    source: str
    output: object
    system: object
    rater: object
    criterion: str
    value: str


def outcome(tables: Sequence[RawTable], written: Written) -> Outcome:
    """Whether the design comes back."""
    try:
        proposal = proposed(tables)
    except ImportFailure as failure:
        return Outcome(REFUSED, str(failure))
    number = len(proposal.questions)
    if not number:
        return _read(proposal, tables, written)
    asked = "; ".join(question.text for question in proposal.questions)
    tries = islice(_decided(proposal, tables), _MOST_TRIES)
    told = [(_read(each, tables, written), design) for each, design in tries]
    if any(each.kind == RIGHT for each, _ in told):
        is_first = told[0][0].kind == RIGHT
        return Outcome(ASKED, asked, number, is_first, bool(written.open))
    if all(each.kind == REFUSED or design for each, design in told):
        # Whoever reads the question finds no choice but to say what the columns hold.
        return Outcome(REFUSED, asked, number)
    wrong = [each.told for each, design in told if not design]
    return Outcome(WRONG, f"no choice is right: {asked} ({wrong})", number)


def _decided(
    proposal: Proposal, tables: Sequence[RawTable], decided: Mapping[str, str] | None = None
) -> Iterable[tuple[Proposal, bool]]:
    """The proposals that remain when all questions are answered, in every way but by saying what
    the columns hold; with whether one asked for that."""
    decided = decided or {}
    open_ = [question for question in proposal.questions if question.key not in decided]
    if not open_:
        yield proposal, DESIGN in decided
        return
    for choice in open_[0].choices:
        if choice.key == OTHERWISE:
            continue
        more = {**decided, open_[0].key: choice.key}
        try:
            next_ = proposed(tables, Stated(decided=more))
        except ImportFailure:
            continue
        yield from _decided(next_, tables, more)


def _read(proposal: Proposal, tables: Sequence[RawTable], written: Written) -> Outcome:
    try:
        found, odd = _found(proposal.reading, tables, written)
    except ImportFailure as failure:
        return Outcome(REFUSED, f"in reading: {failure}")
    differs = odd or difference(found, _right(written), written.known)
    differs = differs or _odd_people(proposal.reading, written)
    differs = differs or _odd_order(proposal.reading, written)
    return Outcome(WRONG if differs else RIGHT, f"{differs} [{proposal.sentence}]")


def difference(found: list[Placed], right: list[Placed], known: frozenset[str]) -> str:
    """How they differ; nothing where they are the same up to renaming."""
    for axis in (SOURCE, SYSTEM, RATER, CRITERION):
        many = [len({getattr(answer, axis) for answer in side}) for side in (found, right)]
        if axis in known and many[0] != many[1]:
            return f"{many[0]} {axis}s, not {many[1]}"
    outputs = [len({answer.output for answer in side}) for side in (found, right)]
    if outputs[0] != outputs[1]:
        return f"{outputs[0]} outputs, not {outputs[1]}"
    if len(found) != len(right):
        return f"{len(found)} answers, not {len(right)}"
    sides = [Counter(_colours(side)) for side in (found, right)]
    return "" if sides[0] == sides[1] else "other answers"


def _colours(answers: list[Placed]) -> list[int]:
    """A colour for each answer, which no renaming changes."""
    names: list[dict[object, int]] = [defaultdict(int) for _ in range(5)]
    for _ in range(_ROUNDS):
        colours = [_colour(names, answer) for answer in answers]
        parts: list[dict[object, list[int]]] = [defaultdict(list) for _ in range(5)]
        for answer, colour in zip(answers, colours, strict=True):
            for axis in range(5):
                parts[axis][answer[axis]].append(colour)
        names = [{name: hash(tuple(sorted(c))) for name, c in part.items()} for part in parts]
    return [_colour(names, answer) for answer in answers]


def _colour(names: Sequence[Mapping[object, int]], answer: Placed) -> int:
    return hash((*(names[n][answer[n]] for n in range(5)), answer.value))


# --- The two sides -------------------------------------------------------------------------------


def _right(written: Written) -> list[Placed]:
    """The answers of the design, without what the files do not tell."""
    known, right = written.known, []
    for answer in written.answers:
        system, output = _system(answer), (answer.source, _system(answer))
        rater = answer.rater if RATER in known else (output, answer.rater)
        right.append(
            Placed(
                answer.source if SOURCE in known else "",
                output,
                system if SYSTEM in known else "",
                rater,
                answer.criterion,
                _same(answer.value),
            )
        )
    return right


def _system(answer: Judged) -> object:
    """A pair in no order, as the better one is told by its name."""
    return answer.system if isinstance(answer.system, str) else tuple(sorted(answer.system))


def _found(
    reading: Reading, tables: Sequence[RawTable], written: Written
) -> tuple[list[Placed], str]:
    """The answers under a reading, in the same terms; and what is odd about outputs."""
    told = ReadTables(reading, tables, SkippedRecords(strict=False))
    units = {unit.key: unit for unit in told.units()}
    odd = _odd_texts(units.values(), written) or _odd_systems(units.values(), written)
    said = _saying(reading)
    found = [_placed(answer, units[answer.unit], said, written) for answer in told.answers()]
    return found, odd


def _placed(
    answer: ReadAnswer, unit: ReadUnit, said: Callable[[ReadAnswer], str], written: Written
) -> Placed:
    systems = tuple(output.system for output in unit.outputs)
    output = (unit.source, tuple(sorted(output.key for output in unit.outputs)), unit.part)
    value = said(answer)
    if len(systems) > 1:
        value = {"first": systems[0], "second": systems[1]}.get(value, value)
    if written.ticks:
        value = {"1": "yes", "true": "yes", "0": "no", "false": "no"}.get(value, value)
    return Placed(
        unit.source if SOURCE in written.known else "",
        output,
        (systems[0] if len(systems) == 1 else tuple(sorted(systems)))
        if SYSTEM in written.known
        else "",
        answer.rater if RATER in written.known else (output, answer.rater),
        answer.criterion,
        _same(value),
    )


def _odd_texts(units: Iterable[ReadUnit], written: Written) -> str:
    """A text that is shown for an output, but is none; or one that is not read."""
    for unit in units:
        for output in unit.outputs:
            if written.beside and not output.text:
                return "texts of the second file are not read"
            if output.text and output.text not in written.texts:
                return f"{output.text[:40]!r} is shown as an output's text"
    return ""


def _odd_systems(units: Iterable[ReadUnit], written: Written) -> str:
    """Systems where the files name none."""
    if SYSTEM in written.known:
        return ""
    named = {output.system for unit in units for output in unit.outputs}
    return f"systems {sorted(named)[:4]}" if len(named) > 1 and not written.by_place else ""


def _odd_people(reading: Reading, written: Written) -> str:
    """People who are taken for numbers though the files tell them apart by more than these."""
    columns = [column for table in reading.tables for column in table.columns]
    people = [column for column in columns if column.kind != "judge"]
    names = {column.at[Axis.RATER] for column in people if Axis.RATER in column.at}
    nobody = bool(names) and all(_ANSWER_NUMBER.fullmatch(name) for name in names)
    numbered = any(table.numbered_raters for table in reading.tables)
    odd = numbered and RATER in written.known and not nobody
    return "people are numbered" if odd else ""


def _odd_order(reading: Reading, written: Written) -> str:
    """Words of a scale that are read in another order than the right one."""
    for told in reading.answers:
        values = {_same(word): value for word, value in told.words.items()}
        numbers = [values.get(_same(word)) for word in written.scale]
        ordered = [number for number in numbers if isinstance(number, float | int)]
        if told.form == "scale" and told.level != "nominal" and ordered != sorted(ordered):
            return f"the order of {[*written.scale]} is {numbers}"
    return ""


def _saying(reading: Reading) -> Callable[[ReadAnswer], str]:
    """What a cell said of which an answer was made."""
    words: dict[str, dict[str, str]] = defaultdict(dict)
    for told in reading.answers:
        for word, value in told.words.items():
            if told.form == "scale" and value is not None:
                words[told.criterion][_same(str(value))] = word
    return lambda a: words[a.criterion].get(_same(str(a.value)), str(a.value))


_NUMBERED = re.compile(r"\(?(-?\d+)\)?\s*[-:–]\s*\D.*")


def _same(value: str) -> str:
    """Numbers by their value, words by their letters, or by the number before them."""
    value = match[1] if (match := _NUMBERED.fullmatch(value.strip())) else value
    try:
        return f"{float(value):g}"
    except ValueError:
        return " ".join(value.split()).casefold()
