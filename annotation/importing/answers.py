"""Importing answers given elsewhere by people, judges or simulated raters."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from django.db import transaction
from pydantic import Field, ValidationError, field_validator, model_validator

from annotation.answers.record import GivenAnswer, record_answers
from annotation.importing.errors import Contradiction, ImportFailure
from annotation.importing.files.documents import checked_line
from annotation.importing.files.streams import Line, Watch, lines, unwatched
from annotation.importing.material.records import JsonObject, UnitKey
from annotation.importing.material.row_counts import ANSWERS, LARGE, count_rows
from annotation.importing.skipped import SkippedRecords
from annotation.models import Annotation, Question, Rater, Study
from annotation.models.rater_names import refuse_reserved
from tasktypes.material import Material
from tasktypes.schemas import Schema

# So many answers at a time: their questions are loaded with all texts.
CHUNK = 500

T = TypeVar("T")
# (question, rater, replicate): what may be answered once.
Slot = tuple[int, int, int]


class RecordedAnswer(Material):
    """One line of a file of answers."""

    unit: UnitKey
    block: str = ""
    rater: Annotated[str, Field(min_length=1, max_length=200)]
    kind: Literal["human", "judge", "simulated"]
    # Of a judge's model. All lines of a rater that have it must agree.
    family: Annotated[str, Field(max_length=200)] = ""
    replicate: Annotated[int, Field(ge=0, le=10_000)] = 0
    answer: JsonObject
    # What an export tells of a judge's replies. They are read by nobody here.
    reasons: tuple[str, ...] = ()

    @field_validator("rater")
    @classmethod
    def _can_be_reported(cls, name: str) -> str:
        refuse_reserved(name)
        return name

    @model_validator(mode="after")
    def _family_of_a_machine(self) -> Self:
        if self.family and self.kind == "human":
            raise ValueError("family: a person has no model family")
        return self


@dataclass(frozen=True)
class AnswerLine:
    """An answer as a file has it, and where it stands there."""

    where: str
    recorded: RecordedAnswer

    @classmethod
    def of(cls, where: str, **fields: Any) -> Self:
        """The line of these fields; ImportFailure where they make no answer."""
        try:
            return cls(where, RecordedAnswer.model_validate(fields))
        except ValidationError as error:
            raise ImportFailure.of(where, error) from error


@dataclass(frozen=True)
class _Fitted:
    """A line with the question that it answers and its answer in that question's schema."""

    where: str
    rater: Rater
    new_answer: GivenAnswer

    @property
    def slot(self) -> Slot:
        return self.new_answer.question.pk, self.rater.pk, self.new_answer.replicate


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
    counts: dict[str, int] = defaultdict(int)
    raters, is_counted = _Raters(study, pseudonyms=pseudonyms), False
    for chunk in _chunks(answer_lines, CHUNK):
        fitted = _unrepeated(list(_fit(study, chunk, raters, skipped)), skipped)
        for rater, answers in _by_rater(fitted).items():
            record_answers(rater=rater, given=answers)
            counts[rater.name] += len(answers)
        if not is_counted and sum(counts.values()) >= LARGE:
            count_rows(ANSWERS)
            is_counted = True
    return dict(counts)


def _recorded(line: Line) -> AnswerLine:
    return AnswerLine(line.where, checked_line(line, RecordedAnswer))


def _chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


class _Raters:
    """The raters of a file, created at their first answer.

    pseudonyms: people become rater-1, rater-2, … in the order of their first answers; those of
    another file are other people.
    """

    def __init__(self, study: Study, *, pseudonyms: bool = False) -> None:
        self._study = study
        self._pseudonyms = pseudonyms
        self._by_name: dict[str, Rater] = {}

    def rater(self, line: AnswerLine) -> Rater:
        name, kind = line.recorded.rater, line.recorded.kind
        if name not in self._by_name:
            self._by_name[name] = self._find_or_create(line)
        rater = self._by_name[name]
        if rater.kind != kind:
            raise Contradiction(line.where, "kind", f"{name!r} is {rater.kind}, not {kind}")
        self._learn_family(rater, line)
        return rater

    def _learn_family(self, rater: Rater, line: AnswerLine) -> None:
        family = line.recorded.family
        if not family or family == rater.family:
            return
        if rater.family:
            reason = f"{rater.name!r} is of {rater.family}, not {family}"
            raise Contradiction(line.where, "family", reason)
        rater.family = family
        rater.save(update_fields=["family"])

    def _find_or_create(self, line: AnswerLine) -> Rater:
        name = line.recorded.rater
        if self._pseudonyms and line.recorded.kind == Rater.Kind.HUMAN.value:
            name = self._next_pseudonym()
        standing = self._study.raters.filter(name=name).order_by("-version").first()
        if standing is None:
            return Rater.objects.create(
                study=self._study,
                name=name,
                kind=line.recorded.kind,
                origin=Rater.Origin.IMPORTED,
            )
        if standing.origin != Rater.Origin.IMPORTED:
            raise Contradiction(line.where, "rater", f"{name!r} answers here; use another name")
        return standing

    def _next_pseudonym(self) -> str:
        taken = set(self._study.raters.values_list("name", flat=True))
        return next(name for n in count(1) if (name := f"rater-{n}") not in taken)


