"""Importing answers given elsewhere by people, judges or simulated raters."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

from django.db import transaction

from annotation.answers.record import record_imported
from annotation.models import Study
from files.errors import ImportFailure
from files.readers.documents import checked_line
from files.readers.streams import RawLine, Watch, lines, unwatched
from files.skipped import SkippedRecords
from imports.answer_lines import AnswerLine, RecordedAnswer
from imports.answers.fitted_lines import AskedQuestions, fitted_lines
from imports.answers.raters import ImportedRaters
from imports.material.row_counts import ANSWERS, LARGE, count_rows

# So many answers at a time: their questions are loaded with all texts.
CHUNK = 1000

T = TypeVar("T")


@transaction.atomic
def import_answers(
    *,
    study: Study,
    path: Path,
    watch: Watch = unwatched,
    skipped: SkippedRecords | None = None,
    pseudonyms: bool = False,
) -> dict[str, int]:
    """Record the answers of a file; how many per rater. pseudonyms: people get other names.

    ImportFailure names line and field: an unknown unit, an answer that fits no block, a
    rater known as something else, a question answered twice by one rater. With `skipped` such
    lines may be left out.
    """
    skipped = skipped or SkippedRecords()
    answer_lines = skipped.usable(lines(path, watch), _recorded)
    counts = take_answers(
        study=study, answer_lines=answer_lines, skipped=skipped, pseudonyms=pseudonyms
    )
    skipped.refuse_unusable()
    if not counts:
        raise ImportFailure(str(path), "records", "none in this file")
    return counts


@transaction.atomic
def take_answers(
    *,
    study: Study,
    answer_lines: Iterable[AnswerLine],
    skipped: SkippedRecords | None = None,
    pseudonyms: bool = False,
) -> dict[str, int]:
    """Record the answers of a file of any kind; how many per rater. All of them or none, unless
    `skipped` takes those that do not fit."""
    skipped = skipped or SkippedRecords()
    counts = write_answers(
        study=study, answer_lines=answer_lines, skipped=skipped, pseudonyms=pseudonyms
    )
    if counts:
        study.touch()
    return counts


def write_answers(
    *,
    study: Study,
    answer_lines: Iterable[AnswerLine],
    skipped: SkippedRecords,
    pseudonyms: bool = False,
    after_chunk: Callable[[], object] = lambda: None,
) -> dict[str, int]:
    """The same a chunk at a time, each in a transaction of its own, for a study that nobody sees
    yet: the study is not marked as changed."""
    counts: dict[str, int] = defaultdict(int)
    questions, raters = AskedQuestions(study), ImportedRaters(study, pseudonyms=pseudonyms)
    is_counted = False
    for chunk in _chunks(answer_lines, CHUNK):
        fitted = fitted_lines(chunk, questions, raters, skipped)
        record_imported([(line.rater, line.new_answer) for line in fitted])
        for line in fitted:
            counts[line.rater.name] += 1
        if not is_counted and sum(counts.values()) >= LARGE:
            count_rows(ANSWERS)
            is_counted = True
        after_chunk()
    return dict(counts)


def _recorded(line: RawLine) -> AnswerLine:
    return AnswerLine.read(line.where, checked_line(line, RecordedAnswer))


def _chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk
