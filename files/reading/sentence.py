"""A reading in one sentence."""

from collections.abc import Sequence

from files.reading.model import AnswersReading, Axis, Holds, Reading
from files.reading.proposal_parts import Counts

_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve"),
)
_MOST_NAMED = 3


def sentence_of(reading: Reading, counts: Counts) -> str:
    """What is read, in plain words: what was judged, by whom, on which scale, how often."""
    if reading.are_sources and counts.sources:
        return _unwritten(reading, counts)
    if not counts.units:
        return "Nothing can be read in this way."
    parts = [_judged(reading, counts)]
    if reading.answers:
        parts += [_raters(reading, counts), _asked(reading)]
    text = ", ".join(filter(None, parts))
    total = f": {counts.answers:,} answers" if reading.answers else ", without answers"
    sample = " in the first rows" if counts.sampled else ""
    return f"{text[:1].upper()}{text[1:]}{total}{sample}."


def _unwritten(reading: Reading, counts: Counts) -> str:
    held = {column.holds for table in reading.tables for column in table.columns}
    one, several = ("claim", "claims") if Holds.CLAIM in held else ("query", "queries")
    told = {"passages": Holds.PASSAGES, "documents": Holds.DOCUMENT}
    having = " and ".join(noun for noun, holds in told.items() if holds in held)
    found = f"{counts.sources:,} {one if counts.sources == 1 else several}"
    found += f" with {having}" if having else ""
    sample = " in the first rows" if counts.sampled else ""
    return f"{found}{sample}, no texts yet: models can write them."


def _judged(reading: Reading, counts: Counts) -> str:
    kinds = [column.holds for table in reading.tables for column in table.columns]
    noun = "document" if Holds.DOCUMENT in kinds else "source"
    if Holds.QUERY in kinds and noun == "source":
        noun = "query" if counts.sources == 1 else "querie"
    if Holds.CLAIM in kinds:
        noun = "claim"
    is_pair = any(answers.form == "choice" for answers in reading.answers)
    if is_pair:
        of = f" of {_counted(counts.systems, 'system')}" if counts.systems else ""
        return f"{_counted(counts.units, 'pair')}{of}"
    if Holds.PART in kinds:
        about = f" about {_counted(counts.outputs, 'output')}"
        of = f" of {_counted(counts.systems, 'system')}" if counts.systems else ""
        return f"{_counted(counts.units, 'statement')}{about}{of}"
    if counts.systems > 1 and counts.sources * counts.systems == counts.outputs:
        return f"{_counted(counts.sources, noun)} × {_counted(counts.systems, 'system')}"
    if counts.systems > 1:
        return (
            f"{_counted(counts.outputs, 'output')} of {_counted(counts.systems, 'system')} "
            f"for {_counted(counts.sources, noun)}"
        )
    if counts.outputs == counts.sources or not counts.outputs:
        return _counted(max(counts.units, counts.sources), "text")
    return f"{_counted(counts.outputs, 'output')} for {_counted(counts.sources, noun)}"


def _raters(reading: Reading, counts: Counts) -> str:
    people = counts.raters
    judges = f" and {_counted(counts.judges, 'judge')}" if counts.judges else ""
    columns = [
        column.column
        for table in reading.tables
        for column in table.columns
        if column.holds is Holds.ANSWER and Axis.RATER in column.at and column.kind != "judge"
    ]
    said = [name.of for table in reading.tables for name in table.names if name.says is Axis.RATER]
    cells = [c.column for t in reading.tables for c in t.columns if c.holds is Holds.RATER]
    if any(table.numbered_raters for table in reading.tables):
        low, high = counts.answers_per_unit
        span = _word(high) if low == high else f"{_word(low)} to {_word(high)}"
        return f"{span} {'answer' if high == 1 else 'answers'} each by raters without a name"
    noun = _counted(people, "rater", words=True)
    if columns and len(columns) >= people:
        where = f"`{columns[0]}`–`{columns[-1]}`" if len(columns) > 1 else f"`{columns[0]}`"
        noun += f" in columns {where}" if len(columns) > 1 else f" in column {where}"
    elif cells:
        noun += f" in `{cells[0]}`"
    elif said:
        noun += f" by the names of the {said[0]}s"
    return f"{noun}{judges}"


def _asked(reading: Reading) -> str:
    answers = reading.answers
    if len(answers) == 1:
        name = f"`{answers[0].criterion}`, " if answers[0].criterion else ""
        return f"{name}{_scale(answers[0])}"
    kinds = dict.fromkeys(_scale(each) for each in answers)
    scale = f" {next(iter(kinds))}" if len(kinds) == 1 and next(iter(kinds)) else ""
    listed = ""
    if len(answers) <= _MOST_NAMED:
        names = [
            f"`{shortened(a.criterion, 40)}`" if a.criterion else "one without a name"
            for a in answers
        ]
        listed = f" ({', '.join(names)})"
    return f"{_counted(len(answers), 'criterion', words=True)}{listed}{scale}"


def _scale(answers: AnswersReading) -> str:
    if answers.form == "choice":
        return "the better one chosen"
    if answers.form == "set":
        return "the accepted ones marked"
    if answers.form == "marks":
        return "the sum of the marks" if {*answers.words.values()} - {0, 1} else "marks counted"
    numbers = sorted({v for v in answers.words.values() if isinstance(v, float)})
    low = answers.low if answers.low is not None else (numbers[0] if numbers else None)
    high = answers.high if answers.high is not None else (numbers[-1] if numbers else None)
    if low is not None and high is not None:
        return f"from {low:g} to {high:g}"
    return "by labels" if answers.level == "nominal" else "by numbers"


def _counted(number: int, noun: str, *, words: bool = False) -> str:
    plural = {"criterion": "criteria"}.get(noun, f"{noun}s")
    said = _word(number) if words else f"{number:,}"
    return f"{said} {noun if number == 1 else plural}"


def _word(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def shortened(text: str, most: int) -> str:
    """The beginning of a text."""
    return text if len(text) <= most else f"{text[:most].rstrip()} …"


def listed(names: Sequence[str], most: int = _MOST_NAMED) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"`{name}`" for name in names[:most]) + more
