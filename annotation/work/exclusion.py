"""Excluding answers, which opens their units again, and including them again.

Lock order: assignments first, by key, then places, then the study.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Annotation, Assignment, AssignmentUnit, Place, Unit

Outcome = AssignmentUnit.Outcome
Row = TypeVar("Row")

LONGEST_REASON = 200
# As many rows are named in one statement.
CHUNK = 500


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
    count_surplus(places)
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
    answers = _to_include(keys)
    ordered = units.select_related("place").order_by("place__shuffle", "place_id", "pk")
    back = [unit for unit in ordered if (unit.assignment_id, unit.unit_id) in answers]
    _give_room(back)
    for surplus in (False, True):
        outcome = Outcome.SURPLUS if surplus else Outcome.COUNTED
        theirs = [unit for unit in back if unit.outcome == outcome]
        for some in _chunks(theirs):
            mine = [key for unit in some for key in answers[unit.assignment_id, unit.unit_id]]
            rows = AssignmentUnit.objects.filter(pk__in=[unit.pk for unit in some])
            rows.update(outcome=outcome)
            Annotation.objects.filter(pk__in=mine).update(excluded_reason="", surplus=surplus)
    taken_in = sum(len(answers[unit.assignment_id, unit.unit_id]) for unit in back)
    _touch(keys)
    return taken_in


def _to_include(assignments: Collection[int]) -> Mapping[tuple[int, int], Sequence[int]]:
    """(batch, unit) -> its excluded answers (by id) that were not withdrawn."""
    excluded = Annotation.objects.filter(
        assignment__in=assignments, superseded_at=None, withdrawn_at=None
    ).exclude(excluded_reason="")
    answers: dict[tuple[int, int], list[int]] = {}
    for key, assignment, unit in excluded.values_list("pk", "assignment", "question__unit"):
        answers.setdefault((assignment or 0, unit), []).append(key)
    return answers


def _give_room(units: Sequence[AssignmentUnit]) -> None:
    """Say of each unit, in this order, whether it counts again, and count it in its place. The
    places are locked, so that their room is what it was when it was read."""
    room = {unit.place_id: unit.place.room or 0 for unit in units}
    counted: Counter[int] = Counter()
    for unit in units:
        is_normal = unit.place.role == Unit.Role.NORMAL
        fits = not is_normal or counted[unit.place_id] < room[unit.place_id]
        unit.outcome = Outcome.COUNTED if fits else Outcome.SURPLUS
        if is_normal and fits:
            counted[unit.place_id] += 1
    while counted:
        for some in _chunks(list(counted)):
            Place.objects.filter(pk__in=some).count_late()
        counted -= Counter(counted.keys())


def _chunks(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    return (rows[at : at + CHUNK] for at in range(0, len(rows), CHUNK))


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


def count_surplus(places: Collection[int]) -> None:
    """Count surplus answers where room has become free, the oldest first. The places are locked.

    Nobody is counted twice in a place, since nobody meets a source twice.
    """
    waiting = AssignmentUnit.objects.filter(place__in=places, outcome=Outcome.SURPLUS)
    for unit in waiting.order_by("place", "assignment__submitted_at", "assignment"):
        if Place.objects.filter(pk=unit.place_id).count_late() == 1:
            unit.outcome = Outcome.COUNTED
            unit.save(update_fields=["outcome"])
            _answers(unit).update(surplus=False)


def _answers(unit: AssignmentUnit) -> QuerySet[Annotation]:
    return Annotation.objects.filter(
        assignment=unit.assignment_id, question__unit=unit.unit_id, superseded_at=None
    )


def _touch(assignments: Collection[int]) -> None:
    """Mark the studies as changed. Last of all, since it locks their rows until the commit."""
    rows = Assignment.objects.filter(pk__in=assignments).select_related("participation__study")
    for study in {row.participation.study for row in rows}:
        study.touch()
