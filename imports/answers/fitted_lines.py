"""Lines of answers with the questions that they answer, checked against them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from annotation.answers.record import GivenAnswer
from annotation.models import Annotation, Question, Rater, Study
from files.errors import Contradiction, ImportFailure, Repetition
from files.skipped import SkippedRecords
from imports.answer_lines import AnswerLine
from imports.answers.raters import ImportedRaters
from imports.material.metadata import impersonal
from tasktypes.schemas import Schema

# Units whose questions are kept, with their texts.
MOST_KEPT = 1_000

# (question, rater, replicate): what may be answered once.
Slot = tuple[int, int, int]


@dataclass(frozen=True)
class FittedLine:
    """A line with the question that it answers and its answer in that question's schema."""

    where: str
    unit: str
    rater: Rater
    new_answer: GivenAnswer

    @property
    def slot(self) -> Slot:
        return self.new_answer.question.pk, self.rater.pk, self.new_answer.replicate


@dataclass(frozen=True)
class ParsedQuestion:
    """A question with its payload, which is parsed once for all answers to it."""

    question: Question
    payload: Schema


class AskedQuestions:
    """The questions of a study, by unit key and block key. Those of the units that came last are
    kept: in most files the answers to a unit stand together."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._blocks = {block.pk: block for block in study.blocks.all()}
        self._by_unit: dict[str, dict[str, ParsedQuestion]] = {}

    def load(self, units: Collection[str]) -> None:
        """Have the questions of these units at hand."""
        missing = [unit for unit in units if unit not in self._by_unit]
        if len(self._by_unit) + len(missing) > MOST_KEPT:
            self._by_unit = {unit: of for unit, of in self._by_unit.items() if unit in units}
        rows = Question.objects.filter(study=self._study, unit__key__in=missing).with_text()
        columns = ("pk", "unit", "unit__key", "block", "payload_text")
        rows = rows.order_by("block__position")
        for pk, unit, key, block_pk, text in rows.values_list(*columns):
            block = self._blocks[block_pk]
            question = Question(pk=pk, study=self._study, unit_id=unit, block=block)
            payload = block.task_type.Payload.model_validate_json(text)
            self._by_unit.setdefault(key, {})[block.key] = ParsedQuestion(question, payload)

    def of(self, unit: str) -> Mapping[str, ParsedQuestion]:
        """Block key to question, of a unit that was loaded; empty where there is no such unit."""
        return self._by_unit.get(unit, {})


def fitted_lines(
    chunk: Sequence[AnswerLine],
    questions: AskedQuestions,
    raters: ImportedRaters,
    skipped: SkippedRecords,
) -> list[FittedLine]:
    """The lines that fit, with what they answer: one for each question, rater and replicate."""
    questions.load({line.unit for line in chunk})
    return _unrepeated(list(_fit(chunk, questions, raters, skipped)), skipped)


def _fit(
    chunk: Sequence[AnswerLine],
    questions: AskedQuestions,
    raters: ImportedRaters,
    skipped: SkippedRecords,
) -> Iterator[FittedLine]:
    for line in chunk:
        try:
            new_answer = _new_answer(line, questions)
            # Last, since a rater is created at its first answer.
            rater = raters.rater(line)
        except ImportFailure as failure:
            skipped.skip_answer(failure)
            continue
        yield FittedLine(line.where, line.unit, rater, new_answer)


def _new_answer(line: AnswerLine, questions: AskedQuestions) -> GivenAnswer:
    asked, answer = _question_and_answer(line, questions)
    new_answer = GivenAnswer(
        asked.question,
        answer,
        replicate=line.replicate,
        between_points=line.kind == Rater.Kind.JUDGE.value,
        parsed_payload=asked.payload,
        reasons=line.reasons,
        metadata=impersonal(line.metadata),
    )
    _check(line, new_answer)
    return new_answer


def _question_and_answer(
    line: AnswerLine, questions: AskedQuestions
) -> tuple[ParsedQuestion, Schema]:
    blocks = questions.of(line.unit)
    if not blocks:
        raise ImportFailure(line.where, "unit", f"no unit {line.unit!r} in this study")
    if line.block and line.block not in blocks:
        keys = ", ".join(blocks)
        raise ImportFailure(line.where, "block", f"no block {line.block!r} (known: {keys})")
    if line.block or len(blocks) == 1:
        asked = blocks[line.block] if line.block else next(iter(blocks.values()))
        try:
            return asked, asked.question.typed_answer(line.answer)
        except ValidationError as error:
            raise ImportFailure.of(line.where, error, within="answer") from error
    return _only_fit(line, blocks)


def _only_fit(
    line: AnswerLine, blocks: Mapping[str, ParsedQuestion]
) -> tuple[ParsedQuestion, Schema]:
    """The only question whose schema fits the answer, for a line that names no block."""
    fits = []
    for asked in blocks.values():
        try:
            fits.append((asked, asked.question.typed_answer(line.answer)))
        except ValidationError:
            continue
    if len(fits) != 1:
        takers = ", ".join(asked.question.block.key for asked, _ in fits) or "no block"
        raise ImportFailure(line.where, "block", f"missing ({takers} would take this answer)")
    return fits[0]


def _check(line: AnswerLine, new_answer: GivenAnswer) -> None:
    try:
        new_answer.check()
    except ValueError as error:
        raise ImportFailure.of(line.where, error, within="answer") from error


def _unrepeated(fitted: Sequence[FittedLine], skipped: SkippedRecords) -> list[FittedLine]:
    """One answer per question, rater and replicate, in this file and in the study. The same
    answer again may be skipped; a second one may not."""
    slots = [line.slot for line in fitted]
    standing = _standing({question for question, *_ in slots}, {rater for _, rater, _ in slots})
    new: dict[Slot, FittedLine] = {}
    for slot, line in zip(slots, fitted, strict=True):
        if slot not in standing and slot not in new:
            new[slot] = line
            continue
        answer = _as_json(new[slot]) if slot in new else _stored_answer(slot)
        kind = Repetition if answer == _as_json(line) else Contradiction
        reason = f"{line.rater.name!r} has already answered {line.unit!r}"
        skipped.skip_answer(kind(line.where, "unit", reason))
    return list(new.values())


def _as_json(line: FittedLine) -> Any:
    return line.new_answer.answer.model_dump(mode="json")


def _standing(questions: set[int], raters: set[int]) -> set[Slot]:
    """The slots with a standing answer."""
    standing = Annotation.objects.filter(
        question__in=questions, rater__in=raters, superseded_at=None
    )
    return set(standing.values_list("question_id", "rater_id", "replicate"))


def _stored_answer(slot: Slot) -> Any:
    question, rater, replicate = slot
    standing = Annotation.objects.filter(
        question=question, rater=rater, replicate=replicate, superseded_at=None
    )
    return standing.values_list("answer", flat=True).get()
