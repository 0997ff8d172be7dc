"""Exclude answers and take them in again: what they no longer count for is open once more.

Every verb locks assignments first, in the order of their keys, and all places after them.
"""

from collections import Counter
from collections.abc import Collection, Iterable

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Annotation, Assignment, AssignmentUnit, Place, Unit

Outcome = AssignmentUnit.Outcome

LONGEST_REASON = 200


@transaction.atomic
def exclude_answers(*, assignments: Iterable[Assignment], reason: str) -> int:
    """Flag all answers of submitted batches as excluded, and open their units again.

    Where somebody's surplus answer waits for the room, the oldest is counted instead.
    Nothing is deleted, and pay stays. Answers excluded before keep their first reason.
    How many answers were flagged.
    """
    if not reason.strip():
        raise ValueError("reason: an exclusion needs one")
    keys = _lock(assignments)
    units = AssignmentUnit.objects.filter(assignment__in=keys).exclude(outcome=Outcome.EXCLUDED)
    places = _lock_places(units.exclude(outcome=Outcome.OPEN))
    _uncount(_normal(units.filter(outcome=Outcome.COUNTED)))
    units.exclude(outcome=Outcome.OPEN).update(outcome=Outcome.EXCLUDED)
    answers = Annotation.objects.filter(assignment__in=keys, excluded_reason="")
    flagged = answers.update(excluded_reason=reason.strip()[:LONGEST_REASON], surplus=False)
    _promote(places)
    _touch(keys)
    return flagged


@transaction.atomic
def include_answers(*, assignments: Iterable[Assignment]) -> int:
    """Take excluded answers in again: counted while there is room, else kept as surplus.

    What the worker has withdrawn stays out. How many answers were taken in.
    """
    keys = _lock(assignments)
    units = AssignmentUnit.objects.filter(assignment__in=keys, outcome=Outcome.EXCLUDED)
    _lock_places(units)
    taken_in = 0
    for one in units.select_related("place").order_by("place__shuffle", "place_id", "pk"):
        answers = _answers(one).filter(withdrawn_at=None).exclude(excluded_reason="")
        if not answers.exists():
            continue
        counts = one.place.role != Unit.Role.NORMAL or _takes(one.place_id)
        taken_in += answers.update(excluded_reason="", surplus=not counts)
        one.outcome = Outcome.COUNTED if counts else Outcome.SURPLUS
        one.save(update_fields=["outcome"])
    _touch(keys)
    return taken_in


def _lock(assignments: Iterable[Assignment]) -> list[int]:
    """Lock the submitted ones of these rows, always in one order."""
    rows = Assignment.objects.filter(
        pk__in=[one.pk for one in assignments], state=Assignment.State.SUBMITTED
    )
    return list(
        rows.order_by("pk")
        .select_for_update(no_key=True, of=("self",))
        .values_list("pk", flat=True)
    )


def _lock_places(units: QuerySet[AssignmentUnit]) -> list[int]:
    keys = _normal(units)
    Place.objects.filter(pk__in=keys).lock()
    return keys


def _normal(units: QuerySet[AssignmentUnit]) -> list[int]:
    return list(units.filter(place__role=Unit.Role.NORMAL).values_list("place", flat=True))


def _uncount(places: Iterable[int]) -> None:
    """One less for each mention: answers of several people may go out of one place at once."""
    left = Counter(places)
    while left:
        Place.objects.filter(pk__in=list(left)).uncount()
        left -= Counter(left.keys())


def _promote(places: Collection[int]) -> None:
    """Count surplus answers where room has come up, the oldest first.

    Nobody gets a place twice, since nobody meets a source twice.
    """
    waiting = AssignmentUnit.objects.filter(place__in=places, outcome=Outcome.SURPLUS)
    for one in waiting.order_by("place", "assignment__submitted_at", "assignment"):
        if _takes(one.place_id):
            one.outcome = Outcome.COUNTED
            one.save(update_fields=["outcome"])
            _answers(one).update(surplus=False)


def _takes(place: int) -> bool:
    return Place.objects.filter(pk=place).count_late() == 1


def _answers(one: AssignmentUnit) -> QuerySet[Annotation]:
    return Annotation.objects.filter(
        assignment=one.assignment_id, question__unit=one.unit_id, superseded_at=None
    )


def _touch(assignments: Collection[int]) -> None:
    """Last of all: this locks the study's row until the commit."""
    rows = Assignment.objects.filter(pk__in=assignments).select_related("participation__study")
    for study in {row.participation.study for row in rows}:
        study.touch()
