"""Turn a batch's drafts into stored answers, once."""

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import transaction

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import (
    Assignment,
    AssignmentUnit,
    Draft,
    Participation,
    Place,
    Question,
    Unit,
)
from annotation.panels.visits import visit_number
from annotation.queries.batches import draft_in, question_in, questions_in_full
from annotation.queries.compiled import Compiled, Param, RowReader
from annotation.rounds.standing import reaches
from annotation.work.drafts import answer_form
from annotation.work.leases import NotActive, lock_assignment
from annotation.work.ledger import pay_for
from annotation.work.qualification import apply_rules
from tasktypes.pages.answer_forms import AnswerForm
from tasktypes.schemas import Schema

# What the place of a retired control wants: by that, nobody is measured.
RETIRED = 0

# What is read of a unit of the batch and its place.
_placed = Compiled(
    lambda: AssignmentUnit.objects.filter(assignment=Param("assignment")),
    RowReader(AssignmentUnit, only=("id", "unit", "place", "position", "holds")),
    place=RowReader(Place, only=("id", "role", "wanted")),
)

State, Outcome = Assignment.State, AssignmentUnit.Outcome


class Incomplete(Exception):
    """Questions of the batch have no finished answer; `positions` says of which units."""

    def __init__(self, positions: Sequence[int]) -> None:
        self.positions = list(positions)
        super().__init__(f"unanswered: {', '.join(map(str, positions))}")


class _Answered(NamedTuple):
    batch_unit: AssignmentUnit
    question: Question
    answer: Schema
    text: str
    draft: Draft


def submit(*, assignment: Assignment, now: datetime) -> Assignment:
    """Submit the batch: store its answers, count them where there is room, pay, and apply the
    rules of its round.

    A second submission changes nothing and returns the same. A late one is accepted and paid
    like any other; a unit that has no room left by then keeps the answer as surplus.
    """
    assignment = _submit(assignment, now)
    # A transaction of its own: it takes locks that come before those of a submission.
    apply_rules(participation=assignment.participation)
    return assignment


@transaction.atomic
def _submit(assignment: Assignment, now: datetime) -> Assignment:
    assignment = lock_assignment(assignment)
    if assignment.state == State.SUBMITTED:
        return assignment
    if not assignment.is_open:
        raise NotActive
    answered = _answers(assignment)
    assignment.late = assignment.state == State.EXPIRED or assignment.has_run_out(now)
    assignment.state, assignment.submitted_at = State.SUBMITTED, now
    assignment.visit = _visit(assignment)
    assignment.save(update_fields=["state", "late", "submitted_at", "visit"])
    surplus = _count(list({entry.batch_unit.pk: entry.batch_unit for entry in answered}.values()))
    pay_for(assignment=assignment, passed=_passed(assignment, answered))
    # Last: it marks the study as changed, and that row is locked until the commit.
    record_answers(
        rater=assignment.participation.rater,
        given=[
            GivenAnswer(
                question=entry.question,
                answer=entry.answer,
                round=assignment.round,
                assignment=assignment,
                surplus=entry.batch_unit.pk in surplus,
                active_seconds=entry.draft.active_seconds,
                paradata=entry.draft.paradata,
                reasons=(entry.text,) if entry.text else (),
            )
            for entry in answered
        ],
    )
    return assignment


def _visit(assignment: Assignment) -> int:
    """As it is now: the panel may have sent the worker anew since the batch was read."""
    sent = Participation.objects.only("panel_session").get(pk=assignment.participation_id)
    return visit_number(sent)


def _answers(assignment: Assignment) -> list[_Answered]:
    """Every question's answer as its form reads it; Incomplete where an answer is missing."""
    units = {placed.unit_id: placed for placed in _placed.all(assignment=assignment.pk)}
    answered, missing = [], set()
    for row in sorted(questions_in_full(assignment.public_id), key=attrgetter("unit")):
        question, draft = question_in(row, assignment), draft_in(row, assignment)
        form = _complete_form(question, draft)
        unit = units[question.unit_id]
        if draft is None or form is None:
            missing.add(unit.position)
        else:
            answered.append(_Answered(unit, question, form.answer(), form.text, draft))
    if missing:
        raise Incomplete(sorted(missing))
    return answered


def _complete_form(question: Question, draft: Draft | None) -> AnswerForm[Any, Any] | None:
    if draft is None or not draft.complete:
        return None
    form = answer_form(question, draft.posted)
    return form if form.is_valid() else None


def _count(assignment_units: Sequence[AssignmentUnit]) -> set[int]:
    """Count each unit's answer in its place; the batch units that were left without room."""
    places = Place.objects.filter(pk__in=[unit.place_id for unit in assignment_units])
    places.exclude(wanted=None).lock()
    held = [unit for unit in assignment_units if unit.holds]
    Place.objects.filter(pk__in=[unit.place_id for unit in held]).count_held()
    surplus = {unit.pk for unit in assignment_units if not unit.holds and not _has_room(unit)}
    rows = AssignmentUnit.objects.filter(pk__in=[unit.pk for unit in assignment_units])
    rows.update(holds=False, outcome=Outcome.COUNTED)
    if surplus:
        rows.filter(pk__in=surplus).update(outcome=Outcome.SURPLUS)
    return surplus


def _has_room(batch_unit: AssignmentUnit) -> bool:
    """Whether the answer counts without a hold; a control's always does."""
    if batch_unit.place.role != Unit.Role.NORMAL:
        return True
    return Place.objects.filter(pk=batch_unit.place_id).count_late() == 1


def _passed(assignment: Assignment, answered: Sequence[_Answered]) -> bool:
    """Whether the share of the batch's controls answered right reaches the promised mark."""
    if assignment.pass_accuracy is None:
        return True
    graded_roles = assignment.round.graded_roles
    right: dict[int, bool] = {}
    for entry in answered:
        place = entry.batch_unit.place
        graded = place.role in graded_roles and place.wanted != RETIRED
        if graded and entry.question.reference is not None:
            key = entry.batch_unit.pk
            right[key] = right.get(key, True) and entry.question.is_right(entry.answer)
    return reaches(sum(right.values()), len(right), assignment.pass_accuracy)
