"""Report a problem with a question: the unit is flagged, and pay is never touched."""

from django.db.models import QuerySet

from annotation.models import Assignment, AssignmentUnit, Study

LONGEST = 2_000


def problem_with(*, assignment: Assignment, unit: int) -> str:
    """What the worker says is wrong with that unit of the batch."""
    return assignment.assignment_units.values_list("problem", flat=True).get(unit=unit)


def flag_problem(*, assignment: Assignment, unit: int, text: str) -> None:
    """Keep what a worker says is wrong with a unit of an open batch, whose row is locked."""
    AssignmentUnit.objects.filter(assignment=assignment.pk, unit=unit).update(problem=text)


def as_kept(text: str) -> str:
    """What is kept of a report."""
    return text.strip()[:LONGEST]


def problems_in(study: Study) -> QuerySet[AssignmentUnit]:
    """What workers reported, in whatever became of their batches: open, submitted, given back."""
    return AssignmentUnit.objects.filter(unit__study=study).exclude(problem="")
