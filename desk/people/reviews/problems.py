"""Problems reported by workers, by unit; units with the most reports come first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from annotation.models import AssignmentUnit, Study
from annotation.work.problems import problems_in


@dataclass(frozen=True)
class ReportedUnit:
    """A unit with all problems reported about it, the newest batch first."""

    pk: int
    key: str
    problems: Sequence[AssignmentUnit]


def reported_units(study: Study) -> QuerySet[AssignmentUnit, tuple[int, str]]:
    """(key in the database, key in the study) of each unit that a problem was reported with."""
    by_unit = problems_in(study).order_by().values("unit", "unit__key").annotate(n=Count("pk"))
    return by_unit.order_by("-n", "unit__key").values_list("unit", "unit__key")


def problems_of(study: Study, units: Iterable[tuple[int, str]]) -> list[ReportedUnit]:
    """These units with their problems; two queries, however many there are."""
    units = list(units)
    problems = problems_in(study).filter(unit__in=[unit for unit, _key in units])
    reported = problems.select_related("assignment__participation", "assignment__round")
    by_unit: dict[int, list[AssignmentUnit]] = {unit: [] for unit, _key in units}
    for problem in reported.order_by("-assignment"):
        by_unit[problem.unit_id].append(problem)
    return [ReportedUnit(unit, key, by_unit[unit]) for unit, key in units]