def _fit(
    study: Study, chunk: list[AnswerLine], raters: _Raters, skipped: SkippedRecords
) -> Iterator[_Fitted]:
    questions = _questions(study, {line.recorded.unit for line in chunk})
    for line in chunk:
        try:
            new_answer = _new_answer(line, questions)
            # Last, since a rater is created at its first answer.
            rater = raters.rater(line)
        except ImportFailure as failure:
            skipped.skip_answer(failure)
            continue
        rater.study = study  # spares a query for each rater
        yield _Fitted(line.where, rater, new_answer)


def _new_answer(line: AnswerLine, questions: dict[str, dict[str, Question]]) -> GivenAnswer:
    question, answer = _question_and_answer(line, questions)
    new_answer = GivenAnswer(
        question,
        answer,
        replicate=line.recorded.replicate,
        between_points=line.recorded.kind == Rater.Kind.JUDGE.value,
    )
    _check(line, new_answer)
    return new_answer


def _questions(study: Study, units: set[str]) -> dict[str, dict[str, Question]]:
    """Unit key to block key to question."""
    by_unit: dict[str, dict[str, Question]] = defaultdict(dict)
    rows = Question.objects.filter(study=study, unit__key__in=units)
    for question in rows.select_related("block", "unit").order_by("block__position"):
        by_unit[question.unit.key][question.block.key] = question
    return by_unit


def _question_and_answer(
    line: AnswerLine, questions: dict[str, dict[str, Question]]
) -> tuple[Question, Schema]:
    recorded = line.recorded
    blocks = questions.get(recorded.unit)
    if not blocks:
        raise ImportFailure(line.where, "unit", f"no unit {recorded.unit!r} in this study")
    if recorded.block and recorded.block not in blocks:
        keys = ", ".join(blocks)
        raise ImportFailure(line.where, "block", f"no block {recorded.block!r} (known: {keys})")
    if recorded.block or len(blocks) == 1:
        question = blocks[recorded.block] if recorded.block else next(iter(blocks.values()))
        try:
            return question, question.typed_answer(recorded.answer)
        except ValidationError as error:
            raise ImportFailure.of(line.where, error, within="answer") from error
    return _only_fit(line, blocks)


def _only_fit(line: AnswerLine, blocks: dict[str, Question]) -> tuple[Question, Schema]:
    """The only question whose schema fits the answer, for a line that names no block."""
    fits = []
    for question in blocks.values():
        try:
            fits.append((question, question.typed_answer(line.recorded.answer)))
        except ValidationError:
            continue
    if len(fits) != 1:
        takers = ", ".join(question.block.key for question, _ in fits) or "no block"
        raise ImportFailure(line.where, "block", f"missing ({takers} would take this answer)")
    return fits[0]


def _check(line: AnswerLine, new_answer: GivenAnswer) -> None:
    try:
        new_answer.check()
    except ValueError as error:
        raise ImportFailure.of(line.where, error, within="answer") from error


def _unrepeated(fitted: list[_Fitted], skipped: SkippedRecords) -> list[_Fitted]:
    """One answer per question, rater and replicate, in this file and in the study. The same
    answer again may be skipped; a second one may not."""
    answered = _answered(
        {line.new_answer.question.pk for line in fitted}, {line.rater.pk for line in fitted}
    )
    new = []
    for line in fitted:
        answer = line.new_answer.answer.model_dump(mode="json")
        if line.slot not in answered:
            answered[line.slot] = answer
            new.append(line)
            continue
        kind = ImportFailure if answered[line.slot] == answer else Contradiction
        key = line.new_answer.question.unit.key
        reason = f"{line.rater.name!r} has already answered {key!r}"
        skipped.skip_answer(kind(line.where, "unit", reason))
    return new


def _answered(questions: set[int], raters: set[int]) -> dict[Slot, Any]:
    """The standing answers by slot."""
    standing = Annotation.objects.filter(
        question__in=questions, rater__in=raters, superseded_at=None
    )
    rows = standing.values_list("question_id", "rater_id", "replicate", "answer")
    return {(question, rater, replicate): answer for question, rater, replicate, answer in rows}


def _by_rater(fitted: list[_Fitted]) -> dict[Rater, list[GivenAnswer]]:
    grouped: dict[Rater, list[GivenAnswer]] = defaultdict(list)
    for line in fitted:
        grouped[line.rater].append(line.new_answer)
    return grouped
