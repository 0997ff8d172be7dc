"""Decide about submitted batches, one or many at once, and write to who worked on them.

Every decision is one more Review, and a batch's verdict is that of its newest. Pay is never
touched: whoever did the work is paid for it, whatever is decided.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from annotation.models import Assignment, Participation, Review, User
from annotation.work.exclusion import exclude_answers, include_answers

Verdict = Assignment.Verdict

LONGEST_REASON = 200
LONGEST_FEEDBACK = 4_000


class NotSubmitted(Exception):
    """Only what was submitted can be reviewed. Nothing was decided."""

    def __init__(self) -> None:
        super().__init__(_("One of these batches has not been submitted. Nothing was changed."))


class NeedsReason(Exception):
    """An exclusion says why. Nothing was decided."""

    def __init__(self) -> None:
        super().__init__(_("Please say why these answers are excluded."))


@transaction.atomic
def accept(*, assignments: Iterable[Assignment], by: User | None) -> list[Assignment]:
    """Accept these batches. Answers that were excluded count again where there is room.

    The batches whose verdict changed; those accepted already stay as they are.
    """
    return _decide_and_include(assignments, Verdict.ACCEPTED, by)


@transaction.atomic
def exclude(*, assignments: Iterable[Assignment], reason: str, by: User | None) -> list[Assignment]:
    """Exclude all answers of these batches from the results, and ask for them anew.

    They are flagged, not deleted, and stay paid. The batches whose verdict changed.
    """
    reason = reason.strip()[:LONGEST_REASON]
    if not reason:
        raise NeedsReason
    changed = _other_than(Verdict.EXCLUDED, _lock(assignments))
    _decide(changed, Verdict.EXCLUDED, reason, by)
    # Last: it locks the study's row until the commit.
    if changed:
        exclude_answers(assignments=changed, reason=reason)
    return changed


@transaction.atomic
def undo(*, assignments: Iterable[Assignment], by: User | None) -> list[Assignment]:
    """Take the decisions about these batches back: they are to be reviewed again.

    Answers that were excluded count again where there is room, else they are surplus.
    The batches whose verdict changed.
    """
    return _decide_and_include(assignments, Verdict.OPEN, by)


@transaction.atomic
def write_feedback(*, assignment: Assignment, text: str, by: User | None) -> Assignment:
    """Write to the worker about a submitted batch; shown when they come back.

    A new text takes the old one's place and is shown anew; the reviews keep how each began.
    """
    (locked,) = _lock([assignment])
    text = text.strip()[:LONGEST_FEEDBACK]
    if text == locked.feedback:
        return locked
    locked.feedback, locked.feedback_seen_at = text, None
    locked.save(update_fields=["feedback", "feedback_seen_at"])
    said = Truncator(f"feedback: {text or '–'}").chars(LONGEST_REASON)
    Review.objects.create(assignment=locked, verdict=locked.verdict, reason=said, by=by)
    return locked


def unseen_feedback(*, participation: Participation, now: datetime) -> list[Assignment]:
    """The batches with feedback that the worker has not seen, which they now have."""
    unseen = list(feedback_to(participation).filter(feedback_seen_at=None))
    for one in unseen:
        # Not what has been written anew in between.
        shown = Assignment.objects.filter(pk=one.pk, feedback=one.feedback)
        shown.update(feedback_seen_at=now)
    return unseen


def feedback_to(participation: Participation) -> QuerySet[Assignment]:
    """All batches that somebody wrote to the worker about."""
    submitted = participation.assignments.filter(state=Assignment.State.SUBMITTED)
    return submitted.exclude(feedback="").order_by("submitted_at")


def exclusions_of(participation: Participation) -> list[Review]:
    """The decision behind each batch of the worker that stands excluded, in their order."""
    decided: dict[int, Review] = {}
    reviews = Review.objects.filter(assignment__participation=participation)
    for one in reviews.select_related("assignment").order_by("pk"):
        if one.verdict != Verdict.EXCLUDED:
            decided.pop(one.assignment_id, None)
        else:
            # What comes after it only says what feedback was written meanwhile.
            decided.setdefault(one.assignment_id, one)
    return sorted(decided.values(), key=lambda one: one.assignment_id)


def _lock(assignments: Iterable[Assignment]) -> list[Assignment]:
    """Lock these rows, always in one order; all must have been submitted."""
    keys = {one.pk for one in assignments}
    rows = Assignment.objects.filter(pk__in=keys, state=Assignment.State.SUBMITTED)
    locked = list(rows.order_by("pk").select_for_update(no_key=True, of=("self",)))
    if len(locked) < len(keys):
        raise NotSubmitted
    return locked


def _other_than(verdict: Verdict, assignments: Iterable[Assignment]) -> list[Assignment]:
    return [one for one in assignments if one.verdict != verdict]


def _decide_and_include(
    assignments: Iterable[Assignment], verdict: Verdict, by: User | None
) -> list[Assignment]:
    changed = _other_than(verdict, _lock(assignments))
    excluded = [one for one in changed if one.verdict == Verdict.EXCLUDED]
    _decide(changed, verdict, "", by)
    if excluded:
        include_answers(assignments=excluded)
    return changed


def _decide(
    assignments: Sequence[Assignment], verdict: Verdict, reason: str, by: User | None
) -> None:
    for one in assignments:
        one.verdict = verdict
    Assignment.objects.bulk_update(assignments, ["verdict"])
    Review.objects.bulk_create(
        Review(assignment=one, verdict=verdict, reason=reason, by=by) for one in assignments
    )
