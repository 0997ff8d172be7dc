"""What somebody should know before files are imported as they are read."""

from collections.abc import Iterator, Mapping, Sequence

from files.columns.names import words_of
from files.columns.words import REMARKS, SUMMARIES
from files.reading.layouts.answers.forms import criteria_of
from files.reading.layouts.answers.scales import off_scale
from files.reading.layouts.repeats import repeats_of
from files.reading.layouts.sketch import Sketch
from files.reading.model import Holds, Reading, Repeated
from files.reading.proposal_parts import Counts, Remark
from files.reading.relations.joined_tables import Related
from files.reading.sentence import listed, shortened
from files.skipped import Skipped

# What counts of several answers of one rater.
COUNTING: Mapping[Repeated, str] = {
    "first": "the first one counts",
    "last": "the last one counts",
    "none": "none of them counts",
    "all": "all are kept",
    "refused": "the files are refused where two differ",
}


def remarks_of(found: Related, reading: Reading, counts: Counts) -> list[Remark]:
    """The remarks on a reading, the weightiest first."""
    remarks = [
        *_on_agreement(reading, counts),
        *(remark for sketch in found.sketches for remark in _on_table(sketch, reading)),
        *(Remark(key="table-left-out", text=f"{s.files}: {reason}.") for s, reason in found.left),
    ]
    unique = {(remark.key, remark.text): remark for remark in remarks}
    return [*unique.values()]


def on_left_out(skipped: Sequence[Skipped], reading: Reading, *, sampled: bool) -> Iterator[Remark]:
    """What does not fit the reading, by column, with the first place of each. Cells off a scale
    have remarks of their own."""
    scales = {
        column.column
        for table in reading.tables
        for column in table.columns
        if column.holds is Holds.ANSWER
        and all(a.form == "scale" or (a.form == "choice" and a.words) for a in reading.answers)
        and not any(a.names_system for a in reading.answers)
    }
    by_field: dict[str, list[Skipped]] = {}
    for each in skipped:
        if each.field not in scales:
            by_field.setdefault(each.field, []).append(each)
    for field, found in by_field.items():
        number, rows = len(found), " of the first rows" if sampled else ""
        are = "row is" if number == 1 else "rows are"
        text = f"`{field}`: {number:,} {are} left out{rows}, the first in {found[0].where}"
        yield Remark(key="left-out", text=f"{text} ({found[0].reason}).")


def _on_agreement(reading: Reading, counts: Counts) -> Iterator[Remark]:
    if reading.answers and counts.answers and counts.answers_per_unit[1] <= 1 and not counts.judges:
        text = "Each item has one answer, so that agreement cannot be computed."
        yield Remark(key="one-answer", text=text)


def _on_table(sketch: Sketch, reading: Reading) -> Iterator[Remark]:
    for key, text in sketch.remarks:
        yield Remark(key=key, text=text)
    for note in sketch.table.notes:
        yield Remark(key="table", text=f"{sketch.table.name}: {note}")
    yield from _on_cells(sketch, reading)
    yield from _on_columns(sketch)
    yield from _on_repeated(sketch, reading)


def _on_cells(sketch: Sketch, reading: Reading) -> Iterator[Remark]:
    for criterion, values in criteria_of(sketch).items():
        answers = reading.answers_of(criterion)
        if answers is None:
            continue
        about = f"`{shortened(criterion, 60)}`: " if criterion else ""
        off = off_scale(answers, values)
        if off:
            text = (
                f"{about}{sum(off.values())} cells are off the scale and left out: {_cells(off)}."
            )
            yield Remark(key="off-scale", text=text)
        none = {v: n for v, n in values.items() if v in answers.words and answers.words[v] is None}
        if none:
            yield Remark(key="no-answer", text=f"{about}read as no answer: {_cells(none)}.")
        if answers.decimal_comma:
            cell = next(value for value in values if "," in value)
            text = f"{about}`{cell}` is read as {cell.replace(',', '.')}, with a decimal comma."
            yield Remark(key="decimal-comma", text=text)


def _cells(counts: Mapping[str, int]) -> str:
    """The first of some values, each with how often it stands."""
    shown = ", ".join(f"`{shortened(value, 40)}` ({n})" for value, n in [*counts.items()][:4])
    return shown + (f" and {len(counts) - 4} more" if len(counts) > 4 else "")


def _on_columns(sketch: Sketch) -> Iterator[Remark]:
    personal = sketch.of(Holds.PERSONAL)
    if personal:
        text = f"Columns that identify people are left out: {listed(personal)}."
        yield Remark(key="personal", text=text)
    means = [
        n
        for n in sketch.of(Holds.KEPT)
        if words_of(n) & SUMMARIES and not words_of(n) & REMARKS and sketch.holds[n].of != "source"
    ]
    if means and sketch.of(Holds.ANSWER):
        text = (
            f"Means and the like are nobody's answers, and are kept beside them: {listed(means)}."
        )
        yield Remark(key="summaries", text=text)


def _on_repeated(sketch: Sketch, reading: Reading) -> Iterator[Remark]:
    """Answers that a rater gave again, and those that stand in two files."""
    repeated, both = repeats_of(sketch)
    names = [table.name for table in sketch.sample.tables]
    for (one, other), number in both.items():
        files = f"`{names[one]}` and `{names[other]}`"
        text = f"{number:,} answers stand in both {files}, and are counted once."
        yield Remark(key="copies", text=text)
    if repeated:
        counts = COUNTING[reading.repeated]
        text = f"{repeated:,} answers are given again by the same rater; {counts}."
        others = "|".join(
            way for way in ("first", "last", "none", "all") if way != reading.repeated
        )
        yield Remark(key="repeated", text=text, flags=f"--repeated {others}")
