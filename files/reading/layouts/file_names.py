"""What the names of files, folders and sheets say of the rows in them."""

import re
from collections import defaultdict
from collections.abc import Sequence

from files.columns.names import MACHINE, PERSON, words_of
from files.columns.rater_names import are_accounts, may_name_people
from files.columns.words import BASELINES, QUALITIES, RATERS, SYSTEMS
from files.reading.doubts import Option
from files.reading.evidence.files import NameParts, file_name, name_parts
from files.reading.layouts.answers.single_answers import names_criterion
from files.reading.layouts.repeats import repeats_of
from files.reading.layouts.sketch import Sketch
from files.reading.model import Axis, Holds, NameReading

_SAME = frozenset(
    [
        "batch",
        "batches",
        "part",
        "parts",
        "run",
        "round",
        "teil",
        "lauf",
        "page",
        "chunk",
        "split",
        "pilot",
    ]
)
# Criteria have names of their own; people are called `A1`.
_CODE = re.compile(r"[A-Za-z]{0,3}\d{1,4}")
_TOLD = {
    Axis.RATER: "who answered",
    Axis.SYSTEM: "the system",
    Axis.CRITERION: "the criterion",
    Axis.SOURCE: "the text",
}


def put_names(sketch: Sketch, stated: Axis | None = None) -> None:
    """Decide what the names say, where something tells it that the columns do not tell."""
    if len(sketch.sample.tables) < 2:
        return
    for parts in name_parts(sketch.sample.tables)[:3]:
        if _is_in_rows(sketch, parts) and not stated:
            continue
        axis = stated or _axis(sketch, parts)
        taken = {name.says for name in sketch.names}
        if axis and axis not in taken:
            sketch.names.append(NameReading(of=parts.of, says=axis, pattern=parts.pattern))
            if axis is Axis.CRITERION and (lone := _lone_answer(sketch)):
                old = sketch.holds.pop(lone)
                at = {**old.at}
                at.pop(Axis.CRITERION, None)
                sketch.put(lone, Holds.ANSWER, at, kind=old.kind)
            if axis is Axis.RATER:
                sketch.numbered_raters = False
        if stated:
            return


def share_names(sketches: Sequence[Sketch]) -> None:
    """Let the names of tables with other columns tell the rater as they do of the rest, such as
    that of the one sheet with another header."""
    known = [name for s in sketches for name in s.names if name.says is Axis.RATER]
    for sketch in sketches:
        columns = [sketch.holds[name].at for name in sketch.of(Holds.ANSWER)]
        if not sketch.numbered_raters or any(Axis.RATER in at for at in columns):
            continue
        for name in known:
            told = name_texts(sketch, name.of)
            if all(re.search(name.pattern, text) for text in told):
                sketch.names.append(name)
                sketch.numbered_raters = False
                break


def name_texts(sketch: Sketch, of: str) -> list[str]:
    """The names of its files, folders or sheets, a table each."""
    tables = sketch.sample.tables
    if of == "file":
        return [file_name(table) for table in tables]
    return [table.folder if of == "folder" else table.sheet for table in tables]


def _is_in_rows(sketch: Sketch, parts: NameParts) -> bool:
    """Whether some column has one value in each file, and another one in each other file."""
    for name, reading in sketch.holds.items():
        if reading.holds not in (Holds.SYSTEM, Holds.RATER, Holds.CRITERION):
            continue
        cells = sketch.sample.cells(name)
        of_file: dict[int, set[str]] = defaultdict(set)
        for number, cell in zip(sketch.sample.files, cells, strict=True):
            if cell:
                of_file[number].add(cell)
        values = [*of_file.values()]
        if all(len(each) == 1 for each in values) and (
            len({*map(min, values)}) >= 0.7 * len({*parts.values})
        ):
            return True
    return False


