"""Storing answers: the only place where an Annotation and its Ratings are written.

Submissions by people and judges call `record_answers`, imported files `record_imported`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.answers.item_names import name_items
from annotation.models import Annotation, Assignment, Question, Rater, Rating, Round, Study
from annotation.queries.inserts import insert_rows, json_text, moment_value
from tasktypes.facets import RatingValue
from tasktypes.schemas import Schema

BATCH = 1000
_ANNOTATION_COLUMNS = (
    *("study_id", "question_id", "rater_id", "replicate", "answer"),
    *("surplus", "excluded_reason", "created_at", "reasons", "metadata"),
)
_RATING_COLUMNS = ("annotation_id", "study_id", "facet", "element", "number", "label", "members")


@dataclass(frozen=True)
class GivenAnswer:
    """An answer to be stored. `question` has its block loaded.

    between_points: a machine's answer, whose numbers may lie between the points of a scale.
    parsed_payload: the question's payload, where the caller has it. reasons: what the rater wrote
    beside it. metadata: what an imported file gives.
    """

    question: Question
    answer: Schema
    replicate: int = 0
    round: Round | None = None
    assignment: Assignment | None = None
    surplus: bool = False
    active_seconds: float | None = None
    paradata: Mapping[str, int] | None = None
    between_points: bool = False
    parsed_payload: Schema | None = None
    reasons: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def payload(self) -> Schema:
        """The payload of the question, parsed once."""
        return self.parsed_payload or self._payload

    @cached_property
    def _payload(self) -> Schema:
        return self.question.typed_payload

    def check(self) -> None:
        """ValueError('field: reason') where the answer does not fit the question."""
        kind = self.question.block.task_type
        check = kind.check_between if self.between_points else kind.check
        check(self.payload, self.answer)


@transaction.atomic
def record_answers(
    *, rater: Rater, given: Sequence[GivenAnswer], supersede: bool = False
) -> list[Annotation]:
    """Store answers of one rater, each with its ratings, and mark the study as changed.

    Each answer is checked against its question first: ValueError('field: reason').
    A standing answer to the same question and replicate is an IntegrityError, unless
    `supersede`: then the old row is kept and marked as superseded by the new one.
    """
    for answer in given:
        answer.check()
    replaced = _set_aside(rater, given) if supersede else {}
    annotations = Annotation.objects.bulk_create(
        [_annotation(rater, answer, replaced) for answer in given], batch_size=BATCH
    )
    _insert_ratings([annotation.pk for annotation in annotations], rater.study_id, given)
    if annotations:
        Study.objects.filter(pk=rater.study_id).touch()
    return annotations


@transaction.atomic
def record_imported(given: Sequence[tuple[Rater, GivenAnswer]]) -> None:
    """Store answers that raters of one study gave elsewhere: without round, assignment and time.

    The caller has checked each of them, and marks the study as changed at the end. A standing
    answer to the same question and replicate is an IntegrityError.
    """
    now = moment_value(timezone.now())
    annotations = insert_rows(
        Annotation,
        _ANNOTATION_COLUMNS,
        [
            (
                rater.study_id,
                answer.question.pk,
                rater.pk,
                answer.replicate,
                answer.answer.model_dump_json(),
                False,
                "",
                now,
                json_text(answer.reasons) if answer.reasons else None,
                json_text(answer.metadata) if answer.metadata else "{}",
            )
            for rater, answer in given
        ],
    )
    if given:
        study = given[0][0].study_id
        _insert_ratings(annotations, study, [answer for _, answer in given])


def _set_aside(rater: Rater, given: Sequence[GivenAnswer]) -> dict[tuple[int, int], Annotation]:
    standing = Annotation.objects.filter(
        rater=rater, superseded_at=None, question__in=[answer.question.pk for answer in given]
    )
    keys = {(answer.question.pk, answer.replicate) for answer in given}
    replaced = {
        (old.question_id, old.replicate): old
        for old in standing
        if (old.question_id, old.replicate) in keys
    }
    Annotation.objects.filter(pk__in=[old.pk for old in replaced.values()]).update(
        superseded_at=timezone.now()
    )
    return replaced


def _annotation(
    rater: Rater, given_answer: GivenAnswer, replaced: dict[tuple[int, int], Annotation]
) -> Annotation:
    return Annotation(
        study_id=rater.study_id,
        question=given_answer.question,
        rater=rater,
        replicate=given_answer.replicate,
        answer=given_answer.answer.model_dump(mode="json"),
        round=given_answer.round,
        assignment=given_answer.assignment,
        surplus=given_answer.surplus,
        active_seconds=given_answer.active_seconds,
        paradata=given_answer.paradata,
        reasons=list(given_answer.reasons) or None,
        supersedes=replaced.get((given_answer.question.pk, given_answer.replicate)),
    )


def _insert_ratings(annotations: Iterable[int], study: int, given: Sequence[GivenAnswer]) -> None:
    named = name_items((answer.question.unit_id, _rating_values(answer)) for answer in given)
    insert_rows(
        Rating,
        _RATING_COLUMNS,
        [
            (pk, study, value.facet, value.element, number, label, _as_json(members))
            for pk, values in zip(annotations, named, strict=True)
            for value in values
            for number, label, members in (_number_label_members(value),)
        ],
    )


def _rating_values(given_answer: GivenAnswer) -> Sequence[RatingValue]:
    ratings: Sequence[RatingValue] = given_answer.question.block.task_type.ratings(
        given_answer.payload, given_answer.answer
    )
    return ratings


def _as_json(members: list[Any] | None) -> str | None:
    return None if members is None else json_text(members)


def _number_label_members(
    value: RatingValue,
) -> tuple[float | None, str | None, list[Any] | None]:
    """The columns of a rating that hold its value: one of them."""
    if isinstance(value.value, frozenset):
        return None, None, sorted(value.value, key=str)
    if isinstance(value.value, str):
        return None, value.value, None
    return float(value.value), None, None
