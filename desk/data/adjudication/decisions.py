"""Working on a case: drafts, revealing who said what, and the gold answer at the end."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import AdjudicationCase, Annotation, GoldAnswer, Question, User, log_change
from annotation.work.drafts import LONGEST, TooLong, answer_form
from desk.data.adjudication.queue import LEASE
from tasktypes.schemas import Schema

Posted = Mapping[str, Sequence[str]]
State = AdjudicationCase.State
LONGEST_REASON = 4_000


class NotHeld(Exception):
    """Somebody else holds the case, or it was decided meanwhile; nothing was stored."""


class Stale(Exception):
    """Another tab has saved since the page was loaded; nothing was overwritten."""


def save_case(
    *,
    case: AdjudicationCase,
    posted: Posted,
    reason: str,
    revision: int,
    by: User,
    now: datetime,
) -> AdjudicationCase:
    """Save what was entered, finished or not, and hold the case for some minutes more.

    A case whose time ran out is still saved as long as nobody else took it. Saving the same again
    is harmless, whatever the revision.
    """
    kept, reason = _kept(case, posted), reason[:LONGEST_REASON]
    rows = AdjudicationCase.objects.filter(pk=case.pk, holder=by).open()
    saved = rows.filter(revision=revision).update(
        posted=kept, reason=reason, revision=F("revision") + 1, held_until=now + LEASE
    )
    stored = AdjudicationCase.objects.get(pk=case.pk)
    if saved or (stored.posted == kept and stored.reason == reason and stored.is_open):
        case.posted, case.reason, case.revision = kept, reason, stored.revision
        return case
    raise Stale if rows.exists() else NotHeld


def _kept(case: AdjudicationCase, posted: Posted) -> dict[str, list[str]]:
    """The fields of the question's form as posted."""
    form = answer_form(case.question, posted)
    kept = {name: list(posted[name]) for name in form.fields if name in posted}
    if len(json.dumps(kept)) > LONGEST:
        raise TooLong
    return kept


@transaction.atomic
def start_from(
    *, case: AdjudicationCase, annotation: Annotation, by: User, now: datetime
) -> AdjudicationCase:
    """Fill the form with an answer that somebody gave, to go on from there."""
    question = case.question
    answer = question.typed_answer(annotation.answer)
    saved = save_case(
        case=case,
        posted=answer_form(question, None).filled(answer),
        reason=case.reason,
        revision=case.revision,
        by=by,
        now=now,
    )
    AdjudicationCase.objects.filter(pk=case.pk).update(begun_with=annotation)
    saved.begun_with = annotation
    return saved


@transaction.atomic
def reveal_case(*, case: AdjudicationCase, by: User, now: datetime) -> None:
    """Show who gave which answer from now on; the first time is recorded in the case."""
    rows = AdjudicationCase.objects.filter(pk=case.pk, revealed_at=None).open()
    if rows.update(revealed_by=by, revealed_at=now):
        case.revealed_by, case.revealed_at = by, now
        _log(case, by, "adjudication.revealed")


@transaction.atomic
def decide_case(*, case: AdjudicationCase, answer: Schema, by: User, now: datetime) -> GoldAnswer:
    """Make the answer gold and end the case; NotHeld where it is somebody else's by now."""
    _end(case, State.DECIDED, by, now)
    _log(case, by, "adjudication.decided")
    return record_gold(
        question=case.question,
        answer=answer,
        reason=case.reason,
        by=by,
        case=case,
        blind=case.revealed_at is None,
        begun_with=case.begun_with,
    )


@transaction.atomic
def set_aside(*, case: AdjudicationCase, by: User, now: datetime) -> None:
    """End a case without gold, as nobody can tell; the reason stays with it."""
    _end(case, State.SET_ASIDE, by, now)
    _log(case, by, "adjudication.set_aside")


def _end(case: AdjudicationCase, state: AdjudicationCase.State, by: User, now: datetime) -> None:
    rows = AdjudicationCase.objects.filter(pk=case.pk, holder=by).open()
    if not rows.update(state=state, ended_at=now):
        raise NotHeld
    case.state, case.ended_at = state, now


def _log(case: AdjudicationCase, by: User, action: str) -> None:
    unit = case.question.unit.key
    log_change(study=case.study, by=by, action=action, subject=unit, detail={"case": case.pk})


@transaction.atomic
def record_gold(
    *,
    question: Question,
    answer: Schema,
    reason: str,
    by: User | None,
    case: AdjudicationCase | None = None,
    blind: bool = True,
    begun_with: Annotation | None = None,
) -> GoldAnswer:
    """Store a gold answer; it supersedes the current one of the question, which is kept.
    begun_with: the answer that the adjudicator began with, by which a withdrawal finds it.

    ValueError('field: reason') where it does not fit the question.
    """
    question.block.task_type.check(question.typed_payload, answer)
    # Serialises decisions about one question: the row is there before any gold is.
    Question.objects.select_for_update(no_key=True).only("pk").get(pk=question.pk)
    current = GoldAnswer.objects.filter(question=question).current().first()
    if current is not None:
        GoldAnswer.objects.filter(pk=current.pk).update(superseded_at=timezone.now())
    return GoldAnswer.objects.create(
        study_id=question.study_id,
        question=question,
        answer=answer.model_dump(mode="json"),
        reason=reason.strip()[:LONGEST_REASON],
        blind=blind,
        by=by,
        case=case,
        begun_with=begun_with,
        supersedes=current,
    )


@transaction.atomic
def decide_again(*, gold: GoldAnswer, by: User) -> AdjudicationCase:
    """An open case for a question that has gold, which begins with that answer."""
    question = gold.question
    posted = answer_form(question, None).filled(gold.typed_answer)
    AdjudicationCase.objects.bulk_create(
        [
            AdjudicationCase(
                study_id=gold.study_id,
                question=question,
                why=AdjudicationCase.Why.ASKED,
                posted=posted,
                reason=gold.reason,
                begun_with_id=gold.begun_with_id,
                sent_by=by,
            )
        ],
        ignore_conflicts=True,
    )
    return AdjudicationCase.objects.filter(question=question).open().get()
