"""Problems with units that workers report. They never affect pay."""

from django.db.models import QuerySet

from annotation.models import Assignment, AssignmentUnit, Study

LONGEST = 2_000


def problem_with(*, assignment: Assignment, unit: int) -> str:
    """The problem that the worker reported with a unit of the batch; empty for none."""
    return assignment.assignment_units.values_list("problem", flat=True).get(unit=unit)


def flag_problem(*, assignment: Assignment, unit: int, text: str) -> None:
    """Store the problem that a worker reports with a unit. The caller has locked the batch."""
    AssignmentUnit.objects.filter(assignment=assignment.pk, unit=unit).update(problem=text)


def as_kept(text: str) -> str:
    """A report as it is stored: without space around it, and not too long."""
    return text.strip()[:LONGEST]


def problems_in(study: Study) -> QuerySet[AssignmentUnit]:
    """The units with a reported problem, in batches of any state."""
    return AssignmentUnit.objects.filter(unit__study=study).exclude(problem="")
