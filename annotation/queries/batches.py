"""What every page of a batch asks for: the batch with its study and worker's part in it, and its
questions with what has been typed into them."""

from typing import NamedTuple

from django.db.models import Case, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models import TextField
from django.db.models.functions import Cast, Concat

from annotation.models import (
    Assignment,
    BatchUnit,
    Block,
    Consent,
    Draft,
    Participation,
    Question,
    Round,
    Study,
    Worker,
)
from annotation.queries.compiled import Columns, Compiled, Given, Row, Rows

# What the pages of a batch do not show of a study, and what may be long.
UNREAD = ("imported", "judges", "conclusions", "comprehension", "tips", "debrief")

_ROUND, _STUDY = Columns(Round), Columns(Study)
_PARTICIPATION, _WORKER = Columns(Participation), Columns(Worker)


def _agreed_to(participation: str) -> Subquery:
    """What was agreed to last, for `Participation.agreed_to`."""
    newest = Consent.objects.filter(participation=OuterRef(participation)).order_by("-pk")
    return Subquery(newest.values(text=Concat("version", Value(" "), "text_hash"))[:1])


_of_worker = Compiled(
    lambda: Assignment.objects.filter(
        public_id=Given("public_id"), participation__worker=Given("worker")
    ).annotate(participation__agreed_to=_agreed_to("participation")),
    Columns(Assignment, without=("comment", "feedback")),
    "participation__agreed_to",
    round=_ROUND,
    participation=_PARTICIPATION,
    participation__study=Columns(Study, without=UNREAD),
)
_in_study = Compiled(
    lambda: Participation.objects.filter(
        study__slug=Given("slug"), worker=Given("worker")
    ).annotate(agreed_to=_agreed_to("pk")),
    _PARTICIPATION,
    "agreed_to",
    study=_STUDY,
    worker=_WORKER,
)
_rounds = Compiled(
    lambda: Round.objects.filter(study=Given("study")).order_by("position"), _ROUND, study=_STUDY
)


def batch_of(worker: int, public_id: str) -> Assignment | None:
    """A batch of the worker, with its round, participation and study."""
    return _of_worker.first(worker=worker, public_id=public_id)


def participation_of(worker: int, slug: str) -> Participation | None:
    """The worker's participation in a study, with both."""
    return _in_study.first(worker=worker, slug=slug)


def rounds_of(study: int) -> list[Round]:
    """The rounds of a study, in order, with the study; each knows the one that follows."""
    rounds = _rounds.all(study=study)
    for this, following in zip(rounds, [*rounds[1:], None], strict=True):
        this.following = following
    return rounds


class QuestionRow(NamedTuple):
    """A question of a batch, with its block and what has been typed into it."""

    position: int
    problem: str
    unit: int
    question: int
    block: int
    task_type: str
    options: str
    # As text, and only of the unit that is asked for.
    payload: str | None
    draft: Row

    @property
    def is_shown(self) -> bool:
        """Whether its page was ever opened."""
        return self.draft[_ID] is not None

    @property
    def complete(self) -> bool:
        return bool(self.draft[_COMPLETE])

    @property
    def frozen(self) -> bool:
        return self.draft[_FROZEN_AT] is not None


_DRAFT, _QUESTION = Columns(Draft), Columns(Question, without=("payload", "reference"))
_BLOCK = Columns(Block, without=("position", "key"))
_ID, _COMPLETE, _FROZEN_AT = map(_DRAFT.names.index, ("id", "complete", "frozen_at"))


def _questions() -> "QuerySet[BatchUnit, Row]":
    questions, block = "unit__questions", "unit__questions__block"
    own = Q(**{f"{questions}__drafts__assignment": F("assignment")})
    rows = BatchUnit.objects.filter(assignment=Given("assignment"), unit__questions__isnull=False)
    text = When(position=Given("asked"), then=Cast(f"{questions}__payload", TextField()))
    rows = rows.annotate(
        own=FilteredRelation(f"{questions}__drafts", condition=own), text=Case(text)
    )
    columns = ("position", "problem", "unit", questions, block, f"{block}__task_type_slug")
    drafts = (f"own__{name}" for name in _DRAFT.names)
    rows = rows.order_by("position", f"{block}__position")
    return rows.values_list(*columns, f"{block}__options", "text", *drafts)


_of_batch = Rows(_questions)
_of_unit = Rows(lambda: _questions().filter(position=Given("asked")))


def questions_of(assignment: int, *, asked: int, alone: bool) -> list[QuestionRow]:
    """The questions of a batch in order; those of the unit at the position `asked` with their
    text, and with `alone` only those."""
    rows = (_of_unit if alone else _of_batch).all(assignment=assignment, asked=asked)
    begin = len(QuestionRow._fields) - 1
    return [QuestionRow(*row[:begin], row[begin:]) for row in rows]


def question_in(row: QuestionRow, assignment: Assignment) -> Question:
    """The question of a row; it reads its right answer when that is needed."""
    study = assignment.participation.study_id
    question = _QUESTION.read((row.question, study, row.unit, row.block))
    question.payload_text = row.payload
    question.block = _BLOCK.read((row.block, study, row.task_type, row.options))
    return question


def draft_in(row: QuestionRow, assignment: Assignment) -> Draft:
    """What has been typed into the question of a row whose page was opened."""
    draft = _DRAFT.read(row.draft)
    draft.assignment = assignment
    return draft
