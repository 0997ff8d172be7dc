"""Excluding answers, which opens their units again, and including them again.

Lock order: assignments first, by key, then places, then the study.
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
    """Flag all answers of submitted batches as excluded; how many were flagged.

    Their units are open again, or the oldest surplus answer is counted instead. Nothing is deleted,
    and pay stays. Answers excluded before keep their first reason.
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
    promote_surplus(places)
    _touch(keys)
    return flagged


@transaction.atomic
def include_answers(*, assignments: Iterable[Assignment]) -> int:
    """Include excluded answers again; how many were included.

    They are counted while there is room, else kept as surplus. Withdrawn answers stay out.
    """
    keys = _lock(assignments)
    units = AssignmentUnit.objects.filter(assignment__in=keys, outcome=Outcome.EXCLUDED)
    _lock_places(units)
    taken_in = 0
    for unit in units.select_related("place").order_by("place__shuffle", "place_id", "pk"):
        answers = _answers(unit).filter(withdrawn_at=None).exclude(excluded_reason="")
        if not answers.exists():
            continue
        counts = unit.place.role != Unit.Role.NORMAL or _takes(unit.place_id)
        taken_in += answers.update(excluded_reason="", surplus=not counts)
        unit.outcome = Outcome.COUNTED if counts else Outcome.SURPLUS
        unit.save(update_fields=["outcome"])
    _touch(keys)
    return taken_in


def _lock(assignments: Iterable[Assignment]) -> list[int]:
    """Lock the submitted ones of these assignments, always in one order."""
    rows = Assignment.objects.filter(
        pk__in=[assignment.pk for assignment in assignments], state=Assignment.State.SUBMITTED
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
    """Uncount each place as often as it occurs: several people may have answered it."""
    remaining = Counter(places)
    while remaining:
        Place.objects.filter(pk__in=list(remaining)).uncount()
        remaining -= Counter(remaining.keys())


def promote_surplus(places: Collection[int]) -> None:
    """Count surplus answers where room has become free, the oldest first. The places are locked.

    Nobody is counted twice in a place, since nobody meets a source twice.
    """
    waiting = AssignmentUnit.objects.filter(place__in=places, outcome=Outcome.SURPLUS)
    for unit in waiting.order_by("place", "assignment__submitted_at", "assignment"):
        if _takes(unit.place_id):
            unit.outcome = Outcome.COUNTED
            unit.save(update_fields=["outcome"])
            _answers(unit).update(surplus=False)


def _takes(place: int) -> bool:
    return Place.objects.filter(pk=place).count_late() == 1


def _answers(unit: AssignmentUnit) -> QuerySet[Annotation]:
    return Annotation.objects.filter(
        assignment=unit.assignment_id, question__unit=unit.unit_id, superseded_at=None
    )


def _touch(assignments: Collection[int]) -> None:
    """Mark the studies as changed. Last of all, since it locks their rows until the commit."""
    rows = Assignment.objects.filter(pk__in=assignments).select_related("participation__study")
    for study in {row.participation.study for row in rows}:
        study.touch()
