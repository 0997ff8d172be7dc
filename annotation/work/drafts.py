"""Keep what a worker types, as they type it, without ever losing the other tab's version."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils import timezone
from django.utils.datastructures import MultiValueDict

from annotation.models import Assignment, Draft, Question
from annotation.queries.compiled import Given, Prepared, PreparedInsert, PreparedUpdate
from annotation.work.active_time import active_seconds
from annotation.work.leases import NotActive, lock_assignment
from annotation.work.problems import as_kept, flag_problem, problem_with
from annotation.work.steps import Step
from tasktypes.contract import AnswerForm

Posted = Mapping[str, Sequence[str]]

# Of one answer as posted, in characters of JSON: room for long comments, not for a flood.
LONGEST = 100_000

SAVED = ("posted", "complete", "revision", "saved_at", "active_seconds")
_of_question = Prepared(
    lambda: Draft.objects.filter(assignment=Given("assignment"), question=Given("question"))
)
_make = PreparedInsert(Draft)
_update = PreparedUpdate(lambda: Draft.objects.filter(pk=Given("draft")), *SAVED)


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
    """The fields of the form as posted, whether they make an answer, and what was said to be
    wrong with the unit; None where nothing new was said."""

    posted: dict[str, list[str]]
    complete: bool
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
    form: AnswerForm[Any, Any] = question.block.task_type.Form(question.typed_payload, data)
    return form


def show_question(*, step: Step, now: datetime) -> Draft:
    """The draft of a question that is about to be shown, made on its first showing.

    A page that gives away an earlier answer of its unit freezes that answer.
    NotYet where an earlier question of the unit has no answer.
    """
    if not step.opens:
        raise NotYet(next(one for one in reversed(step.earlier) if not one.complete))
    unfrozen = [one for one in step.concealed if not one.frozen]
    if unfrozen:
        return _giving_away(step, unfrozen, now)
    draft = draft_of(step.assignment, step.question_id) if step.shown else None
    return draft or _made(step.assignment, step.question_id, now)


@transaction.atomic
def _giving_away(step: Step, unfrozen: list[Step], now: datetime) -> Draft:
    # Under this lock another tab cannot change an earlier answer while it is given away.
    assignment = lock_assignment(step.assignment)
    if assignment.is_open:
        _freeze(assignment, unfrozen, now)
    return _made(assignment, step.question_id, now)


def _made(assignment: Assignment, question_id: int, now: datetime) -> Draft:
    """The draft of the question: the one that is there, or an empty one first shown now."""
    empty: dict[str, Any] = {
        "assignment_id": assignment.pk,
        "question_id": question_id,
        "posted": {},
        "complete": False,
        "revision": 0,
        "first_shown_at": now,
        "saved_at": None,
        "active_seconds": 0.0,
        "frozen_at": None,
    }
    key = _make.run(**empty)
    if key is not None:
        return Draft.from_db(connection.alias, ["id", *empty], [key, *empty.values()])
    draft = draft_of(assignment, question_id)
    assert draft is not None
    return draft


def draft_of(assignment: Assignment, question_id: int) -> Draft | None:
    """What has been typed into that question so far; None where it was never shown."""
    draft = _of_question.first(assignment=assignment.pk, question=question_id)
    if draft is not None:
        draft.assignment = assignment
    return draft


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
    problem: str | None = None,
) -> Draft:
    """Save what was typed, finished or not; `revision` is that of the form as it was loaded,
    and `reported` the active seconds that the browser counted, if it did. `problem` is what the
    worker now says is wrong with the unit.

    Posting again what is saved already is harmless, whatever the revision.
    """
    form = answer_form(question, posted)
    kept = {name: list(posted[name]) for name in form.fields if name in posted}
    if len(json.dumps(kept)) > LONGEST:
        raise TooLong
    said = None if problem is None else as_kept(problem)
    typed = _Typed(kept, form.is_valid(), said)
    return _save(assignment, question, typed, revision, reported)


@transaction.atomic
def _save(
    assignment: Assignment, question: Question, typed: _Typed, revision: int, reported: float | None
) -> Draft:
    # The row's lock is what keeps a save from slipping in behind a submission.
    assignment = lock_assignment(assignment)
    draft = draft_of(assignment, question.pk) or Draft(assignment=assignment, question=question)
    says = _news(assignment, question, typed.problem)
    if draft.saved_at is not None and draft.posted == typed.posted and says is None:
        return _keep_time(draft, reported) if assignment.is_open else draft
    if not assignment.is_open:
        raise NotActive
    if draft.frozen_at is not None:
        raise Frozen
    if draft.revision != revision:
        raise StaleDraft(draft)
    now = timezone.now()
    draft.active_seconds = active_seconds(draft, reported, now)
    if says is not None:
        flag_problem(assignment=assignment, unit=question.unit_id, text=says)
    draft.posted, draft.complete = typed.posted, typed.complete
    draft.revision, draft.saved_at = revision + 1, now
    if draft._state.adding:
        draft.save()
    else:
        _update.run(draft=draft.pk, **{field: getattr(draft, field) for field in SAVED})
    return draft


def _news(assignment: Assignment, question: Question, said: str | None) -> str | None:
    """What was said of the unit, where it is not kept already."""
    if said is None or said == problem_with(assignment=assignment, unit=question.unit_id):
        return None
    return said


def _keep_time(draft: Draft, reported: float | None) -> Draft:
    """Reading again without a change takes time, too."""
    if draft.frozen_at is None:
        now = timezone.now()
        draft.active_seconds, draft.saved_at = active_seconds(draft, reported, now), now
        draft.save(update_fields=["active_seconds", "saved_at"])
    return draft
