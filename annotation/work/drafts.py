"""Save what a worker types while they type, and never overwrite what another tab has saved."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils import timezone
from django.utils.datastructures import MultiValueDict

from annotation.models import Assignment, Draft, Question
from annotation.queries.compiled import fetch
from annotation.work.leases import NotActive, lock_assignment
from annotation.work.paradata import Counted, active_seconds, counts_after
from annotation.work.problems import as_kept, flag_problem, problem_with
from annotation.work.steps import Step
from tasktypes.pages.answer_forms import AnswerForm

Posted = Mapping[str, Sequence[str]]

# Of one answer as posted, in characters of JSON: room for long comments, not for a flood.
LONGEST = 100_000

# What keeps what is typed, in SQL that both databases understand.
# The assignment's row is locked first, so that no save slips in behind a submission.
_SAVE = """
    UPDATE annotation_draft
    SET posted = %s, complete = %s, revision = revision + 1, saved_at = %s, active_seconds = %s,
        paradata = %s
    WHERE id = %s AND revision = %s AND frozen_at IS NULL AND assignment_id IN (
        SELECT id FROM annotation_assignment WHERE id = %s AND state IN ('active', 'expired') {lock}
    )
    RETURNING id
"""
_OPEN = """
    INSERT INTO annotation_draft
        (assignment_id, question_id, posted, complete, revision, first_shown_at, active_seconds)
    VALUES (%s, %s, %s, %s, 0, %s, 0)
    ON CONFLICT DO NOTHING
    RETURNING id
"""


class StaleDraft(Exception):
    """Something else has been saved since the form was loaded; nothing was overwritten."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        super().__init__(f"saved {draft.revision} times by now")


class Frozen(Exception):
    """The answer is read-only: a later page has given it away."""


class TooLong(Exception):
    """More was posted than any answer needs."""


class _Typed(NamedTuple):
    """The fields of the form as posted, whether they make an answer, what the browser counted, and
    the problem reported with the unit; None where nothing new was reported."""

    posted: dict[str, list[str]]
    complete: bool
    seconds: float | None
    counts: Counted | None
    problem: str | None


class NotYet(Exception):
    """An earlier question of the unit has no answer yet; `first` is its step."""

    def __init__(self, first: Step) -> None:
        self.first = first
        super().__init__(f"question {first.position}.{first.part} comes first")


def answer_form(question: Question, posted: Posted | None) -> AnswerForm[Any, Any]:
    """The question's form, with what has been typed so far; unbound for None."""
    data = None
    if posted is not None:
        data = MultiValueDict({name: list(values) for name, values in posted.items()})
    form: AnswerForm[Any, Any] = question.block.task_type.Form(
        question.typed_payload, data, free_text=question.free_text
    )
    return form


def show_question(*, step: Step, now: datetime) -> Draft:
    """The draft of a question that is about to be shown, made on its first showing.

    A page that gives away an earlier answer of its unit freezes that answer.
    NotYet where an earlier question of the unit has no answer.
    """
    if not step.opens:
        raise NotYet(next(earlier for earlier in reversed(step.earlier) if not earlier.complete))
    unfrozen = [concealed for concealed in step.concealed if not concealed.frozen]
    if unfrozen:
        return _giving_away(step, unfrozen, now)
    return step.draft or _opened(step.assignment, step.question_id, now)


@transaction.atomic
def _giving_away(step: Step, unfrozen: list[Step], now: datetime) -> Draft:
    # Under this lock another tab cannot change an earlier answer while it is given away.
    assignment = lock_assignment(step.assignment)
    if assignment.is_open:
        _freeze(assignment, unfrozen, now)
    return _opened(assignment, step.question_id, now)


def _opened(assignment: Assignment, question: int, now: datetime) -> Draft:
    """The draft of the question: an empty one first shown now, or the one that is there."""
    draft = open_draft(assignment, question, now)
    return draft or assignment.drafts.get(question=question)


def _freeze(assignment: Assignment, steps: list[Step], now: datetime) -> None:
    drafts = assignment.drafts.filter(question__in=[step.question_id for step in steps])
    if drafts.filter(complete=True, frozen_at=None).update(frozen_at=now) < len(steps):
        still_complete = set(drafts.filter(complete=True).values_list("question", flat=True))
        for step in steps:
            if step.question_id not in still_complete:
                raise NotYet(step)


