"""The queries of every page of a batch: the batch with its study and worker's part in it, and its
questions with what has been typed into them."""

from collections.abc import Callable
from typing import NamedTuple

from django.db.models import (
    Case,
    F,
    FilteredRelation,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast, Concat

from annotation.models import (
    Assignment,
    AssignmentUnit,
    Block,
    Consent,
    Draft,
    LedgerRow,
    Participation,
    Question,
    Round,
    Study,
    Worker,
)
from annotation.queries.compiled import Asked, Compiled, CompiledQuery, Param, Row, RowReader, Write

_ASSIGNMENT, _ROUND, _STUDY = RowReader(Assignment), RowReader(Round), RowReader(Study)
_PARTICIPATION, _WORKER = RowReader(Participation), RowReader(Worker)

# What the page of a question needs; the rest of them is read when it is asked for after all.
_ASSIGNMENT_SHOWN = RowReader(
    Assignment,
    only=(
        *("id", "public_id", "round", "participation", "state", "lease_until", "extensions"),
        "begun_in",
        *("base_pay", "bonus_pay", "pass_accuracy", "currency", "expected_minutes"),
        "way_in_minutes",
    ),
)
_PARTICIPATION_SHOWN = RowReader(
    Participation,
    only=("id", "study", "worker", "state", "introduced_at", "keys", "sealed_token", "token_hash"),
)
_WORKER_SHOWN = RowReader(Worker, only=("id", "erased_at"))
_STUDY_SHOWN = RowReader(
    Study,
    only=(
        *("id", "slug", "title", "language", "instructions", "verdicts", "tryout_of"),
        *("consent_text", "consent_version", "ethics", "lease_minutes", "max_extensions"),
        *("show_hourly_rate", "collect_paradata", "free_text", "questionnaire", "batches"),
        *("text_form", "parts_shown"),
    ),
)

# What saving an answer needs of them.
_ASSIGNMENT_SAVED = RowReader(
    Assignment, only=("id", "public_id", "participation", "state", "begun_in")
)
_PARTICIPATION_SAVED = RowReader(
    Participation, only=("id", "study", "worker", "state", "token_hash")
)
_STUDY_SAVED = RowReader(
    Study, only=("id", "slug", "language", "collect_paradata", "free_text", "batches")
)


def _agreed_to(participation: str) -> Subquery:
    """What was agreed to last, for `Participation.agreed_to`."""
    newest = Consent.objects.filter(participation=OuterRef(participation)).order_by("-pk")
    return Subquery(newest.values(text=Concat("version", Value(" "), "text_hash"))[:1])


def _by_public_id() -> QuerySet[Assignment]:
    return Assignment.objects.filter(public_id=Param("public_id"))


def _earned_so_far() -> Subquery:
    """What the worker of a batch has earned in its currency, for `Participation.earned_so_far`."""
    rows = LedgerRow.objects.filter(
        participation=OuterRef("participation"), currency=OuterRef("currency")
    )
    sums = rows.order_by().values("participation").annotate(total=Sum("amount"))
    return Subquery(sums.values("total"))


def _of_batches(write: Write) -> Compiled[Assignment]:
    """Batches with their round, participation, worker and study."""
    return Compiled(
        write,
        _ASSIGNMENT,
        {"participation__agreed_to": _agreed_to("participation")},
        round=_ROUND,
        participation=_PARTICIPATION,
        participation__study=_STUDY,
        participation__worker=_WORKER,
    )


_whole = _of_batches(_by_public_id)
_open = _of_batches(
    lambda: Assignment.objects.filter(
        participation=Param("participation"),
        state__in=[Assignment.State.ACTIVE, Assignment.State.EXPIRED],
    )
)
_shown = Compiled(
    _by_public_id,
    _ASSIGNMENT_SHOWN,
    {
        "participation__agreed_to": _agreed_to("participation"),
        "participation__earned_so_far": _earned_so_far(),
    },
    round=RowReader(Round, only=("id", "shows_answers")),
    participation=_PARTICIPATION_SHOWN,
    participation__study=_STUDY_SHOWN,
    participation__worker=_WORKER_SHOWN,
)
_saved = Compiled(
    _by_public_id,
    _ASSIGNMENT_SAVED,
    participation=_PARTICIPATION_SAVED,
    participation__study=_STUDY_SAVED,
)
_participation = Compiled(
    lambda: Participation.objects.filter(pk=Param("key")),
    _PARTICIPATION,
    {"agreed_to": _agreed_to("pk")},
    study=_STUDY,
    worker=_WORKER,
)
_rounds = Compiled(
    lambda: Round.objects.filter(study=Param("study")).order_by("position"), _ROUND, study=_STUDY
)


def batch_at(public_id: str) -> Asked:
    """A batch, or None, with its round, participation, worker and study."""
    return _whole.asked(public_id=public_id)


def open_batch(participation: int) -> Assignment | None:
    """The batch that a worker is in the middle of, in the same way. A constraint allows one."""
    return _open.first(participation=participation)


def questions_at(public_id: str, *, position: int, alone: bool) -> tuple[Asked, Asked]:
    """A batch as far as the page of a question shows it, or None, and its questions in order; those
    of the unit at `position` with their text. With `alone` those only, and of the batch what saving
    their answers needs."""
    batch, questions = (_saved, _of_unit) if alone else (_shown, _of_batch)
    place = {"public_id": public_id, "position": position}
    return batch.asked(public_id=public_id), questions.asked(_as_questions, **place)


def _as_questions(rows: list[Row]) -> "list[QuestionRow]":
    return [QuestionRow._make(row) for row in rows]


def participation_of(key: int) -> Participation | None:
    """The participation with that key, with worker and study."""
    return _participation.first(key=key)


def participation_in(slug: str, key: int) -> Participation | None:
    """The participation with that key, where it is in the study of that name."""
    found = participation_of(key)
    return found if found is not None and found.study.slug == slug else None


def rounds_of(study: int) -> list[Round]:
    """The rounds of a study, in order, with the study; each knows the one that follows."""
    rounds = _rounds.all(study=study)
    for this, following in zip(rounds, [*rounds[1:], None], strict=True):
        this.following = following
    return rounds


class QuestionRow(NamedTuple):
    """A question of a batch, with its block and what has been typed into it. Its payload, its
    reference and what was posted may be long: they are read only for the unit that is asked for."""

    position: int
    problem: str
    unit: int
    question: int
    block: int
    task_type: str
    options: str
    payload: str | None
    reference: str | None
    draft: int | None
    posted: str | None
    complete: bool | None
    revision: int | None
    first_shown_at: object
    saved_at: object
    active_seconds: float | None
    paradata: str | None
    frozen_at: object


_QUESTION = RowReader(Question, without=("payload", "reference"))
_WITH_ANSWER = RowReader(Question, without=("payload",))
_BLOCK = RowReader(Block, without=("position", "key"))
_DRAFT = RowReader(Draft)


def _questions(long: Callable[[Cast | F], Cast | F | Case]) -> "QuerySet[AssignmentUnit, Row]":
    questions, block = "unit__questions", "unit__questions__block"
    rows = AssignmentUnit.objects.filter(
        assignment__public_id=Param("public_id"), unit__questions__isnull=False
    )
    own = Q(**{f"{questions}__drafts__assignment": F("assignment")})
    rows = rows.annotate(own=FilteredRelation(f"{questions}__drafts", condition=own))
    rows = rows.annotate(
        payload=long(Cast(f"{questions}__payload", TextField())),
        reference=long(F(f"{questions}__reference")),
        posted=long(F("own__posted")),
    )
    return rows.order_by("position", f"{block}__position").values_list(
        *("position", "problem", "unit", questions),
        *(block, f"{block}__task_type_slug", f"{block}__options"),
        *("payload", "reference", "own__id", "posted", "own__complete", "own__revision"),
        *("own__first_shown_at", "own__saved_at", "own__active_seconds", "own__paradata"),
        "own__frozen_at",
    )


def _at_position(column: Cast | F) -> Case:
    return Case(When(position=Param("position"), then=column))


_of_batch = CompiledQuery(lambda: _questions(_at_position))
_of_unit = CompiledQuery(
    lambda: _questions(lambda column: column).filter(position=Param("position"))
)
_in_full = CompiledQuery(lambda: _questions(lambda column: column))


def questions_of(public_id: str) -> list[QuestionRow]:
    """The questions of a batch in order, without their texts."""
    return _as_questions(_of_batch.all(public_id=public_id, position=0))


def questions_in_full(public_id: str) -> list[QuestionRow]:
    """The questions of a batch in order, all with their text."""
    return _as_questions(_in_full.all(public_id=public_id))


def question_in(row: QuestionRow, assignment: Assignment) -> Question:
    """The question of a row. For a unit that was not asked for, its text and its right answer are
    read when they are needed."""
    participation = assignment.participation
    study = participation.study_id
    keys = (row.question, study, row.unit, row.block)
    if row.payload is None:
        question = _QUESTION.read(keys)
    else:
        question = _WITH_ANSWER.read((*keys, row.reference))
        question.payload_text = row.payload
    question.block = _BLOCK.read((row.block, study, row.task_type, row.options))
    question.free_text = participation.study.text_of_people
    return question


def draft_in(row: QuestionRow, assignment: Assignment) -> Draft | None:
    """What has been typed into the question of a row; None where its page was never opened."""
    if row.draft is None:
        return None
    if row.payload is None:  # of a unit that was not asked for
        return assignment.drafts.get(pk=row.draft)
    columns = (row.draft, assignment.pk, row.question, *row[QuestionRow._fields.index("posted") :])
    draft = _DRAFT.read(columns)
    draft.assignment = assignment
    return draft
