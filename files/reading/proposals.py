"""Proposing a reading of tables from what they hold."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from files.errors import ImportFailure
from files.readers.raw_tables import RawTable
from files.reading.design_questions import (
    AGAIN,
    DESIGN,
    OTHERWISE,
    column_of,
    design_question,
    without_answers,
)
from files.reading.doubts import MOST_QUESTIONS, Doubt, Doubts
from files.reading.evidence.files import groups_of
from files.reading.evidence.samples import Sample, sampled
from files.reading.finding import Finding
from files.reading.judgements import ReadTables
from files.reading.layouts.answers.forms import answers_of
from files.reading.layouts.answers.scales import merged
from files.reading.layouts.keys.repeated_ids import keep_other_texts
from files.reading.layouts.raters import People
from files.reading.layouts.sketch import Sketch
from files.reading.layouts.systems import join_spellings
from files.reading.layouts.unwritten import UNWRITTEN, Unwritten, unwritten
from files.reading.layouts.whole import sketched
from files.reading.model import AnswersReading, Axis, Holds, Reading, Repeated, TableReading
from files.reading.objections.designs import objection
from files.reading.proposal_parts import Choice, Counts, Proposal, Question, Remark
from files.reading.relations.joined_tables import Related
from files.reading.relations.related import chosen_designs, related
from files.reading.remarks import on_left_out, remarks_of
from files.reading.rows.tallies import Tally
from files.reading.sentence import sentence_of
from files.reading.tables import tables_of, unread_tables
from files.skipped import SkippedRecords

# Answers that are counted for the sentence, about.
COUNTED = 12_000


@dataclass(frozen=True)
class Stated:
    """What somebody said beforehand, by options of a command or on a page; it is taken as it is.

    columns: column -> what it holds. names: what the names of files say. humans, judges: columns
    or raters that are people or machines. decided: key of a question -> key of the choice.
    groups: own columns that results are to be grouped by. repeated: which of a rater's answers to
    one question counts.
    """

    columns: Mapping[str, Holds] = field(default_factory=dict)
    names: Axis | None = None
    humans: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    decided: Mapping[str, str] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    repeated: Repeated | None = None

    @property
    def says_columns(self) -> bool:
        """Whether it says what some columns hold."""
        return bool(self.columns or self.humans or self.judges)


@dataclass(frozen=True)
class Draft:
    """A reading with what was met on the way."""

    reading: Reading
    doubts: Doubts
    related: Related


def proposed(tables: Sequence[RawTable], stated: Stated | None = None) -> Proposal:
    """The reading that the tables propose, with what they leave open. ImportFailure where no
    reading makes anything of them, saying what they would need."""
    stated = _with_design(stated or Stated())
    _refuse_unknown(tables, stated)
    samples = sampled(groups_of(tables))
    draft = _drafted(samples, stated)
    skipped = SkippedRecords(strict=False, folders=False)
    counts, tally, failure = _counted(samples, draft.reading, skipped)
    still_open = iter(draft.doubts.open)
    asked = (_question(each, draft.reading, samples, stated) for each in still_open)
    questions = [*islice(filter(None, asked), MOST_QUESTIONS)]
    if not questions and DESIGN not in stated.decided:
        found = _finding(draft, counts, tally, stated)
        if reason := objection(found):
            questions = [design_question(reason, found, _others(samples, stated))]
    return Proposal(
        reading=draft.reading,
        sentence=sentence_of(draft.reading, counts),
        counts=counts,
        questions=tuple(questions),
        remarks=(
            *([Remark(key="unread", text=f"Cannot be imported so: {failure}")] if failure else []),
            *_beyond([*still_open, *draft.doubts.told]),
            *remarks_of(draft.related, draft.reading, counts),
            *on_left_out(skipped.listed, draft.reading, sampled=counts.sampled),
        ),
    )


def _with_design(stated: Stated) -> Stated:
    """The same with the column that a decided question of the design names."""
    column, holds = column_of(stated.decided.get(DESIGN, ""))
    return replace(stated, columns={**stated.columns, column: holds}) if holds else stated


def _others(samples: Sequence[Sample], stated: Stated) -> Callable[[str, Holds], Finding | None]:
    """What comes of it where a column holds something else; None where nothing does."""

    def found(column: str, holds: Holds) -> Finding | None:
        other = replace(stated, columns={**stated.columns, column: holds})
        try:
            draft = _drafted(samples, other)
        except ImportFailure:
            return None
        counts, tally, _ = _counted(samples, draft.reading, SkippedRecords(strict=False))
        return _finding(draft, counts, tally, stated)

    return found


def _finding(draft: Draft, counts: Counts, tally: Tally, stated: Stated) -> Finding:
    return Finding(
        draft.related.sketches,
        draft.reading,
        counts,
        tally,
        is_stated=stated.says_columns,
        says_repeated=stated.repeated is not None,
    )


def _counted(
    samples: Sequence[Sample], reading: Reading, skipped: SkippedRecords
) -> tuple[Counts, Tally, str]:
    """What the first rows hold; or nothing, and why they cannot be read so, which somebody may
    change."""
    tally = Tally(closely=True)
    tables = [table for sample in samples for table in sample.tables]
    limit = _limit(reading)
    try:
        ReadTables(reading, tables, skipped).tallied(tally, limit)
    except ImportFailure as failure:
        return Counts(), Tally(), str(failure)
    most = max((n for s in samples for n in Counter(s.files).values()), default=0)
    is_part = most > limit or not all(sample.whole for sample in samples)
    return tally.counts(sampled=is_part), tally, ""


def _limit(reading: Reading) -> int:
    """How many rows of each table are counted."""
    cells = max(sum(c.holds is Holds.ANSWER for c in t.columns) for t in reading.tables)
    files = sum(
        len(t.files) for t in reading.tables if any(c.holds is Holds.ANSWER for c in t.columns)
    )
    return max(50, COUNTED // max(1, cells) // max(1, files))


def _refuse_unknown(tables: Sequence[RawTable], stated: Stated) -> None:
    names = dict.fromkeys(name for table in tables for name in table.names)
    if not names:
        raise ImportFailure(tables[0].name if tables else "files", "rows", "there are none")
    for column in (*stated.columns, *stated.groups):
        if column not in names:
            existing = ", ".join([*names][:30])
            reason = f"no such column (the files have: {existing})"
            raise ImportFailure(f"{tables[0].name}:1", column, reason)


def _drafted(samples: Sequence[Sample], stated: Stated) -> Draft:
    doubts, people = Doubts(stated.decided), People(stated.humans, stated.judges)
    sketches = [
        sketched(sample, doubts, stated.columns, stated.names, people)
        for sample in samples
        if len(sample)
    ]
    if not sketches:
        raise ImportFailure(samples[0].tables[0].name, "rows", "there are none")
    of_all = chosen_designs(related(sketches), doubts)
    if found := unwritten(of_all.sketches, stated.columns):
        alone = Doubts(stated.decided)
        if found.decide(alone) == UNWRITTEN:
            return _draft_of_sources(found, alone, stated)
        # What else is open depends on that question.
        doubts = alone if alone.open else doubts
    for sketch in of_all.sketches:
        keep_other_texts(sketch)
    answers = _answers(of_all.sketches)
    made: list[TableReading] = []
    for sketch in of_all.sketches:
        made += tables_of(sketch, of_all, people, stated.groups)
    for sketch, _ in of_all.left:
        made += unread_tables(sketch)
    reading = Reading(
        tables=tuple(made),
        answers=tuple(answers),
        systems={**of_all.systems, **join_spellings(of_all.sketches, doubts)},
        repeated=stated.repeated or AGAIN.get(stated.decided.get(DESIGN, ""), "first"),
        judges=tuple(dict.fromkeys(name for s in of_all.sketches for name in s.judges)),
    )
    if stated.decided.get(DESIGN) == OTHERWISE:
        reading = without_answers(reading)
    elif not answers and not reading.has_texts:
        _refuse_nothing(sketches)
    return Draft(reading, doubts, of_all)


def _draft_of_sources(found: Unwritten, doubts: Doubts, stated: Stated) -> Draft:
    """Claims or queries with evidence, whose texts are still to be written."""
    sketch, of_all = found.sketched(), Related()
    of_all.sketches.append(sketch)
    reading = Reading(tables=tuple(tables_of(sketch, of_all, People(), stated.groups)))
    return Draft(reading, doubts, of_all)


def _answers(sketches: Sequence[Sketch]) -> list[AnswersReading]:
    """How answers to each criterion are read: tables that share one are read alike."""
    found: dict[str, AnswersReading] = {}
    for sketch in sketches:
        for answers in answers_of(sketch):
            met = found.get(answers.criterion)
            found[answers.criterion] = merged(met, answers) if met else answers
    return [*found.values()]


def _refuse_nothing(sketches: Sequence[Sketch]) -> None:
    sketch = sketches[0]
    existing = ", ".join(sketch.sample.names[:12])
    raise ImportFailure(
        f"{sketch.table.name}:1",
        "columns",
        f"no column seems to hold texts or answers (the table has: {existing}): say what they "
        "hold by --column NAME=text or --column NAME=answer",
    )


# --- Questions -----------------------------------------------------------------------------------


def _question(
    doubt: Doubt, taken: Reading, samples: Sequence[Sample], stated: Stated
) -> Question | None:
    """What is asked; None where all choices come to the same."""
    choices = []
    for option in doubt.options:
        decided = {**stated.decided, doubt.key: option.key}
        reading = taken
        if option.key != doubt.taken:
            reading = _drafted(samples, replace(stated, decided=decided)).reading
        flags = f"--decide {shlex.quote(f'{doubt.key}={option.key}')}"
        choices.append(Choice(key=option.key, label=option.label, flags=flags, reading=reading))
    differ = any(choice.reading != taken for choice in choices)
    return Question(key=doubt.key, text=doubt.text, choices=tuple(choices)) if differ else None


def _beyond(doubts: Iterable[Doubt]) -> list[Remark]:
    """What is not asked, as there are questions enough, or the file decides it as a rule."""
    found = []
    for doubt in doubts:
        label = next(o.label for o in doubt.options if o.key == doubt.taken)
        others = " or ".join(o.key for o in doubt.options if o.key != doubt.taken)
        found.append(
            Remark(
                key=f"taken-{doubt.key}",
                text=f"{doubt.text} Taken: {label}.",
                flags=f"--decide {shlex.quote(doubt.key)}={others}",
            )
        )
    return found