def save_draft(
    *,
    assignment: Assignment,
    question: Question,
    posted: Posted,
    revision: int,
    reported: float | None = None,
    counted: Counted | None = None,
    problem: str | None = None,
    draft: Draft | None = None,
) -> Draft:
    """Save what was typed, finished or not; `revision` is that of the form as it was loaded,
    and `reported` the active seconds that the browser counted, if it did, and `counted` the rest of
    what it counts. `problem` is what the worker now says is wrong with the unit, and `draft` is
    what was there a moment ago.

    Posting again what is saved already is harmless, whatever the revision.
    """
    form = answer_form(question, posted)
    kept = {name: list(posted[name]) for name in form.fields if name in posted}
    if len(json.dumps(kept)) > LONGEST:
        raise TooLong
    as_stored = None if problem is None else as_kept(problem)
    typed = _Typed(kept, form.is_valid(), reported, counted, as_stored)
    if draft is not None and problem is None and _saved_over(draft, typed, revision):
        return draft
    return _save(assignment, question, typed, revision)


def _saved_over(draft: Draft, typed: _Typed, revision: int) -> bool:
    """Save the usual case, a form of the newest revision that brings something new; False where it
    is another case, which `_save` handles."""
    if draft.revision != revision or (draft.saved_at and draft.posted == typed.posted):
        return False
    _fill(draft, typed)
    return save_over(draft, revision)


def _fill(draft: Draft, typed: _Typed) -> None:
    _count(draft, typed)
    draft.posted, draft.complete = typed.posted, typed.complete
    draft.revision += 1


def _count(draft: Draft, typed: _Typed) -> None:
    """What the browser counted, as of now."""
    now = timezone.now()
    draft.active_seconds = active_seconds(draft, typed.seconds, now)
    draft.paradata = counts_after(draft, typed.counts)
    draft.saved_at = now


def save_over(draft: Draft, revision: int) -> bool:
    """Store the draft over that revision of it, where the batch is open and the answer not
    frozen; False where nothing was stored."""
    lock = "FOR NO KEY UPDATE" if connection.features.has_select_for_no_key_update else ""
    changed = [
        _stored(name, getattr(draft, name))
        for name in ("posted", "complete", "saved_at", "active_seconds", "paradata")
    ]
    return bool(fetch(_SAVE.format(lock=lock), [*changed, draft.pk, revision, draft.assignment_id]))


def open_draft(assignment: Assignment, question: int, now: datetime) -> Draft | None:
    """The empty draft of a question that is shown for the first time; None where it has one."""
    values = [_stored("posted", {}), False, _stored("first_shown_at", now)]
    rows = fetch(_OPEN, [assignment.pk, question, *values])
    if not rows:
        return None
    draft = Draft(pk=rows[0][0], assignment=assignment, question_id=question, first_shown_at=now)
    draft._state.adding = False
    return draft


def _stored(name: str, value: object) -> Any:
    """A value as its field gives it to the database."""
    return Draft._meta.get_field(name).get_db_prep_save(value, connection)  # type: ignore[union-attr]


@transaction.atomic
def _save(assignment: Assignment, question: Question, typed: _Typed, revision: int) -> Draft:
    # The row's lock is what keeps a save from slipping in behind a submission.
    assignment = lock_assignment(assignment)
    draft = assignment.drafts.filter(question=question).first()
    draft = draft or Draft(assignment=assignment, question=question)
    says = _news(assignment, question, typed.problem)
    if draft.saved_at is not None and draft.posted == typed.posted and says is None:
        return _keep_counts(draft, typed) if assignment.is_open else draft
    if not assignment.is_open:
        raise NotActive
    if draft.frozen_at is not None:
        raise Frozen
    if draft.revision != revision:
        raise StaleDraft(draft)
    if says is not None:
        flag_problem(assignment=assignment, unit=question.unit_id, text=says)
    _fill(draft, typed)
    draft.save()
    return draft


def _news(assignment: Assignment, question: Question, problem: str | None) -> str | None:
    """The problem reported with the unit; None where it is already stored."""
    if problem is None or problem == problem_with(assignment=assignment, unit=question.unit_id):
        return None
    return problem


def _keep_counts(draft: Draft, typed: _Typed) -> Draft:
    """Reading again without a change takes time, too."""
    if draft.frozen_at is None:
        _count(draft, typed)
        draft.save(update_fields=["active_seconds", "paradata", "saved_at"])
    return draft
