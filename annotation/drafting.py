"""Keep what a worker types, as they type it, without ever losing the other tab's version."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.datastructures import MultiValueDict

from annotation.leasing import NotActive, lock_assignment
from annotation.models import Assignment, Draft, Question
from annotation.steps import Step
from annotation.timekeeping import active_seconds
from tasktypes.contract import AnswerForm

Posted = Mapping[str, Sequence[str]]

# Of one answer as posted, in characters of JSON: room for long comments, not for a flood.
LONGEST = 100_000


class StaleDraft(Exception):
    """Something else has been saved since the form was loaded; nothing was overwritten."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        super().__init__(f"saved {draft.revision} times by now")


class Frozen(Exception):
    """The answer is read-only: a later page has given it away."""


class TooLong(Exception):
    """More was posted than any answer needs."""


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
    if step.draft is not None and not unfrozen:
        return step.draft
    return _first_showing(step, unfrozen, now)


@transaction.atomic
def _first_showing(step: Step, unfrozen: list[Step], now: datetime) -> Draft:
    # Under this lock another tab cannot change an earlier answer while it is given away.
    assignment = lock_assignment(step.assignment)
    if unfrozen and assignment.is_open:
        _freeze(assignment, unfrozen, now)
    return assignment.drafts.filter(question=step.question).first() or Draft.objects.create(
        assignment=assignment, question=step.question, first_shown_at=now
    )


def _freeze(assignment: Assignment, steps: list[Step], now: datetime) -> None:
    drafts = assignment.drafts.filter(question__in=[step.question for step in steps])
    if drafts.filter(complete=True, frozen_at=None).update(frozen_at=now) < len(steps):
        still_complete = set(drafts.filter(complete=True).values_list("question", flat=True))
        for step in steps:
            if step.question.pk not in still_complete:
                raise NotYet(step)


@transaction.atomic
def save_draft(
    *,
    assignment: Assignment,
    question: Question,
    posted: Posted,
    revision: int,
    reported: float | None = None,
) -> Draft:
    """Save what was typed, finished or not; `revision` is that of the form as it was loaded,
    and `reported` the active seconds that the browser counted, if it did.

    Posting again what is saved already is harmless, whatever the revision.
    """
    # The row's lock is what keeps a save from slipping in behind a submission.
    assignment = lock_assignment(assignment)
    draft = assignment.drafts.filter(question=question).first() or Draft(
        assignment=assignment, question=question
    )
    form = answer_form(question, posted)
    kept = {name: list(posted[name]) for name in form.fields if name in posted}
    if len(json.dumps(kept)) > LONGEST:
        raise TooLong
    if draft.saved_at is not None and draft.posted == kept:
        return _keep_time(draft, reported) if assignment.is_open else draft
    if not assignment.is_open:
        raise NotActive
    if draft.frozen_at is not None:
        raise Frozen
    if draft.revision != revision:
        raise StaleDraft(draft)
    draft.posted, draft.complete, now = kept, form.is_valid(), timezone.now()
    draft.active_seconds = active_seconds(draft, reported, now)
    draft.revision, draft.saved_at = revision + 1, now
    draft.save()
    return draft


def _keep_time(draft: Draft, reported: float | None) -> Draft:
    """Reading again without a change takes time, too."""
    if draft.frozen_at is None:
        now = timezone.now()
        draft.active_seconds, draft.saved_at = active_seconds(draft, reported, now), now
        draft.save(update_fields=["active_seconds", "saved_at"])
    return draft