def _axis(sketch: Sketch, parts: NameParts) -> Axis | None:  # noqa: PLR0911 a rule a line
    told = _told(parts)
    has = _told_by_rows(sketch)
    beside = words_of(parts.pattern.replace("\\", " "))
    if told and told not in has:
        return told
    if beside & _SAME or all(words_of(value) & _SAME for value in parts.values):
        return None
    options = [axis for axis in (Axis.RATER, Axis.SYSTEM, Axis.CRITERION) if axis not in has]
    shared, other_texts = _overlap(sketch)
    if shared > 0.02 and options == [Axis.SYSTEM] and not sketch.of(Holds.TEXT):
        return Axis.SYSTEM
    if shared > 0.02 and Axis.SYSTEM in options and sketch.of(Holds.TEXT):
        # The same outputs stand in several files: these are not of a system each.
        options.remove(Axis.SYSTEM)
    if other_texts and Axis.SYSTEM in options and shared <= 0.02:
        return Axis.SYSTEM
    coded = all(map(_CODE.fullmatch, parts.values)) or may_name_people({*parts.values})
    if shared > 0.02 and Axis.RATER in options and (coded or options == [Axis.RATER]):
        return Axis.RATER
    if not options or (Axis.RATER in has and repeats_of(sketch)[1]):
        return None  # What stands in two files is no answer to two questions.
    named = ", ".join(f"`{value}`" for value in dict.fromkeys(parts.values[:3]))
    more = " …" if len({*parts.values}) > 3 else ""
    taken = sketch.doubts.decide(
        f"names of {parts.of}s".replace(" ", "-"),
        f"What do the names of the {parts.of}s say ({named}{more})?",
        *(Option(axis.value, _TOLD[axis]) for axis in options),
        Option("nothing", "nothing: they are parts of one table"),
    )
    return None if taken == "nothing" else Axis(taken)


def _told(parts: NameParts) -> Axis | None:
    beside = words_of(parts.pattern.replace("\\", " "))
    words = [words_of(value) for value in parts.values]

    def share(told: frozenset[str]) -> float:
        return sum(bool(each & told) for each in words) / len(words)

    plain = all(value.isdigit() or len(value) == 1 for value in parts.values)
    if share(QUALITIES) >= 0.5:
        return Axis.CRITERION
    if (
        share(PERSON | RATERS) >= 0.5
        or are_accounts({*parts.values})
        or (plain and beside & (PERSON | RATERS))
    ):
        return Axis.RATER
    if share(SYSTEMS | MACHINE | BASELINES) >= 0.6 or (plain and beside & SYSTEMS):
        return Axis.SYSTEM
    return None


def _told_by_rows(sketch: Sketch) -> set[Axis]:
    """The axes that columns tell already."""
    found = {axis for reading in sketch.holds.values() for axis in reading.at}
    for holds, axis in (
        (Holds.RATER, Axis.RATER),
        (Holds.SYSTEM, Axis.SYSTEM),
        (Holds.CRITERION, Axis.CRITERION),
    ):
        if sketch.of(holds):
            found.add(axis)
    if len(sketch.of(Holds.ANSWER)) > 1 and Axis.RATER not in found:
        found.add(Axis.CRITERION)
    if _lone_answer(sketch) and not sketch.of(Holds.CRITERION):
        found.discard(Axis.CRITERION)
    return found


def _lone_answer(sketch: Sketch) -> str:
    """The only column of answers, where its name says no more than that."""
    lone = sketch.of(Holds.ANSWER)
    return lone[0] if len(lone) == 1 and not names_criterion(lone[0]) else ""


def _overlap(sketch: Sketch) -> tuple[float, bool]:
    """(the share of units that stand in several files; whether the same sources have other texts
    in other files)."""
    source = sketch.of(Holds.SOURCE, Holds.DOCUMENT, Holds.QUERY, Holds.CLAIM)
    output = sketch.of(Holds.OUTPUT, Holds.SYSTEM, Holds.TEXT)
    units = _files_of(sketch, [*source, *output])
    shared = sum(len(each) > 1 for each in units.values()) / max(1, len(units))
    if not source or not sketch.of(Holds.TEXT):
        return shared, False
    sources = _files_of(sketch, source)
    several = sum(len(each) > 1 for each in sources.values()) / max(1, len(sources))
    return shared, several > 0.3 and shared <= 0.02


def _files_of(sketch: Sketch, names: Sequence[str]) -> dict[tuple[str, ...], set[int]]:
    found: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for key, number in zip(sketch.sample.keys(names), sketch.sample.files, strict=True):
        if any(key):
            found[key].add(number)
    return found
