"""Review of submitted batches, one or many at once, and feedback to their workers.

Every decision is one more Review; a batch's verdict is that of its latest. Pay is never touched:
work is paid, whatever is decided about it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from annotation.models import Assignment, Participation, Review, User, log_change
from annotation.queries.compiled import Compiled, Param, RowReader
from annotation.work.exclusion import exclude_answers, include_answers

Verdict = Assignment.Verdict

LONGEST_REASON = 200
LONGEST_FEEDBACK = 4_000


class NotSubmitted(Exception):
    """A batch was not submitted, so nothing was decided."""

    def __init__(self) -> None:
        super().__init__(_("One of these batches has not been submitted. Nothing was changed."))


class NeedsReason(Exception):
    """An exclusion without a reason; nothing was decided."""

    def __init__(self) -> None:
        super().__init__(_("Please say why these answers are excluded."))


@transaction.atomic
def accept(*, assignments: Iterable[Assignment], by: User | None) -> list[Assignment]:
    """Accept these batches. Answers that were excluded count again where there is room.

    The batches whose verdict changed; those accepted already stay as they are.
    """
    changed = _decide_and_include(assignments, Verdict.ACCEPTED, by)
    _log(changed, "batches.accepted", by)
    return changed


@transaction.atomic
def exclude(*, assignments: Iterable[Assignment], reason: str, by: User | None) -> list[Assignment]:
    """Exclude all answers of these batches from the results, and open their units again.

    Answers are flagged, not deleted, and stay paid. Returns the batches whose verdict changed.
    """
    reason = reason.strip()[:LONGEST_REASON]
    if not reason:
        raise NeedsReason
    changed = _other_than(Verdict.EXCLUDED, _lock(assignments))
    _decide(changed, Verdict.EXCLUDED, reason, by)
    _log(changed, "batches.excluded", by)
    # Last: it locks the study's row until the commit.
    if changed:
        exclude_answers(assignments=changed, reason=reason)
    return changed


@transaction.atomic
def undo(*, assignments: Iterable[Assignment], by: User | None) -> list[Assignment]:
    """Undo the decisions about these batches: they are to be reviewed again.

    Answers that were excluded count again where there is room, else they are surplus.
    The batches whose verdict changed.
    """
    changed = _decide_and_include(assignments, Verdict.OPEN, by)
    _log(changed, "batches.reopened", by)
    return changed


@transaction.atomic
def write_feedback(*, assignment: Assignment, text: str, by: User | None) -> Assignment:
    """Write feedback on a submitted batch, which the worker sees when they come back.

    A new text replaces the old one and is shown again; a review keeps the beginning of each.
    """
    (locked,) = _lock([assignment])
    text = text.strip()[:LONGEST_FEEDBACK]
    if text == locked.feedback:
        return locked
    locked.feedback, locked.feedback_seen_at = text, None
    locked.save(update_fields=["feedback", "feedback_seen_at"])
    reason = Truncator(f"feedback: {text or '–'}").chars(LONGEST_REASON)
    Review.objects.create(assignment=locked, verdict=locked.verdict, reason=reason, by=by)
    _log([locked], "batches.feedback_written", by)
    return locked


def unseen_feedback(*, participation: Participation, now: datetime) -> list[Assignment]:
    """The batches with feedback that the worker has not seen; marks it as seen."""
    unseen = _unseen.all(participation=participation.pk)
    for assignment in unseen:
        # Only if the feedback has not been rewritten in between.
        unchanged = Assignment.objects.filter(pk=assignment.pk, feedback=assignment.feedback)
        unchanged.update(feedback_seen_at=now)
    return unseen


def feedback_to(participation: Participation | Param) -> QuerySet[Assignment]:
    """The worker's batches with feedback."""
    submitted = Assignment.objects.filter(
        participation=participation, state=Assignment.State.SUBMITTED
    )
    return submitted.exclude(feedback="").order_by("submitted_at")


_unseen = Compiled(
    lambda: feedback_to(Param("participation")).filter(feedback_seen_at=None),
    RowReader(Assignment),
)


def exclusions_of(participation: Participation) -> list[Review]:
    """The decision behind each excluded batch of the worker, in the order of the batches."""
    decided: dict[int, Review] = {}
    reviews = Review.objects.filter(assignment__participation=participation)
    for review in reviews.select_related("assignment").order_by("pk"):
        if review.verdict != Verdict.EXCLUDED:
            decided.pop(review.assignment_id, None)
        else:
            # Later reviews with this verdict only record feedback.
            decided.setdefault(review.assignment_id, review)
    return sorted(decided.values(), key=lambda review: review.assignment_id)


def _lock(assignments: Iterable[Assignment]) -> list[Assignment]:
    """Lock these rows, always in one order; all must have been submitted."""
    keys = {assignment.pk for assignment in assignments}
    rows = Assignment.objects.filter(pk__in=keys, state=Assignment.State.SUBMITTED)
    locked = list(rows.order_by("pk").select_for_update(no_key=True, of=("self",)))
    if len(locked) < len(keys):
        raise NotSubmitted
    return locked


def _other_than(verdict: Verdict, assignments: Iterable[Assignment]) -> list[Assignment]:
    return [assignment for assignment in assignments if assignment.verdict != verdict]


def _decide_and_include(
    assignments: Iterable[Assignment], verdict: Verdict, by: User | None
) -> list[Assignment]:
    changed = _other_than(verdict, _lock(assignments))
    excluded = [assignment for assignment in changed if assignment.verdict == Verdict.EXCLUDED]
    _decide(changed, verdict, "", by)
    if excluded:
        include_answers(assignments=excluded)
    return changed


def _decide(
    assignments: Sequence[Assignment], verdict: Verdict, reason: str, by: User | None
) -> None:
    for assignment in assignments:
        assignment.verdict = verdict
    Assignment.objects.bulk_update(assignments, ["verdict"])
    Review.objects.bulk_create(
        Review(assignment=assignment, verdict=verdict, reason=reason, by=by)
        for assignment in assignments
    )


def _log(changed: Sequence[Assignment], action: str, by: User | None) -> None:
    """Without reasons: a withdrawal erases those, and rows of the log stay."""
    if changed and by is not None:
        study = changed[0].participation.study
        batches = [assignment.pk for assignment in changed]
        log_change(study=study, by=by, action=action, detail={"batches": batches})
